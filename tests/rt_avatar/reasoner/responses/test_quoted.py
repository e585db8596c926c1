"""What others asked or said to a caller is no question of the caller's."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.nlu.intents import find_intent
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.quoted import SAYINGS, find_quoted, meet_quoted

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("she asked me how I sleep", "asked"),
        ("My grandson asked me are you old, granny.", "asked"),
        ("The nurse asked do I live alone", "asked"),
        ("they asked me if i drink", "asked"),
        ("my wife asked who are you texting", "asked"),
        ("The counsellor asked me what would make me happy.", "asked"),
        ("my son said mum do you ever get lonely", "asked"),
        ("Yesterday my neighbour asked me whether I'd like to sing with them.", "asked"),
        ("The woman at the till asked if I was all right", "asked"),
        ("my mum keeps asking when i'm getting married", "often"),
        ("She wants to know what time I get home every day.", "often"),
        ("He asked me what I want from life and I couldn't answer", "answered"),
        ("a lad in the shop said how are you and I nearly burst into tears", "answered"),
        ("He said what's your name as if we'd never met", "answered"),
        ("My little one asked me if I'm sad. I said I was tired.", "answered"),
        ("my teacher said I'll never amount to anything", "said"),
        ("A stranger on the bus said thank you for smiling.", "said"),
        ("he told me to get a life", "said"),
        ("my sister told me im too soft", "said"),
    ],
)
def test_the_words_of_another_are_heard_as_theirs(text, kind):
    quoted = find_quoted(text)
    assert quoted is not None
    assert quoted.kind == kind
    assert find_asked(text) is None
    assert find_intent(text) == "telling"


@pytest.mark.parametrize(
    "text",
    [
        "She asked me to help her with the move.",
        "he asked me out",
        "They asked for the key back.",
        "I asked her how she sleeps.",
        "What's your name?",
        "are you a robot",
        "He asked me if I drink, is that normal?",
        "My wife says I should go to bed earlier.",
        "The doctor told me to come back in a week.",
        "she told me that he's moving out",
        "My boss said the shop is closing.",
        "He said he was sorry.",
        "I wonder how she sleeps.",
        "My friend asked about you know who",
        "do you ever get lonely",
    ],
)
def test_what_is_asked_or_told_otherwise_is_not(text):
    assert find_quoted(text) is None


def test_who_asked_is_spoken_of_as_told():
    owns = ((), *((one,) for one in SAYINGS["asked"]))
    said = {meet_quoted("my wife asked who are you texting", own) for own in owns}
    assert all("them" not in one and "{" not in one for one in said)


def test_nothing_unsafe_is_said():
    assert not any(find_unsafe(one) for sayings in SAYINGS.values() for one in sayings)


async def test_the_listener_does_not_answer_for_itself(call):
    for text in (
        "He said what's your name as if we'd never met",
        "my boss said are you recording this and laughed",
        "A lad in the shop said how are you and I nearly burst into tears",
    ):
        assert (await call(text))[0] in SAYINGS["answered"]
