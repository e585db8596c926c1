"""Measures, percentages, fractions, ordinals, ranges and plain numbers → their words."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import (
    NUMBER,
    Words,
    make_ordinal,
    make_plural,
    say_cardinal,
    say_digits,
    say_number,
    say_ordinal,
)
from rt_avatar.engines.text.rules import Rule
from rt_avatar.engines.text.units import PER, SCALES, UNITS

_SIGNED: Final = rf"(?:(?<![\w.,)\0])[-−])?{NUMBER}"
_UNIT: Final = "|".join(
    sorted((re.escape(unit) for unit in UNITS), key=lambda unit: (-len(unit), unit))
)
_FRACTIONS: Final = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
    "⅞": (7, 8),
}  # fmt: skip
_GLYPHS: Final = "".join(_FRACTIONS)
_ARITHMETIC: Final = {
    "+": "plus", "=": "equals", "×": "times", "*": "times", "÷": "over", "<": "less than",
    ">": "more than", "-": "minus", "−": "minus", "^": "to the power of", "±": "plus or minus",
    "≥": "at least", "≤": "at most", "≠": "is not", "√": "the square root of", "π": "pi",
    "²": "squared", "³": "cubed",
}  # fmt: skip
_QUOTED: Final = 300  # characters, of a quotation at most
_QUOTE: Final = re.compile(r'(?<!\d)"')
_POWERS: Final = {"2": ("squared",), "3": ("cubed",)}
# Slashes that are no fractions.
_SPOKEN_SLASH: Final = {
    (24, 7): ("twenty", "four", "seven"), (9, 11): ("nine", "eleven"),
    (20, 20): ("twenty", "twenty"),
}  # fmt: skip


def _say_measure(found: re.Match[str]) -> Words:
    one, many = UNITS[found["unit"]]
    first, own, number, glyph = found["first"], found["own"], found["number"], found["glyph"]
    words: Words = ()
    if first:
        # "5kg-10kg" is said once, "30 min - 2 hrs" is not.
        unit = UNITS[own][1].split() if own and own != found["unit"] else ()
        words = (*say_number(first), *unit, "to")
    if glyph:
        return (*words, *_fraction(number, *_FRACTIONS[glyph]), *many.split())
    return (*words, *say_number(number), *(one if number == "1" else many).split())


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


def _say_per(found: re.Match[str]) -> Words:
    return ("per", *PER[found["unit"]].split())


def _say_to(found: re.Match[str]) -> Words:
    first = found["first"]
    return (*say_number(first), "to") if first else ("to",)


def _say_ratio(found: re.Match[str]) -> Words:
    words, last = say_cardinal(found["first"]), say_cardinal(found["number"])
    is_verse = re.search(r"[A-Z][a-z]+ $", found.string[max(0, found.start() - 20) : found.start()])
    return (*words, *last) if is_verse else (*words, "to", *last)


def _say_power(found: re.Match[str]) -> Words:
    number = found["number"]
    return _POWERS.get(number, ("to", "the", "power", "of", *say_cardinal(number)))


def _say_feet(found: re.Match[str]) -> Words:
    inches = found["inches"]
    words = (*say_cardinal(found["feet"]), "foot")
    return (*words, *say_cardinal(inches)) if inches else words


def _say_percent(found: re.Match[str]) -> Words:
    first = found["first"]
    words = (*say_number(first), "to") if first else ()
    return (*words, *say_number(found["number"]), "percent")


def _say_fraction(found: re.Match[str]) -> Words | None:
    top, bottom = int(found["top"]), int(found["bottom"])
    if not found["whole"]:
        if (top, bottom) in _SPOKEN_SLASH:
            return _SPOKEN_SLASH[top, bottom]
        if top + bottom == 100 and 0 < bottom <= top:  # shares: "50/50"
            return (*say_cardinal(str(top)), *say_cardinal(str(bottom)))
    if bottom == 0 or len(found["bottom"]) > 3 or len(found["top"]) > 3:
        return (*say_cardinal(found["top"]), "over", *say_cardinal(found["bottom"]))
    return _fraction(found["whole"], top, bottom)


def _say_mark_given(found: re.Match[str]) -> Words:
    return (*say_number(found["top"]), "out", "of", *say_cardinal(found["bottom"]))


def _say_inches(found: re.Match[str]) -> Words | None:
    """Return the size of a thing, 'a 65" screen'; None where the mark closes a quotation."""
    before = found.string[max(0, found.start() - _QUOTED) : found.start()]
    return (*say_number(found["number"]), "inch") if len(_QUOTE.findall(before)) % 2 == 0 else None


def _say_glyph(found: re.Match[str]) -> Words:
    return _fraction(found["whole"], *_FRACTIONS[found["glyph"]])


def _fraction(whole: str | None, top: int, bottom: int) -> Words:
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


def _say_ordinal(found: re.Match[str]) -> Words:
    return say_ordinal(found["number"].replace(",", ""))


def _say_range(found: re.Match[str]) -> Words:
    return (*say_number(found["first"]), "to", *say_number(found["number"]))


def _say_counted(found: re.Match[str]) -> Words:
    return ("number", *say_cardinal(found["number"]))


def _say_code_number(found: re.Match[str]) -> Words:
    return say_digits(found["digits"])


def _say_by_pairs(found: re.Match[str]) -> Words:
    """Return the number of a room or a flight: seven forty seven, one oh one."""
    digits = found["digits"]
    words: Words = ()
    for pair in (digits[:-2], digits[-2:]):
        if pair == "00":
            said: Words = ("hundred",)
        elif len(pair) == 2 and pair.startswith("0"):
            said = ("oh", *say_cardinal(pair[1]))
        else:
            said = say_cardinal(pair)
        words = (*words, *said)
    return words


def _say_scaled(found: re.Match[str]) -> Words:
    return (*say_number(found["number"]), SCALES[found["letter"].lower()])


def _say_times(found: re.Match[str]) -> Words:
    return (*say_number(found["number"]), "times")


def _say_about(found: re.Match[str]) -> Words:
    return ("about", *say_number(found["number"]))


def _say_more(found: re.Match[str]) -> Words:
    return (*say_number(found["number"]), "plus")


def _say_version(found: re.Match[str]) -> Words:
    words: Words = ("version",) if found["v"] else ()
    for index, part in enumerate(found["number"].split(".")):
        words = (*words, *(("point",) if index else ()), *say_cardinal(part))
    return words


def _say_sign(found: re.Match[str]) -> Words:
    return tuple(_ARITHMETIC[found["sign"] or found["minus"]].split())


def _say_plain(found: re.Match[str]) -> Words:
    number = found["number"]
    if len(number.lstrip("-−")) > 6 and number.isdigit():
        return say_digits(number) if len(number) > 9 else say_number(number)
    return say_number(number)


_PER: Final = "|".join(map(re.escape, sorted(PER, key=len, reverse=True)))
_OF_A_THING: Final = r" (?:of|cup|inch|mile|second|point|teaspoon|gallon|pound)\b"
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
        (rf"\b(?P<number>{NUMBER})(?P<letter>m)(?= (?:{_COUNTED_IN_MILLIONS})\b)", _say_scaled),
        (r"(?<![\w.])(?P<number>[-−]\d{1,3}(?:\.\d)?)\s?(?P<unit>[CF])\b", _say_below_zero),
        (r"\b(?P<number>\d{1,2})\s?st(?P<pounds>(?= \d{1,2}\s?lbs?\b))?\b", _say_stone),
        (rf"{_FROM % '%'}(?P<number>{_SIGNED})\s?(?:%|percent\b)", _say_percent),
        (
            rf"(?<![\w.,])(?<![A-Za-z]-){_FROM % _UNIT}(?P<number>{_SIGNED})"
            rf"(?P<glyph>[{_GLYPHS}])?\s?-?"
            rf"(?P<unit>{_UNIT})(?:\.(?=\s[a-z]))?(?![\w²³]|/(?!(?:{_PER})\b))",
            _say_measure,
        ),
        (
            r"(?<![\w.,/\"“'’])(?P<number>\d{1,3}(?:\.\d{1,2})?)[\"″](?= [A-Za-z])",
            _say_inches,
        ),
        (rf"\b(?P<whole>\d{{1,9}})\s?(?P<glyph>[{_GLYPHS}])", _say_glyph),
        (rf"(?P<whole>(?!))?(?P<glyph>[{_GLYPHS}])", _say_glyph),
        (
            r"(?<![\w/.])(?P<top>\d{1,3}(?:\.\d{1,2})?)/(?P<bottom>100?|5(?= stars?\b))"
            rf"(?![\w/]|\.\d|{_OF_A_THING})",
            _say_mark_given,
        ),
        (
            r"(?<![\w/.])(?:(?P<whole>\d{1,3})[ -])?(?P<top>\d{1,9})[/⁄](?P<bottom>\d{1,9})"
            r"(?![\w/]|\.\d)",
            _say_fraction,
        ),
        (r"\b(?P<number>\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?:st|nd|rd|th)\b", _say_ordinal),
        (
            r"\b(?i:zip|code|pin|passcode|password|extension|ext\.?)(?i: code| number| is|:){0,2} "
            r"(?P<digits>\d{3,8})\b(?![.,]\d)",
            _say_code_number,
        ),
        (
            r"\b(?i:room|flight|route|highway|interstate|apartment|suite|bus|area code) "
            r"(?P<digits>\d{3,4})\b(?![.,]\d)",
            _say_by_pairs,
        ),
        (r"(?:#|\b[Nn]o\.\s?|№\s?)(?P<number>\d{1,9})\b", _say_counted),
        (r"(?<![\w.])(?P<v>[vV])?(?P<number>\d{1,9}(?:\.\d{1,9}){2,9})(?!\w)", _say_version),
        (r"\b(?P<v>[vV])(?P<number>\d{1,9}(?:\.\d{1,9})?)(?!\w)", _say_version),
        (
            rf"(?<![\w.,-])(?P<first>{NUMBER})\s?[-–]\s?(?P<number>{NUMBER})(?![\w-])",
            _say_range,
        ),
        (
            r"(?<![\w:.,\0])(?P<first>\d{1,3}):(?P<number>\d{1,3})(?![\w:])",
            _say_ratio,
        ),
        (r"(?<=[A-Za-z)])\^(?P<number>\d{1,3})(?!\w)", _say_power),
        (r"(?<=[A-Za-z\d)])(?P<minus>(?!))?(?P<sign>[²³])", _say_sign),
        (r"(?P<minus>(?!))?(?P<sign>[≥≤≠±√]|(?<![Ͱ-Ͽ])π(?![Ͱ-Ͽ]))", _say_sign),
        (
            r"(?<![-=<>])(?P<minus>(?!))?(?P<sign>[<>])\s?(?=[-−]?[\d.\0$€£])",
            _say_sign,
        ),
        (r"(?<=\d)\s?(?P<sign>[+=×÷<>*−^])\s?(?=[-−]?\d)|(?<=\d) (?P<minus>-) (?=\d)", _say_sign),
        (rf"\b(?P<number>{NUMBER})(?P<letter>k|M|bn)\b", _say_scaled),
        (rf"\b(?P<number>{NUMBER})\s?[x×](?!\w)", _say_times),
        (rf"(?<!\w)[~≈]\s?(?P<number>{NUMBER})\b", _say_about),
        (rf"\b(?P<number>{NUMBER})\+(?!\w)", _say_more),
        # Between what was taken: "9am-5pm", "20-30k", "$5-$10".
        (r"(?P<first>(?!))?(?<=\0)[-–](?=[\0\d])", _say_to),
        (rf"(?<![\w.,-])(?P<first>{NUMBER})\s?[-–]\s?(?=\0)", _say_to),
        (r"(?<![\w.,-])(?P<number>\d{1,6}\.\d{1,6})(?=[A-Za-z]{1,3}\b)", _say_plain),
        (
            rf"(?:(?<![A-Za-z\d])|(?=\d{{1,3}}\.\d)(?<!\d))"
            rf"(?P<number>{_SIGNED}|(?<![\w.])\.\d{{1,20}})(?![A-Za-z\d])",
            _say_plain,
        ),
        (r"\b(?i:ext)\.?(?= \0)", lambda _: ("extension",)),
        (rf"(?<=\0)(?: [a-z]{{2,12}})?(?P<per>/(?P<unit>{_PER}))\b(?!/)", _say_per),
    )
)
