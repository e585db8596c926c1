"""Who laughs at themselves gets a smile, and no pity."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses import jests
from rt_avatar.reasoner.responses.jests import is_jest, meet_jest

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        "I tried yoga yesterday. I'm now mostly made of ice packs.",
        "my cooking's so bad the smoke alarm cheers me on",
        "I went to the gym for the first time in a year and used the vending machine.",
        "waved back at someone who wasn't waving at me, story of my life",
        "I'm so old my birthday candles cost more than the cake",
        "my husband says i snore like a tractor, i prefer to think of it as singing",
        "I've got two left feet and both of them are in my mouth.",
        "i talk to my tomatoes more than to my husband and they listen better",
        "my diet lasted from breakfast to elevenses",
        "I parked so badly someone left me a drawing of how it's done",
        "called my teacher mum today in front of the whole class lol",
        "I put salt in my tea and drank it out of pride",
        "i put my phone in the fridge again",
    ],
)
def test_a_jest_at_ones_own_cost_is_heard(text):
    assert is_jest(text)
    assert meet_jest(text, ()) in jests._SAYINGS


@pytest.mark.parametrize(
    "text",
    [
        "I'm so tired my back hurts.",
        "I'm so lonely the walls are talking.",
        "I hate myself, story of my life.",
        "my wife died and I talk to the plants, they listen better",
        "I fell down the stairs and I'm in hospital lol",
        "I forgot my tablets again",
        "I'm an expert in tax law.",
        "Can you call me later?",
        "I went to the gym and then home.",
        "Everyone laughed at me, haha.",
        "he left me lol",
        "My car broke down.",
        "I've started a diet.",
        "I'm so drunk the bed is spinning haha",
    ],
)
def test_what_is_said_in_earnest_is_not(text):
    assert not is_jest(text)
    assert meet_jest(text, ()) == ""


def test_nothing_unsafe_is_said():
    assert not any(map(find_unsafe, jests._SAYINGS))


async def test_it_is_met_with_a_smile(call):
    assert (await call("my diet lasted from breakfast to elevenses"))[0] in jests._SAYINGS
