"""The symbol table and its traps."""

import pytest

from engines.styletts2.symbols import (
    MAX_TOKENS,
    SYMBOL_ID,
    SYMBOLS,
    decode,
    encode,
    space_punctuation,
)

pytestmark = pytest.mark.unit


def test_the_table_has_178_places_and_the_published_ones():
    assert len(SYMBOLS) == 178
    published = {
        "$": 0, ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "¡": 7, "¿": 8, "—": 9, "…": 10,
        '"': 11, "«": 12, "»": 13, "“": 14, "”": 15, " ": 16, "A": 17, "Z": 42, "a": 43, "z": 68,
        "ɑ": 69, "\u03b2": 75, "ç": 78, "ʤ": 82, "ɚ": 85, "ɟ": 90, "\u0261": 92, "ɦ": 96,
        "ɲ": 114, "\u03b8": 119, "œ": 120, "ɹ": 123, "ʀ": 127, "ʁ": 128, "ʧ": 133, "ⱱ": 137,
        "\u03c7": 142, "ʒ": 147, "ʔ": 148, "ǃ": 155, "ˈ": 156, "ˌ": 157, "ː": 158, "ʼ": 160,
        "˞": 168, "↓": 169, "↘": 173, "\u0329": 175, "ᵻ": 177,
    }  # fmt: skip
    assert {symbol: SYMBOL_ID[symbol] for symbol in published} == published


def test_the_apostrophe_is_176_though_it_stands_at_174_too():
    assert SYMBOLS[174] == SYMBOLS[176] == "'"
    assert encode("'") == [0, 176]
    assert 174 not in SYMBOL_ID.values()


def test_the_released_programs_wrap_in_front_only_and_kokoro_at_both_ends():
    assert encode("hi") == [0, 50, 51]
    assert encode("hi", wrap="both") == [0, 50, 51, 0]


def test_unknown_symbols_are_dropped_and_nothing_is_put_between():
    assert encode("h`日i") == encode("hi")
    assert decode(encode("həlˈoʊ, wˈɜːld!")) == "həlˈoʊ, wˈɜːld!"


def test_punctuation_stands_apart():
    assert space_punctuation("həlˈoʊ, wˈɜːld! ɪt wʌz.") == "həlˈoʊ , wˈɜːld ! ɪt wʌz ."
    assert space_punctuation("wˈeɪt...  nˈoʊ") == "wˈeɪt ... nˈoʊ"
    assert space_punctuation("nˈoʊ—jˈɛs…") == "nˈoʊ—jˈɛs…"


@pytest.mark.parametrize(
    ("quotes", "tokens"),
    [("delete", "a hi b"), ("drop", "a hi '' b"), ("keep", 'a " hi " b')],
)
def test_a_straight_quotation_mark_is_treated_as_each_recipe_does(quotes, tokens):
    spaced = space_punctuation('a "hi" b', quotes)
    assert " ".join(decode(encode(spaced)).split()) == tokens


def test_two_closing_marks_become_two_apostrophes():
    assert encode(space_punctuation('i"'))[-2:] == [176, 176]


def test_too_much_and_nothing_are_told():
    assert len(encode("a" * (MAX_TOKENS - 1))) == MAX_TOKENS
    with pytest.raises(ValueError, match="at most 512 tokens, got 513"):
        encode("a" * MAX_TOKENS)
    with pytest.raises(ValueError, match="at least one known symbol"):
        encode("日本")
