"""Fractions, shares and marks given → their words."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import (
    Words,
    make_ordinal,
    make_plural,
    say_cardinal,
    say_number,
)
from rt_avatar.engines.text.rules import Rule

FRACTIONS: Final = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
    "⅞": (7, 8),
}  # fmt: skip
GLYPHS: Final = "".join(FRACTIONS)
# Slashes that are no fractions.
_SPOKEN_SLASH: Final = {
    (24, 7): ("twenty", "four", "seven"), (9, 11): ("nine", "eleven"),
    (20, 20): ("twenty", "twenty"),
}  # fmt: skip


def say_fraction(whole: str | None, top: int, bottom: int) -> Words:
    """Return the words of a number with a fraction behind it, or of a fraction alone."""
    start = (*say_cardinal(whole), "and") if whole else ()
    if bottom == 1 or (not whole and top >= bottom and bottom != 2) or bottom > 100:
        return (*start, *say_cardinal(str(top)), "over", *say_cardinal(str(bottom)))
    if bottom == 2:
        named: Words = ("half",) if top == 1 else ("halves",)
    elif bottom == 4:
        named = ("quarter",) if top == 1 else ("quarters",)
    else:
        named = make_ordinal(say_cardinal(str(bottom)))
        named = named if top == 1 else make_plural(named)
    if top == 1:
        return (*start, "a" if whole or bottom in (2, 3, 4) else "one", *named)
    return (*start, *say_cardinal(str(top)), *named)


def _say_slash(found: re.Match[str]) -> Words | None:
    top, bottom = int(found["top"]), int(found["bottom"])
    if not found["whole"]:
        if (top, bottom) in _SPOKEN_SLASH:
            return _SPOKEN_SLASH[top, bottom]
        if top + bottom == 100 and 0 < bottom <= top:  # shares: "50/50"
            return (*say_cardinal(str(top)), *say_cardinal(str(bottom)))
    if bottom == 0 or len(found["bottom"]) > 3 or len(found["top"]) > 3:
        return (*say_cardinal(found["top"]), "over", *say_cardinal(found["bottom"]))
    return say_fraction(found["whole"], top, bottom)


def _say_mark_given(found: re.Match[str]) -> Words:
    return (*say_number(found["top"]), "out", "of", *say_cardinal(found["bottom"]))


def _say_glyph(found: re.Match[str]) -> Words:
    return say_fraction(found["whole"], *FRACTIONS[found["glyph"]])


_OF_A_THING: Final = r" (?:of|cup|inch|mile|second|point|teaspoon|gallon|pound)\b"
_ALONE: Final = r"(?<![\w/.])(?<!/ )"  # not the third of "1/2/3"
RULES: Final = tuple(
    Rule(re.compile(pattern), say)
    for pattern, say in (
        (rf"\b(?P<whole>\d{{1,9}})\s?(?P<glyph>[{GLYPHS}])", _say_glyph),
        (rf"(?P<whole>(?!))?(?P<glyph>[{GLYPHS}])", _say_glyph),
        (
            rf"{_ALONE}(?P<top>\d{{1,3}}(?:\.\d{{1,2}})?) ?/ ?(?P<bottom>100?|5(?= stars?\b))"
            rf"(?![\w/]| / ?\d|\.\d|{_OF_A_THING})",
            _say_mark_given,
        ),
        (
            rf"{_ALONE}(?:(?P<whole>\d{{1,3}})[ -])?(?P<top>\d{{1,9}})(?:[/⁄]| / )"
            r"(?P<bottom>\d{1,9})(?:rds?|ths?)?(?![\w/]| / ?\d|\.\d)",
            _say_slash,
        ),
    )
)
