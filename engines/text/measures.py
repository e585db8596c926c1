"""Measures, durations, sizes and percentages → their words."""

import re
from typing import Final

from rt_avatar.engines.text.fractions import FRACTIONS, GLYPHS, say_fraction
from rt_avatar.engines.text.numbers import NUMBER, SIGNED, Words, say_cardinal, say_number
from rt_avatar.engines.text.rules import Rule, is_before_noun
from rt_avatar.engines.text.units import PER_WRITTEN, SCALES, UNITS, UNITS_WRITTEN

_QUOTED: Final = 300  # characters, of a quotation at most
_QUOTE: Final = re.compile(r'(?<!\d)"')
_TURNED: Final = re.compile(r" (?:angle|turn|view)s?\b")  # of so many degrees


def _say_measure(found: re.Match[str]) -> Words:
    one, many = UNITS[found["unit"]]
    many = one if _is_of_a_thing(found) else many
    first, own, number, glyph = found["first"], found["own"], found["number"], found["glyph"]
    words: Words = ()
    if first:
        # "5kg-10kg" is said once, "30 min - 2 hrs" is not.
        unit = UNITS[own][1].split() if own and own != found["unit"] else ()
        words = (*say_number(first), *unit, "to")
    if glyph:
        return (*words, *say_fraction(number, *FRACTIONS[glyph]), *many.split())
    return (*words, *say_number(number), *(one if number == "1" else many).split())


def _is_of_a_thing(found: re.Match[str]) -> bool:
    """Whether a measure tells what kind a thing is: "a 10 km run", "the 5-lb bag"."""
    is_joined = found[0].endswith("-" + found["unit"])
    is_turn = found["unit"] == "°" and bool(_TURNED.match(found.string, found.end()))
    return is_joined or is_turn or is_before_noun(found)


def _say_pressure(found: re.Match[str]) -> Words:
    """Return the two pressures of blood, "120/80 mmHg"."""
    high, low = say_cardinal(found["high"]), say_cardinal(found["low"])
    return (*high, "over", *low, *UNITS["mmHg"][1].split())


def _say_duration(found: re.Match[str]) -> Words:
    """Return hours and minutes, or minutes and seconds: "1h30", "2h 5m", "3m 20s"."""
    large, small = ("hour", "minute") if found["hours"] else ("minute", "second")
    words: Words = ()
    for number, unit in (
        (found["hours"] or found["minutes"], large),
        (found["rest"] or found["tight"] or found["seconds"], small),
    ):
        said = say_cardinal(number.lstrip("0") or "0")
        words = (*words, *said, unit if said == ("one",) else unit + "s")
    return words


def _say_below_zero(found: re.Match[str]) -> Words:
    return (*say_number(found["number"]), *UNITS["°" + found["unit"]][1].split())


def _say_stone(found: re.Match[str]) -> Words | None:
    """Return a weight, "10st 4lb"; None for "21st"."""
    number = found["number"]
    is_ordinal = number.endswith("1") and number != "11" and found["pounds"] is None
    return None if is_ordinal else (*say_cardinal(number), "stone")


def _say_feet(found: re.Match[str]) -> Words:
    inches = found["inches"]
    words = (*say_cardinal(found["feet"]), "foot")
    return (*words, *say_cardinal(inches)) if inches else words


def _say_inches(found: re.Match[str]) -> Words | None:
    """Return the size of a thing, 'a 65" screen'; None where the mark closes a quotation."""
    before = found.string[max(0, found.start() - _QUOTED) : found.start()]
    return (*say_number(found["number"]), "inch") if len(_QUOTE.findall(before)) % 2 == 0 else None


def _say_percent(found: re.Match[str]) -> Words:
    first = found["first"]
    words = (*say_number(first), "to") if first else ()
    return (*words, *say_number(found["number"]), "percent")


def _say_millions(found: re.Match[str]) -> Words:
    return (*say_number(found["number"]), SCALES["m"])


_FROM: Final = rf"(?:(?<![\w.-])(?P<first>{NUMBER})(?:\s?(?P<own>%s))?\s?[-–]\s?)?"
_COUNTED_IN_MILLIONS: Final = (
    "people|users|jobs|homes|households|views|viewers|followers|subscribers|downloads|copies"
)
RULES: Final = tuple(
    Rule(re.compile(pattern), say)
    for pattern, say in (
        (
            r"(?<![\w.])(?P<feet>\d)(?:['’′]|\s?ft\.?\s(?=\d+\s?in))"
            r"(?:\s?(?P<inches>\d\d?)(?:\"|”|″|''|’’|\s?in\b\.?|\b))?(?!\w)",
            _say_feet,
        ),
        (
            r"(?<![\w.,:])(?:(?P<hours>\d{1,2})\s?h(?:rs?)?(?:\s?(?P<rest>\d{1,2})\s?m(?:ins?)?"
            r"|(?P<tight>[0-5]\d))|(?P<minutes>\d{1,2})\s?m(?:in)?\s?(?P<seconds>\d{1,2})\s?s(?:ec)?)"
            r"(?!\w)",
            _say_duration,
        ),
        (rf"\b(?P<number>{NUMBER})m(?= (?:{_COUNTED_IN_MILLIONS})\b)", _say_millions),
        (r"(?<![\w.])(?P<number>[-−]\d{1,3}(?:\.\d)?)\s?(?P<unit>[CF])\b", _say_below_zero),
        (r"\b(?P<number>\d{1,2})\s?st(?P<pounds>(?= \d{1,2}\s?lbs?\b))?\b", _say_stone),
        (r"(?<![\w./])(?P<high>\d{2,3})\s?/\s?(?P<low>\d{2,3})\s?mmHg\b", _say_pressure),
        (rf"{_FROM % '%'}(?P<number>{SIGNED})\s?(?:%|percent\b)", _say_percent),
        (
            rf"(?<![\w.,])(?<![A-Za-z]-){_FROM % UNITS_WRITTEN}(?P<number>{SIGNED})"
            rf"(?P<glyph>[{GLYPHS}])?\s?-?"
            rf"(?P<unit>{UNITS_WRITTEN})(?:\.(?=\s[a-z]))?(?![\w²³]|/(?!(?:{PER_WRITTEN})\b))",
            _say_measure,
        ),
        (
            r"(?<![\w.,/\"“'’])(?P<number>\d{1,3}(?:\.\d{1,2})?)[\"″](?= [A-Za-z])",
            _say_inches,
        ),
    )
)
