"""The news of a death is met as one; what only sounds like it, or is long ago, is not."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.deaths import SAYINGS, find_death, meet_death
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("one of my regulars died", "known"),
        ("Mr Okafor passed in the night. Room twelve.", "known"),
        ("my old teacher died, mrs finch. saw it in the notices", "known"),
        ("a lad from my course took his life at easter", "known"),
        ("we had to have the dog put down last week", "pet"),
        ("My horse had to be put to sleep, it was colic.", "pet"),
        ("well the cat got run over on tuesday, right outside the house", "pet"),
        ("Dad didn't make it.", "other"),
        ("he never came home from the hospital in the end", "other"),
        ("anyway it was the funeral on friday so i've been up north", "other"),
        ("It's a year tomorrow since Paul.", "other"),
        ("she's in heaven now, as my little one says", "other"),
        ("We lost the baby at eleven weeks.", "other"),
        ("gran passed peacefully on sunday", "other"),
        ("our conductor died on Saturday, just like that", "known"),
        ("One of my little ones drowned on holiday.", "other"),
        ("they couldn't find a heartbeat", "other"),
        ("We lost the old mare.", "pet"),
    ],
)
def test_the_news_of_a_death_is_heard_without_a_word_of_what_is_felt(text, whose):
    assert find_death(text) == whose


@pytest.mark.parametrize(
    "text",
    [
        "my phone died on the bus",
        "the tomato plants died, all of them",
        "Dad didn't make it to the match, his train was late",
        "he never came home from the pub till two",
        "I had to put him down on the sofa, my back hurt",
        "put the baby down at eight and slept like a log",
        "he passed, first time!",
        "the cat got run over but he's fine, he's at the vet",
        "he nearly got run over, silly thing",
        "my hairdresser died my hair red",
        "It's a year tomorrow since we moved in.",
        "the party was dead by ten",
        "its pizza not a bereavement lol",
        "Last week I was planning my own funeral, and now I'm planning a holiday.",
        "They told us to plan the funeral, and he woke up.",
        "When my dad died he drove through the night.",
        "Well, my wife Jean passed away six years ago in March.",
        "My mother would have loved this.",
        "My sofa is in heaven's own colour.",
        "she's in heaven with that new oven",
        "I miss that racket, shoot.",
        "our computer died on Saturday, just like that",
        "the man said the boiler died",
        "my character died in the game",
        "i lost my mum in tesco",
    ],
)
def test_what_only_sounds_like_a_death_or_is_long_ago_is_no_news(text):
    assert find_death(text) is None


@pytest.mark.parametrize(
    "text",
    ["one of my regulars died", "we had to have the dog put down last week", "Dad didn't make it."],
)
async def test_a_death_told_in_the_middle_of_a_call_is_condoled_with(nano, text):
    _, said = await reply_of(nano, asked(text, "long day today", "I see. Go on."))
    assert "sorry" in said.lower()
    assert "go on" not in said.lower()


def test_a_death_is_news_but_once():
    assert not meet_death("the funeral is on friday", ["one of my regulars died"], [])


async def test_no_maxim_of_grief_is_said_where_nobody_died(nano):
    before = ("my numbers are never ready", "I'm with you. Go on.")
    for text in (
        "My numbers are pallets. Nobody died of a late pallet.",
        "my hairdresser died my hair red",
    ):
        _, said = await reply_of(nano, asked(text, "Sunday again.", "I see.", *before))
        assert not any(word in said for word in ("over it by", "bond", "absence", "loss", "Grief"))


def test_nothing_that_is_said_is_unsafe():
    assert not [one for ways in SAYINGS.values() for one in ways if find_unsafe(one)]


async def test_what_is_still_there_asks_for_no_presence(nano):
    _, said = await reply_of(nano, asked("his chair's still there", "we moved him out", "I see."))
    assert "I'm here" not in said


async def test_who_was_found_dead_is_no_relief_and_who_was_nearly_run_over_no_blow(nano):
    _, said = await reply_of(nano, asked("fluffy is dead. my daughter found him", "news", "Oh?"))
    assert "glad" not in said
    _, said = await reply_of(nano, asked("he nearly got run over, silly thing", "the cat", "Ha!"))
    assert "sorry" not in said
