"""What was left unsaid, by the caller or to them, and what only looks like it."""

import pytest

from rt_avatar.reasoner.acts import meet_act
from rt_avatar.reasoner.untold import UNTOLD_ACTS
from tests.rt_avatar.reasoner.acts_found import find_act

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("I haven't told my husband yet.", "kept_from"),
        ("i still havent asked her about it", "kept_from"),
        ("We can't bring ourselves to tell the kids.", "kept_from"),
        ("I've never told my dad what it cost.", "kept_from"),
        ("the email's written but i havent sent it", "kept_back"),
        ("I haven't opened the envelope.", "kept_back"),
        ("I haven't said anything at work.", "kept_back"),
        ("I didn't say anything at the time.", "swallowed"),
        ("i didnt tell her how much it hurt", "swallowed"),
        ("nobody at home knows", "secret"),
        ("I practise in secret in the garage.", "secret"),
        ("They still think I'm at the bank.", "secret"),
        ("nobody asked me", "not_asked"),
        ("They moved the date without asking me.", "not_asked"),
        ("She didn't even ask how it went.", "not_asked"),
        ("He never said a word about it.", "not_told"),
        ("no one told me a thing", "not_told"),
        ("My brother didn't even say goodbye.", "not_told"),
        ("they went ahead without a word", "not_told"),
        ("she never thanked me", "not_thanked"),
        ("Nobody's thanked us for any of it.", "not_thanked"),
        ("my gran doesnt know about it yet", "unaware"),
        ("His parents don't know that we're married.", "unaware"),
        ("We haven't spoken since the funeral tea.", "estranged"),
        ("my cousin and i fell out", "estranged"),
        ("were not really talking at the moment", "estranged"),
        ("no one said a word for the whole drive", "silence"),
        ("Then the room went quiet.", "silence"),
        ("Nobody at the club ever mentions it.", "unspoken"),
        ("we never talk about it", "unspoken"),
        ("I don't know how to tell the neighbours.", "how_to_say"),
        ("i dont know how to bring it up with her", "how_to_say"),
        ("In the car neither of us spoke.", "silence"),
        ("i havent found the words to tell my gran", "kept_from"),
        ("Nobody's dared to tell the chairman.", "unspoken"),
        ("i nearly said something", "swallowed"),
        ("He's never asked.", "not_asked"),
        ("She hasn't mentioned it and neither have I.", "not_told"),
        ("My tutor hasn't said anything yet.", "not_told"),
    ],
)
def test_what_was_left_unsaid_is_heard(text, act):
    assert find_act(text, UNTOLD_ACTS) == act


@pytest.mark.parametrize(
    "text",
    [
        "I can't tell which is which.",
        "I haven't told you about the goat.",
        "i cant say that i mind",
        "I didn't ask for this.",
        "she didn't say when",
        "He didn't tell me to go.",
        "Nobody asked for seconds.",
        "They didn't say how long it takes.",
        "I told her last week.",
        "He never asked me for money.",
        "Nobody knows how to fix it.",
        "she told me without asking for anything",
        "I didn't call him a liar.",
        "They think I'm funny.",
        "She knows everything about it.",
        "She doesn't know the way.",
        "I don't know yet.",
        "We spoke yesterday.",
        "I fell out of bed.",
        "We don't talk about the weather.",
        "The engine went quiet.",
        "We sat in silence.",
        "Nobody talks to the press.",
        "We never talk on Mondays.",
        "I don't know how to swim.",
        "Neither of us is tall.",
        "Nobody wanted to swim.",
        "I nearly fell.",
    ],
)
def test_what_only_looks_like_it_is_left(text):
    assert find_act(text, UNTOLD_ACTS) is None


def test_whom_it_is_kept_from_is_named_in_the_listeners_grammar():
    said = {
        meet_act(f"I haven't told my sister{end}", UNTOLD_ACTS, ()) for end in ("", " yet", "!")
    }
    assert all({"she", "her"} & set(one.strip("?").split()) or "moment" in one for one in said)
    assert not any("my" in one.split() for one in said)
