"""Where a clause of more phonemes than a style table has rows for is cut."""

import pytest

from rt_avatar.engines.kokoro_tts.segments import MAX_SYMBOLS, split_segments
from rt_avatar.engines.styletts2.pronunciation import Pronounced, join_symbols, pronounce

pytestmark = pytest.mark.unit


def said(*texts: str) -> list[Pronounced]:
    return [Pronounced("" if text in ",.;" else text, text, text in ",.;") for text in texts]


def written(segments) -> list[str]:
    return [join_symbols(segment, "misaki")[0] for segment in segments]


def test_a_clause_that_fits_stays_whole():
    assert written(split_segments(said("aa", ".", "bb"), most=6)) == ["aa. bb"]


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        (("aa", ".", "bb", ",", "cc", "dd"), ["aa.", "bb, cc dd"]),  # the end of a sentence first
        (("aa", ";", "bb", ",", "cc", "dd"), ["aa;", "bb, cc dd"]),
        (("aa", ",", "bb", ",", "cc", "dd"), ["aa, bb,", "cc dd"]),  # the last of its kind
        (("aa", "bb", "cc", "dd", "ee"), ["aa bb cc", "dd ee"]),  # between words
    ],
)
def test_it_is_cut_at_the_strongest_mark_that_fits(parts, wanted):
    assert written(split_segments(said(*parts), most=10)) == wanted


def test_a_word_that_is_too_long_is_cut_short_and_the_rest_is_said():
    assert written(split_segments(said("a" * 30, "bb"), most=10)) == ["a" * 10, "bb"]


def test_no_passage_has_more_symbols_than_there_are_styles_and_no_word_is_lost():
    parts = pronounce("Many a word, said after another; and so on. " * 40, "misaki")
    segments = split_segments(parts)
    assert len(segments) > 2
    assert max(map(len, written(segments))) <= MAX_SYMBOLS == 510
    assert [part for segment in segments for part in segment] == list(parts)
