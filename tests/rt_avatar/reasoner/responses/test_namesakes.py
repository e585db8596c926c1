"""A name that a caller wants said is said, and nothing else is taken for that wish."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.namesakes import NAMED, NOT_TOLD, say_name
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "told", "name"),
    [
        ("his name was noah. can you say it", (), "Noah"),
        ("I wanted one other person to say his name. Could you say it?",
         ("Tyler was his name.", "I made his spaghetti."), "Tyler"),
        ("No, I asked you to say Tyler. Can you just say Tyler?", (), "Tyler"),
        ("Could you say her name for me?", ("We called her Marjorie.",), "Marjorie"),
        ("please say his name", ("The dog was called Rex.", "His name is Rex, really."), "Rex"),
    ],
)  # fmt: skip
def test_a_name_that_was_told_is_said(text, told, name):
    assert say_name(text, told, []) in [one.format(name=name) for one in NAMED]


def test_a_name_that_was_not_told_is_asked_for():
    assert say_name("Would you say her name?", ("My name is Ann.",), []) in NOT_TOLD


@pytest.mark.parametrize(
    "text",
    [
        "Can you say it again?",
        "can you say that",
        "Could you say it?",
        "I couldn't say his name at the funeral.",
        "He never says her name.",
        "What would you say, Tom?",
        "They say Monday.",
        "Let's meet soon, say Monday.",
        "Can you say Bitch?",
        "I heard her say it.",
        "You can say that again.",
        "His name was Noah.",
        "how do you say it in Polish",
    ],
)
def test_no_name_is_said_where_none_is_wanted(text):
    assert say_name(text, ("His name was Noah.",), []) == ""


def test_no_name_is_said_in_words_that_must_not_be():
    assert not [one for one in (*NAMED, *NOT_TOLD) if find_unsafe(one.format(name="Noah"))]


async def test_who_wants_a_name_said_does_not_hear_the_last_reply_again(nano):
    before = ("The baby died on Friday.", "Thank you for telling me.")
    _, said = await reply_of(nano, asked("his name was noah. can you say it", *before))
    assert said in [one.format(name="Noah") for one in NAMED]
