"""Ordinals, ranges, numbers of things, arithmetic and plain numbers → their words."""

import re
from typing import Final

from rt_avatar.engines.text.arithmetic import say_power
from rt_avatar.engines.text.numbers import (
    NUMBER,
    SIGNED,
    Words,
    say_cardinal,
    say_digits,
    say_number,
    say_ordinal,
)
from rt_avatar.engines.text.rules import Rule
from rt_avatar.engines.text.units import PER, PER_WRITTEN, SCALES

_ARITHMETIC: Final = {
    "+": "plus", "=": "equals", "×": "times", "*": "times", "÷": "over", "<": "less than",
    ">": "more than", "-": "minus", "−": "minus", "^": "to the power of", "±": "plus or minus",
    "≥": "at least", "≤": "at most", "≠": "is not", "√": "the square root of", "π": "pi",
    "²": "squared", "³": "cubed",
}  # fmt: skip


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
    return say_power(found["number"])


def _say_ordinal(found: re.Match[str]) -> Words:
    return say_ordinal(found["number"].replace(",", ""))


def _say_range(found: re.Match[str]) -> Words:
    """Return a range, or two shares, "50-50", "80-20", which are said without "to"."""
    first, last = found["first"], found["number"]
    is_whole = first.isdecimal() and last.isdecimal()
    is_shared = is_whole and int(first) + int(last) == 100 and int(first) >= int(last)
    return (*say_number(first), *(() if is_shared else ("to",)), *say_number(last))


def _say_counted(found: re.Match[str]) -> Words:
    return ("number", *say_cardinal(found["number"]))


def _say_by_pairs(found: re.Match[str]) -> Words:
    return _in_pairs(found["digits"])


def _say_resolution(found: re.Match[str]) -> Words:
    """Return the size of a picture: "1920x1080" is nineteen twenty by ten eighty."""
    return (*_in_pairs(found["first"]), "by", *_in_pairs(found["number"]))


def _in_pairs(digits: str) -> Words:
    """Return the number of a room or a flight: seven forty seven, one oh one."""
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


RULES: Final = tuple(
    Rule(re.compile(pattern), say)
    for pattern, say in (
        (r"\b(?P<number>\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?:st|nd|rd|th)\b", _say_ordinal),
        (
            r"\b(?i:room|flight|route|highway|interstate|apartment|suite|bus|area code) "
            r"(?P<digits>\d{3,4})\b(?![.,]\d)",
            _say_by_pairs,
        ),
        (r"(?:#|\b[Nn]o\.\s?|№\s?)(?P<number>\d{1,9})\b", _say_counted),
        (r"(?<![\w.])(?P<v>[vV])?(?P<number>\d{1,9}(?:\.\d{1,9}){2,9})(?!\w)", _say_version),
        (r"\b(?P<v>v|V(?=\d{1,9}\.\d))(?P<number>\d{1,9}(?:\.\d{1,9})?)(?!\w)", _say_version),
        (r"(?<![\w.,-])(?P<digits>\d{3,4})(?=p\b)", _say_by_pairs),
        (r"(?<![\w.,])(?P<first>\d{3,4})[x×](?P<number>\d{3,4})(?!\w)", _say_resolution),
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
        (r"(?<=[\d)\0])(?P<minus>(?!))? (?P<sign>[×÷*−]) (?=[-−]?[\d(\0])", _say_sign),
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
            rf"(?P<number>{SIGNED})(?![A-Za-z\d])",
            _say_plain,
        ),
        (r"\b(?i:ext)\.?(?= \0)", lambda _: ("extension",)),
        (
            rf"(?:(?<=\0)(?: [a-z]{{2,12}})?|\b(?i:once|twice)) ?"
            rf"(?P<per>/ ?(?P<unit>{PER_WRITTEN}))\b(?! ?/)",
            _say_per,
        ),
    )
)
