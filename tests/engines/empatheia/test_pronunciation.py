"""Words reach the voice with all their sounds, and captions with all that was written."""

import pytest

from rt_avatar.engines.empatheia.pronunciation import pronounce
from rt_avatar.engines.styletts2.symbols import SYMBOL_ID

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("word", "symbols"),
    [
        ("twelve", "twˈɛlv"),
        ("yourself", "jɔːɹsˈɛlf"),
        ("himself", "hɪmsˈɛlf"),
        ("yellow", "jˈɛloʊ"),
        ("water", "wˈɔːɾɚ"),
        ("judge", "dʒˈʌdʒ"),
    ],
)
def test_no_sound_of_a_word_is_lost(word, symbols):
    assert [part.symbols for part in pronounce(word)] == [symbols]


def test_kokoro_gets_the_symbols_it_was_trained_on():
    said = [part.symbols for part in pronounce("Go outside, judge!", "misaki")]
    assert said == ["ɡˈO", "ˈWtsˈId", ",", "ʤˈʌʤ", "!"]


@pytest.mark.parametrize(
    "text",
    [
        "A well-known — “thing”, 3.5 of them!",
        "— 2 or 3?",
        "(Yes)...",
        "I owe $5.20, Dr. Smith: 好 🙂",
    ],
)
def test_all_that_is_written_is_shown_with_some_word(text):
    assert " ".join(part.text for part in pronounce(text) if part.text) == text


def test_marks_stand_where_they_are_written_and_abbreviations_have_none():
    said = pronounce("I am sorry, Dr. Smith.")
    assert [part.symbols for part in said if part.is_mark] == [",", "."]
    assert [part.text for part in said if not part.is_mark] == [
        "I",
        "am",
        "sorry,",
        "Dr.",
        "Smith.",
    ]
    assert all(symbol in SYMBOL_ID for part in said for symbol in part.symbols)


def test_what_nobody_can_say_gives_nothing():
    assert pronounce("好 🙂") == ()
