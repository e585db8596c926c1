"""Words reach the voice with all their sounds, and captions with all that was written."""

import itertools

import numpy as np
import pytest

from rt_avatar.engines.styletts2.pronunciation import join_symbols, place_parts, pronounce
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
    said = [part.symbols for part in pronounce("water bottle", "misaki")]
    assert said == ["wˈɔTəɹ", "bˈɑTᵊl"]


def test_marks_stand_alone_for_styletts2_and_behind_their_word_for_kokoro():
    for notation, wanted in (("espeak", "ɡˈoʊ , nˈaʊ !"), ("misaki", "ɡˈO, nˈW!")):
        parts = pronounce("Go, now!", notation)
        symbols, starts = join_symbols(parts, notation)
        assert symbols == wanted
        assert [symbols[start : start + len(part.symbols)]
                for start, part in zip(starts, parts, strict=True)] == [
            part.symbols for part in parts]  # fmt: skip


def test_sounds_and_words_are_placed_by_the_frames_of_their_symbols():
    parts = pronounce("Go now, $5!", "misaki")
    symbols, starts = join_symbols(parts, "misaki")
    frames = np.arange(1, len(symbols) + 3)
    phonemes, words = place_parts(parts, starts, frames)
    assert [word.text for word in words] == ["Go", "now,", "$5!"]
    assert all(a.end <= b.start for a, b in itertools.pairwise(words))
    assert [p.ipa for p in phonemes[:4]] == ["ɡ", "oʊ", "n", "aʊ"]  # as lips know them
    assert phonemes[1].stress == 2
    assert phonemes[0].start == 600  # behind the pad symbol
    assert (phonemes[0].end, phonemes[1].end) == (600 * (1 + 2), 600 * (1 + 2 + 3 + 4))


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
