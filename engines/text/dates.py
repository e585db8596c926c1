"""Dates, years and times of the day as they are written → their words."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import (
    Words,
    make_plural,
    say_cardinal,
    say_ordinal,
    say_year,
)
from rt_avatar.engines.text.rules import Rule, is_sentence_end

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_SHORT: Final = {month[:3]: month for month in MONTHS} | {"sept": "september"}
_MONTH: Final = (
    r"(?P<month>January|February|March|April|May|June|July|August|September|October|November"
    r"|December|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_DAY: Final = r"(?P<day>[12]?\d|3[01])"
_YEAR: Final = r"(?P<year>[12]\d{3})"
_HALF: Final = r"(?:\s?(?P<half>[AaPp])(?:\.\s?[Mm]\.|[Mm]\b))"
_CLOCK: Final = r"(?P<hour>[01]?\d|2[0-4])"


def _say_date(found: re.Match[str]) -> Words:
    name = found["month"].rstrip(".").lower()
    words = (_SHORT.get(name, name), *say_ordinal(found["day"]))
    return (*words, ",", *say_year(found["year"])) if found["year"] else words


def _say_month_year(found: re.Match[str]) -> Words:
    name = found["month"].rstrip(".").lower()
    return (_SHORT.get(name, name), *say_year(found["year"]))


def _say_numeric_date(found: re.Match[str]) -> Words | None:
    month, day = int(found["first"]), int(found["second"])
    if month > 12:  # day first, as most of the world writes
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    year = found["year"]
    if len(year) == 2:
        year = ("19" if int(year) > 50 else "20") + year
    return (MONTHS[month - 1], *say_ordinal(str(day)), ",", *say_year(year))


def _say_time(found: re.Match[str]) -> Words:
    hour, minute, half = int(found["hour"]), found["minute"], found["half"]
    tail: Words = ()
    if half:
        tail = (half.upper(), "M", *((".",) if is_sentence_end(found) else ()))
        if hour > 12:
            hour -= 12
    hours = say_cardinal(str(hour)) if hour else ("zero",) if not half else ("twelve",)
    if minute == "00":
        if tail:
            return (*hours, *tail)
        return (*hours, "o'clock") if 1 <= hour <= 12 else (*hours, "hundred")
    minutes = ("oh", *say_cardinal(minute[1])) if minute[0] == "0" else say_cardinal(minute)
    seconds = found["second"]
    if seconds:
        tail = ("and", *say_cardinal(seconds.lstrip("0") or "0"), "seconds", *tail)
    return (*hours, *minutes, *tail)


def _say_hour(found: re.Match[str]) -> Words:
    hour = int(found["hour"])
    words = (*say_cardinal(str(hour)), found["half"].upper(), "M")
    return (*words, ".") if is_sentence_end(found) else words


def _say_years(found: re.Match[str]) -> Words:
    return (*say_year(found["first"]), "to", *say_year(found["last"]))


def _say_decade(found: re.Match[str]) -> Words | None:
    digits = found["decade"]
    words = say_year(digits) if len(digits) == 4 else say_cardinal(digits)
    return make_plural(words)


def _say_lone_year(found: re.Match[str]) -> Words:
    return say_year(found["year"])


RULES: Final = (
    Rule(re.compile(r"\b(?P<year>[12]\d{3})-(?P<first>[01]\d)-(?P<second>[0-3]\d)\b"),
         _say_numeric_date),
    Rule(re.compile(r"\b(?P<first>[0-3]?\d)(?P<mark>[/.])(?P<second>[0-3]?\d)(?P=mark)"
                    r"(?P<year>[12]\d{3}|\d\d)\b(?![/.]\d)"),
         _say_numeric_date),
    Rule(re.compile(rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?\b(?!:)(?:,?\s+{_YEAR}\b)?", re.I),
         _say_date),
    Rule(re.compile(rf"\b{_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,?\s+{_YEAR}\b)?"), _say_date),
    Rule(re.compile(rf"\b{_MONTH},? {_YEAR}\b"), _say_month_year),
    Rule(re.compile(rf"\b{_CLOCK}[:](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?{_HALF}?(?![\d:])"),
         _say_time),
    Rule(re.compile(rf"\b(?P<hour>1[0-2]|0?[1-9]){_HALF}"), _say_hour),
    Rule(re.compile(r"(?<![\d.,$€£])\b(?P<first>1[1-9]\d\d|20\d\d)\s?[-–—]\s?"
                    r"(?P<last>1[1-9]\d\d|20\d\d)\b(?![-–.,]?\d)"),
         _say_years),
    Rule(re.compile(r"(?:\b|['’])(?P<decade>1[1-9]\d0|20\d0|[1-9]0)['’]?s\b"), _say_decade),
    Rule(re.compile(r"(?<![\d.,$€£#/:-])\b(?P<year>1[1-9]\d\d|20[1-9]\d)\b(?![-,.:/]?\d)(?!\s?%)"),
         _say_lone_year),
)  # fmt: skip
