"""What somebody misses, wants, likes, lacks or is like; and what only looks like it."""

import pytest

from rt_avatar.reasoner.acts import meet_act
from rt_avatar.reasoner.longings import LONGINGS
from tests.rt_avatar.reasoner.acts_found import find_act

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("I miss the noise of it.", "miss"),
        ("we really miss our old street", "miss"),
        ("I do miss being asked for advice.", "miss"),
        ("I just want it to stop raining on my parade, I want him to notice.", "want_of"),
        ("all i want is one quiet sunday", "want"),
        ("I'd like to be able to lift my grandson.", "want"),
        ("i want to get to the point where i dont check my phone", "want"),
        ("I quite like it there.", "like"),
        ("i actually love doing the accounts", "like"),
        ("I'm not much of a talker.", "own_way"),
        ("ive never been any good at goodbyes", "own_way"),
        ("I'm not one for parties.", "own_way"),
        ("I keep checking the door.", "again"),
        ("i keep going over what he said", "again"),
        ("There's nobody to ask any more.", "lack"),
        ("we cant afford the deposit", "lack"),
        ("I've got nowhere to put it all.", "lack"),
        ("i'm scared it'll be too late by then", "fear"),
        ("I'm worried she won't settle.", "fear"),
        ("I'd love to go with them but I get so seasick.", "wish_but"),
        ("i play the tuba", "pursuit"),
        ("We keep hens.", "pursuit"),
        ("I wanted to thank him but the bus drove off.", "wanted_but"),
        ("i havent been back to the pool since", "given_up"),
        ("I haven't sung since school.", "given_up"),
        ("I sort of hope he keeps it.", "hopes"),
        ("It's the only thing we saved.", "only_thing"),
        ("I don't want to let them down.", "not_want"),
        ("he's so calm and that's what worries me", "what_gets_me"),
    ],
)
def test_what_is_longed_for_liked_or_lacked_is_heard(text, act):
    assert find_act(text, LONGINGS) == act


@pytest.mark.parametrize(
    "text",
    [
        "I'll miss the bus.",
        "I don't want to miss the start.",
        "I want a sandwich.",
        "I want to die.",
        "I want to tell you something.",
        "I don't like it.",
        "I'd like a new coat.",
        "He misses the sea.",
        "There's no hurry.",
        "there's nothing wrong with it",
        "I keep a spare one.",
        "i keep going",
        "I'm afraid so.",
        "I like him.",
        "I can't afford to lose my temper.",
        "I'm not going.",
        "She wants to paint it.",
        "I had no part in it any more.",
        "We run out of milk.",
        "I would like tea.",
        "I take pills for it.",
        "I wanted to go and I went.",
        "I haven't eaten since noon.",
        "I haven't slept since yesterday.",
        "I hope so.",
        "It's the only one in town.",
        "I don't want to go out.",
        "That's what I said.",
        "I was so nervous that my knees were shaking at the first roundabout.",
    ],
)
def test_what_only_looks_like_it_is_left(text):
    assert find_act(text, LONGINGS) is None


def test_what_is_missed_is_named():
    own: list[str] = []
    for _ in range(2):
        own.append(meet_act("I miss the noise of my old street.", LONGINGS, own))
    assert any("the noise" in one for one in own)
    assert "my" not in " ".join(own).split()
