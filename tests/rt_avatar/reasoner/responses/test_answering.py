"""A feeling that was asked for and told is taken as the answer that it is."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.answering import TAKEN, find_told, meet_answer
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit

ASKED = "I see. How do you feel about it?"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("furious. i still can't find the words", ("hard", "furious")),
        ("terrified to say it out loud", ("hard", "terrified")),
        ("Robbed, to be honest.", ("hard", "robbed")),
        ("I feel so helpless.", ("hard", "helpless")),
        ("Touched. He hated writing, mind you.", ("good", "touched")),
        ("Mostly relieved.", ("good", "relieved")),
        ("over the moon, we painted the door already", ("good", "over the moon")),
        ("really ashamed", ("conscience", "ashamed")),
        ("Jealous, if I'm honest. She's having a ball.", ("awkward", "jealous")),
        ("relieved and lonely at the same time", ("both", "relieved")),
        ("I'm happy for her, but a bit jealous.", ("both", "happy")),
        ("Glad for him. Gutted.", ("both", "glad")),
        ("proud of him and sick about leaving my mum", ("both", "proud")),
        ("flattered but also im a plumber what do i know", ("both", "flattered")),
        ("embarrassed and then sort of warm", ("both", "embarrassed")),
    ],
)
def test_a_feeling_that_was_asked_for_is_taken_as_the_answer(said, told):
    assert find_told(said, ASKED) == told
    reply = meet_answer(said, ASKED, [ASKED])
    word = told[1].capitalize()
    assert reply in [one.format(F=word) for one in TAKEN[told[0]]]
    assert meet_answer(said, ASKED, [reply, ASKED]) != reply


@pytest.mark.parametrize(
    ("said", "last"),
    [
        ("i dont know yet", ASKED),
        ("Not happy at all.", ASKED),
        ("My wife is thrilled, I'm not.", ASKED),
        ("How would you feel?", ASKED),
        ("I was born there.", ASKED),
        ("Lost my voice cheering!", ASKED),
        ("Sadly I missed it.", ASKED),
        ("Happy people, all of them, and the food was good.", ASKED),
        ("sad ending, really", "How did it go?"),
        ("happy days", "Are you looking forward to it?"),
        ("Proud mum, of course.", "Who did you tell first?"),
        ("Angry words and a slammed door.", "What happened?"),
        ("embarrassed silence", "How did the others react?"),
        ("guilty faces at dinner", "What bothers you the most about it?"),
        ("furious", "I see. Go on."),
    ],
)
def test_what_tells_no_feeling_or_was_not_asked_for_is_no_such_answer(said, last):
    assert find_told(said, last) is None
    assert meet_answer(said, last, [last]) == ""


def test_a_story_behind_a_feeling_is_answered_as_a_story():
    assert find_told("furious because " + "he took the car and " * 3 + "left", ASKED) is None


def test_nothing_that_is_said_to_a_feeling_judges_it():
    for kind, replies in TAKEN.items():
        word = "Ashamed" if kind == "conscience" else "Furious"
        assert not [one for one in replies if find_unsafe(one.format(F=word))]
    for kind in ("conscience", "awkward"):  # such a word is not said back
        assert not [one for one in TAKEN[kind] if "{F}" in one]


async def test_a_named_feeling_is_heard_in_a_call(nano):
    before = ("My mother-in-law has rearranged my kitchen.", "How do you feel about that?")
    reply = (await reply_of(nano, asked("Furious. I still can't find the grater.", *before)))[1]
    assert reply.startswith("Furious.")


@pytest.mark.parametrize(
    ("before", "said", "then"),
    [
        (("I went to the cinema.", "Who did you go with?"), "Just me.", "How was that"),
        (("I'm off to Rome.", "Who's going with you?"), "only me", "Is that all right"),
    ],
)
async def test_who_goes_alone_is_not_asked_how_it_was(nano, before, said, then):
    reply = (await reply_of(nano, asked(said, *before)))[1]
    assert then in reply or "?" not in reply


async def test_who_tells_what_was_said_to_them_is_asked_how_it_was_to_hear(nano):
    before = ("My friend is angry with me.", "What did she say?")
    reply = (await reply_of(nano, asked("that i never listen", *before)))[1]
    assert "hear" in reply or "take that" in reply
