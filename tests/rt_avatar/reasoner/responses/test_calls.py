"""What is asked about the call itself has a true answer; what is asked of others has none."""

import pytest

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.calls import CALLS, find_of_call
from rt_avatar.reasoner.responses.questions import find_asked
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("will you remember any of this tomorrow", "memory"),
        ("Do you remember what I say, or is it gone once I hang up?", "memory"),
        ("so if i ring next week youll know who i am?", "memory"),
        ("Is all of this gone when I hang up?", "memory"),
        ("will u forget me", "memory"),
        ("Will I have to explain it all again next time?", "memory"),
        ("what happens to you when i hang up", "after"),
        ("What will you do when we've finished talking?", "after"),
        ("And where do you go once I put the phone down?", "after"),
        ("what do you do between calls", "after"),
        ("do you record these calls", "kept"),
        ("Is this being recorded?", "kept"),
        ("Is anybody writing this down, or is it just between us?", "kept"),
        ("You won't tell anyone, will you?", "kept"),
        ("do you keep notes", "kept"),
        ("is what I say private?", "kept"),
        ("Are you always there, even at three in the morning?", "always"),
        ("can i call you in the middle of the night", "always"),
        ("Do you ever get tired of listening to people like me?", "tired"),
        ("am i boring you", "tired"),
        ("Don't you get lonely?", "lonely"),
        ("are there lots of other people talking to you", "others"),
        ("How many people do you talk to?", "others"),
    ],
)
def test_what_is_asked_about_the_call_is_heard(text, found):
    assert find_asked(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember the big storm?",
        "what happens to my pension when I die",
        "What happens when you hang up on your own brother?",
        "Where do you go on holiday with a toddler?",
        "I keep a note of everything I spend.",
        "will he remember me, do you think?",
        "is it always this cold in march",
        "Do you know what he told everyone?",
        "I get so tired of being on my own.",
        "Will you tell my sister I'm sorry?",
        "Is he recording me?",
        "Is this the right time to call the bank?",
        "What would you do when somebody shouts at you?",
        "what do you do when the milk boils over",
        "are you always this slow",
        "Is it gone for good?",
        "Are there people who like liquorice?",
    ],
)
def test_what_is_asked_of_something_else_is_not_taken_for_it(text):
    assert find_of_call(" ".join(words_of(text))) is None


def test_nothing_said_of_the_call_claims_a_memory_or_a_life():
    for sayings in CALLS.values():
        for one in sayings:
            assert not any(word in one.lower() for word in ("i remember", "i miss", "i promise"))


@pytest.mark.parametrize(
    ("text", "asked_of"),
    [
        ("Yes. And you, do you remember what I say, or is it gone once I hang up?", "memory"),
        ("It's for my grandson. What will you do when we've finished talking?", "after"),
        ("Nice day. Is anybody writing this down?", "kept"),
    ],
)
async def test_who_asks_about_the_call_hears_the_truth_and_not_their_own_words(
    nano, text, asked_of
):
    _, said = await reply_of(nano, asked(text, "It took me all winter.", "I see."))
    assert said in CALLS[asked_of]
