"""Who died and is spoken of by the way, and what only looks like it."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.remembered import (
    _FORMS,
    _SAYINGS,
    find_remembered,
    meet_remembered,
)
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("My late wife used to do the crossword in pen.", "she"),
        ("since mum died I do the garden on Sundays", "she"),
        ("My dad would have loved this, he was mad about trains.", "he"),
        ("it was my grandads watch, god rest him, and it still keeps time", "he"),
        ("He'd have been eighty next week.", "he"),
        ("I've got my gran's recipe, she's not here any more but I hear her telling me off", "she"),
        ("My brother passed away in 2019 and he left me his records, I'm playing them now.", "he"),
        ("When my husband was alive we went to Wales every summer.", "he"),
        ("I lost my mum two years ago and I've only now opened her sewing box.", "she"),
        ("We used to go with my sister before she passed.", "she"),
        ("Been on my own since Frank went, so I've taken up bowls.", "Frank"),
        ("I'm a widow so Sundays are quiet, I do a bit of baking.", "he"),
        ("This was my late father's shed.", "he"),
        ("my Mum would have said to leave it in the sun", "she"),
        ("my father did tomatoes along that wall, so it feels like hes there with me", "he"),
    ],
)
def test_who_is_remembered_by_the_way_is_heard(text, who):
    assert find_remembered(text) == who


@pytest.mark.parametrize(
    "text",
    [
        "My late bus made me miss the film.",
        "since mum moved I do the garden on Sundays",
        "My dad would love this, he's mad about trains.",
        "my phone died so i do everything on paper",
        "He'd have been fired if I'd told them.",
        "My Harry always does the bins, bless him.",
        "I lost my mum in the supermarket for ten minutes, she was by the cheese.",
        "My brother passed his test in 2019.",
        "When my husband was away we went to Wales.",
        "My dad would have loved to come but he had to work.",
        "My mum died on Sunday.",  # told, not by the way
        "I miss my late wife so much.",
        "I lost my dad five years ago, I know how terrible that feels.",
        "since mum died I can't stop crying",
        "My late wife stood in front of me in the choir. If I leave, I lose where she stood.",
        "My husband died two weeks ago and the house is empty.",
    ],
)
def test_who_lives_and_a_death_that_is_told_are_not_by_the_way(text):
    assert find_remembered(text) is None


def test_the_sayings_are_safe_ask_nothing_and_do_not_repeat():
    own: list[str] = []
    for _ in _SAYINGS:
        own.append(meet_remembered("My late wife used to do the crossword in pen.", own))
    assert len(set(own)) == len(_SAYINGS)
    for who, forms in _FORMS.items():
        said = [one.format(who=who, **forms) for one in _SAYINGS]
        assert not [one for one in said if find_unsafe(one) or "?" in one]


def test_who_is_called_by_a_name_is_called_by_it():
    said = meet_remembered("I still make tea for two since Bill passed.", ())
    assert "Bill" in said
    assert not {"they", "they're", "them", "he", "him"} & set(said.lower().split())


async def test_the_talk_is_not_dragged_to_the_death(nano):
    text = "I have two hives at the bottom of the garden, where my late wife had her roses."
    said = (await reply_of(nano, asked(text)))[1]
    assert said in [one.format(who="she", **_FORMS["she"]) for one in _SAYINGS]
    then = (await reply_of(nano, asked("The bees came on Saturday in a box.", text, said)))[1]
    assert "sorry" not in then.lower()
    assert "all the time you need" not in then.lower()


async def test_a_death_that_is_told_is_condoled_with(nano):
    said = (await reply_of(nano, asked("My late wife's funeral was yesterday.")))[1]
    assert "sorry" in said.lower()
