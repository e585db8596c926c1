"""Of two things told in one turn the graver one is met, or both."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses import heavier
from rt_avatar.reasoner.responses.heavier import is_heavy, leading, meet_heavy, meet_two
from tests.fakes.requests import asked

pytestmark = pytest.mark.unit


def lead_of(text: str) -> str:
    """Return what is left of a turn."""
    return leading(asked(text)).transcript.text


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("my dad's in hospital and the car's broken down", "my dad's in hospital"),
        (
            "the car's broken down and on top of that my dad's gone into hospital",
            "my dad's gone into hospital",
        ),
        (
            "I've got a cold and my sister's just told me she's getting divorced",
            "my sister's just told me she's getting divorced",
        ),
        (
            "The washing machine flooded the kitchen and my mum's been diagnosed with Parkinson's",
            "my mum's been diagnosed with Parkinson's",
        ),
        ("The dog's been sick on the carpet and my wife's moved out.", "my wife's moved out."),
        ("I had my hair cut and my husband didn't notice", "my husband didn't notice"),
        ("The kids have nits and I've been made redundant", "I've been made redundant"),
        ("I finally fixed the bike and my son's been arrested", "my son's been arrested"),
        (
            "the train was late again and when I got in they told me my contract's not being "
            "renewed",
            "they told me my contract's not being renewed",
        ),
        (
            "it's my birthday today and my granddaughter has just been born",
            "my granddaughter has just been born",
        ),
        (
            "my flight was cancelled and I missed my brother's funeral",
            "I missed my brother's funeral",
        ),
        ("My landlord's putting the rent up and my boyfriend's being weird with me",
         "my boyfriend's being weird with me"),
        ("my son's got his exams and I've lost my purse and I feel so lonely", "I feel so lonely"),
    ],
)  # fmt: skip
def test_what_weighs_more_is_what_was_said(text, lead):
    assert lead_of(text) == lead


@pytest.mark.parametrize(
    "text",
    [
        "My brother is in the hospital and is very sick. I am very scared.",
        "My dad's in hospital and he's asking for me.",
        "She passed away last year and I do not know how to cope with it.",
        "I found out my girlfriend was cheating on me. I can't bear to look at her.",
        "We went to the zoo and my son loved it.",
        "I'm so mad! I can't find my hair brush!",
        "I did the shopping and the ironing.",
        "My sister got married and we danced all night.",
        "my mum and I went to the market",
        "Is my dad in hospital and the car broken down?",
        "I lost my job and I feel useless",
        "my cat got out, and I just found out he was run over",
        "I want to end my life and the car's broken down",
    ],
)
def test_what_belongs_together_is_left_whole(text):
    assert lead_of(text) == text


@pytest.mark.parametrize(
    ("text", "sayings"),
    [
        ("I got the job but my mum's not well enough to be told", heavier._MIXED),
        (
            "We won the league on Saturday and then my best mate told me he's emigrating",
            heavier._MIXED,
        ),
        ("my wife's moved out and I've been made redundant", heavier._BOTH),
        ("I passed my test and my nan died the same day", ("",)),
        ("The dog's been sick and the car's broken down", ("",)),
        ("I've been made redundant and I'm scared", ("",)),
    ],
)
def test_two_of_the_same_weight_are_both_met(text, sayings):
    assert meet_two(text, ()) in sayings


@pytest.mark.parametrize(
    "text",
    [
        "my husband's drinking again",
        "My daughter's stopped speaking to me.",
        "they told me my contract's not being renewed",
        "my sister's getting divorced",
        "I found out my ex is getting married",
        "My ex is having another baby",
        "my ex and his wife are expecting",
        "My son's been arrested.",
    ],
)
def test_what_changes_a_life_is_heavy(text):
    assert is_heavy(text)
    assert meet_heavy(text, ())


@pytest.mark.parametrize(
    "text",
    [
        "I work in a hospital for animals and it might be sold",
        "If my husband starts drinking again I'll go.",
        "The operation went well.",
        "I nearly lost my job.",
        "a friend of mine is getting divorced in a film",
        "I travel back in time to those simple days",
        "he has not stopped talking about it all summer",
        "I'm so sad my sister's getting divorced",
        "My ex collected the kids at six.",
        "I saw my ex at the bakery today.",
        "My ex is having a party",
    ],
)
def test_what_is_over_supposed_or_felt_is_not(text):
    assert not is_heavy(text)


def test_who_it_befell_is_asked_after():
    assert "him" in meet_heavy(
        "My son's been arrested.", ("I'm sorry. How are the two of you?",)
    ) or ("two of you" in meet_heavy("My son's been arrested.", ()))


def test_nothing_unsafe_is_said():
    said = heavier._BOTH + heavier._MIXED + heavier._OF_ONE + heavier._OF_THEIRS
    assert not any(map(find_unsafe, said))


async def test_the_car_is_not_the_point(call):
    said = await call("The dog's been sick on the carpet and my wife's moved out.")
    assert "poor thing" not in said[0]


def test_what_sounds_like_danger_only_by_itself_is_left_whole():
    text = "The snow's finally melted and my uncle told me he's dying"
    assert lead_of(text) == text
