"""What somebody weighs, and what only has an "or" in it."""

import pytest

from rt_avatar.reasoner.weighing import WEIGHING
from tests.rt_avatar.reasoner.acts_found import find_act

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("I can't decide whether to sell it or let it out.", "torn"),
        ("i dont know if i should stay till christmas or go home now", "torn"),
        ("Part of me is curious, and part of me would rather not know.", "torn"),
        ("on the one hand its steady money on the other its killing my back", "torn"),
        ("I don't want to lose her but I don't want to live in Hull either.", "torn"),
        ("I'm in two minds about it.", "torn"),
        ("i go back and forth on it every day", "torn"),
        ("I'd love to say yes but I'd have to give up the band.", "torn"),
        ("im wondering whether to write to him", "whether"),
        ("I keep asking myself if I should have another go.", "whether"),
        ("I don't know if I should tell the landlord.", "whether"),
        ("I've been thinking about going part time.", "toying"),
        ("were toying with the idea of a narrowboat", "toying"),
        ("I'm quite tempted to enter the show this year.", "toying"),
        ("It would mean getting up at five.", "picturing"),
        ("itd be two buses and a walk every day", "picturing"),
        ("I'm not sure I'm cut out for it.", "unsure"),
        ("maybe she was just tired", "perhaps"),
        ("My dad says we should wait but the price is going up.", "at_odds"),
        ("My mum wants me to come home for it but I've got a shift.", "at_odds"),
        ("i think id rather wait in the car", "rather"),
        ("I'd rather carry it myself.", "rather"),
        ("I don't know which one to believe.", "at_a_loss"),
    ],
)
def test_what_is_weighed_is_heard(text, act):
    assert find_act(text, WEIGHING) == act


@pytest.mark.parametrize(
    "text",
    [
        "He came home at two or three.",
        "I don't know if you've heard of it.",
        "I don't know if he's coming.",
        "She doesn't know whether to laugh or cry.",
        "I've been thinking about him all day.",
        "i keep thinking about mum",
        "It would be lovely.",
        "That would have been my choice.",
        "I'm thinking of ending it all.",
        "He's been thinking about moving.",
        "I wonder what she'd say.",
        "It would be great if you listened.",
        "We bought the red one or the blue one, I forget.",
        "My sister can't decide whether to come or not.",
        "I'm not sure what you mean.",
        "Maybe tomorrow.",
        "She says it's fine.",
        "She wants a biscuit but there are none.",
        "I'd rather die.",
        "It's rather cold.",
        "I don't know what time it is.",
    ],
)
def test_what_only_sounds_like_it_is_left(text):
    assert find_act(text, WEIGHING) is None
