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
from rt_avatar.engines.text.units import UNITS_WRITTEN

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
_LAST: Final = r"(?:\s?[-–]\s?(?P<last>[12]?\d|3[01])(?:st|nd|rd|th)?\b(?!:))?"
_YEAR: Final = r"(?P<year>[12]\d{3})"
_HALF: Final = r"(?:\s?(?P<half>[AaPp])(?:\.\s?[Mm]\.|[Mm]\b))"
_NAMES: Final = (
    r"(?:(?:Mon|Tue|Tues|Wed|Wednes|Thu|Thur|Thurs|Fri|Sat|Satur|Sun)(?:day)?|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_DAYS: Final = {
    name[:3]: name
    for name in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
}
_CLOCK: Final = r"(?P<hour>[01]?\d|2[0-4])"
# Of a number that counts: its unit or money.
_NO_UNIT: Final = (
    rf"(?!\s?(?:[%€£$¥₹°]|(?![LVW][. ]{{1,2}}[A-Z\d])"
    rf"(?:{UNITS_WRITTEN}|USD|EUR|GBP|dollars|euros|pounds)\b))"
)
# Short names: those that are nothing else, and those that may be a word or somebody's name.
_CLEAR: Final = "Tues?|Thu(?:rs?)?|Feb|Apr|Jul|Aug|Sept?|Oct|Nov"
_UNCLEAR: Final = "Mon|Wed|Fri|Sat|Sun|Jan|Mar|Jun|Dec"
SHORT_NAMES: Final = f"{_CLEAR}|{_UNCLEAR}"
_SHORT_DAY: Final = "Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun"
_SHORT_MONTH: Final = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_HERE: Final = "\1"  # stands for the name itself
_JOINED: Final = r"(?:, ?|/|,? (?:and|or|&) )"
_BESIDE_DAY: Final = re.compile(
    rf"\b(?:{_SHORT_DAY}){_JOINED}{_HERE}|{_HERE}{_JOINED}(?:{_SHORT_DAY})\b"
    rf"|{_HERE}(?: at \d\d?\b|,?(?: at)? (?:\0|\d\d?\s?[-–]\s?\d))"
)
_BESIDE_MONTH: Final = re.compile(
    rf"\b(?:{_SHORT_MONTH}){_JOINED}{_HERE}|{_HERE}{_JOINED}(?:{_SHORT_MONTH})\b"
)
_NAME_REACH: Final = 14  # characters
_DATED: Final = (
    r"(?:(?i:on|by|until|before|due|since|after|till|through|starting)"
    r"|(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?:day|nesday|urday)?[.,]?)"
)
_SLASHED: Final = r"(?P<digits>(?P<month>\d\d?)/(?P<day>\d\d?))(?![\w/%]|\.\d| of\b)"
_TO: Final = r"(?:to|until|till|through)"
# What a share or a mark given follows: "I got 9/14", "day 3/21", "the odds are 3/14".
_SHARED: Final = re.compile(
    r"\b(?:got|gets?|scored?|marks?|grade|day|page|part|step|week|level|chapter|episode|round"
    r"|question|about|only|answer|odds|chances?|ratio|probability|fraction|result)"
    r"(?: (?:is|was|are|were))? $",
    re.I,
)


def _say_date(found: re.Match[str]) -> Words:
    words: Words = (_full(found["month"]), *say_ordinal(found["day"]))
    if found["last"]:
        words = (*words, "to", *say_ordinal(found["last"]))
    return (*words, ",", *say_year(found["year"])) if found["year"] else words


def _say_day_of(found: re.Match[str]) -> Words:
    words: Words = (*say_ordinal(found["day"]), "of", _full(found["month"]))
    return (*words, ",", *say_year(found["year"])) if found["year"] else words


def _say_day_and_month(found: re.Match[str]) -> Words | None:
    """Return a date without a year, "on 12/25"; None where it may be a fraction."""
    month, day = int(found["month"]), int(found["day"])
    if month > 12:
        month, day = day, month
    is_fraction = month < day and day in (2, 3, 4, 8)
    if is_fraction or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return (MONTHS[month - 1], *say_ordinal(str(day)))


def _say_likely_day(found: re.Match[str]) -> Words | None:
    """Return a date that nothing before it tells; None where it is a share."""
    before = found.string[max(0, found.start("digits") - 24) : found.start("digits")]
    return None if _SHARED.search(before) else _say_day_and_month(found)


def _say_joined_name(found: re.Match[str]) -> Words | None:
    """Return the whole name of a day or month that stands beside another or a time."""
    before = found.string[max(0, found.start() - _NAME_REACH) : found.start()]
    behind = found.string[found.end() : found.end() + _NAME_REACH]
    beside = _BESIDE_DAY if found["day"].lower() in _DAYS else _BESIDE_MONTH
    return _say_day_name(found) if beside.search(before + _HERE + behind) else None


def _say_day_name(found: re.Match[str]) -> Words:
    return (_full(found["day"]),)


def _say_names(found: re.Match[str]) -> Words:
    return (_full(found["first"]), "to", _full(found["last"]))


def _full(name: str) -> str:
    short = name.rstrip(".").lower()
    return _DAYS.get(short[:3]) or _SHORT.get(short, short)


def _say_month_year(found: re.Match[str]) -> Words:
    return (_full(found["month"]), *say_year(found["year"]))


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


def _say_season(found: re.Match[str]) -> Words | None:
    """Return two years, the second by its last digits: "1939-45"; or month and year: "2024-05"."""
    first, last = found["first"], found["last"]
    if int(last) <= int(first) % 100:
        is_month = 1 <= int(last) <= 12 and found["mark"] == "-"
        return (MONTHS[int(last) - 1], *say_year(first)) if is_month else None
    tail = ("oh", *say_cardinal(last[1])) if last[0] == "0" else say_cardinal(last)
    return (*say_year(first), *(() if found["mark"] == "/" else ("to",)), *tail)


def _say_to(_: re.Match[str]) -> Words:
    return ("to",)


def _say_decade(found: re.Match[str]) -> Words | None:
    digits = found["decade"]
    if digits in ("100", "1000"):
        return ("hundreds",) if digits == "100" else ("thousands",)
    words = say_year(digits) if len(digits) == 4 else say_cardinal(digits)
    return make_plural(words)


def _say_lone_year(found: re.Match[str]) -> Words:
    return say_year(found["year"])


RULES: Final = (
    Rule(re.compile(r"(?<![-–])\b(?P<day>Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?"
                    r"(?=,? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))"),
         _say_day_name),
    Rule(re.compile(r"\b(?P<year>[12]\d{3})-(?P<first>[01]\d)-(?P<second>[0-3]\d)\b"),
         _say_numeric_date),
    Rule(re.compile(r"\b(?P<first>[0-3]?\d)(?P<mark>[/.])(?P<second>[0-3]?\d)(?P=mark)"
                    r"(?P<year>[12]\d{3}|\d\d)\b(?![/.]\d)"),
         _say_numeric_date),
    Rule(re.compile(r"(?<![\w-])(?P<first>[0-3]?\d)-(?P<second>[0-3]?\d)-(?P<year>[12]\d{3})\b"
                    r"(?![-/.]\d)"),
         _say_numeric_date),
    Rule(re.compile(rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?\b(?!:){_LAST}"
                    rf"(?:,?\s+{_YEAR}\b)?", re.I),
         _say_date),
    Rule(re.compile(rf"\b{_DAY}(?:st|nd|rd|th)? of {_MONTH}(?:,?\s+{_YEAR}\b)?"), _say_day_of),
    Rule(re.compile(rf"\b{_DAY}(?P<last>(?!))?(?:st|nd|rd|th)? {_MONTH}(?:,?\s+{_YEAR}\b)?"),
         _say_date),
    Rule(re.compile(rf"\b(?P<first>{_NAMES})\.?\s?[-–]\s?(?P<last>{_NAMES})\b"), _say_names),
    Rule(re.compile(rf"\b{_DATED} {_SLASHED}"), _say_day_and_month),
    Rule(re.compile(rf"\b[Ff]rom {_SLASHED}(?= {_TO} \d\d?/(?!(?P=day)\b)\d)"), _say_day_and_month),
    Rule(re.compile(rf"(?<=\0) {_TO} {_SLASHED}"), _say_day_and_month),
    Rule(re.compile(rf"\b(?:is|was|are|were) (?=(?:[2-9]|1[0-2])/(?:15|20|25|30)\b){_SLASHED}"),
         _say_likely_day),
    # As no fraction is: 16, 20 and 25 are the bottoms of some, 15 and 30 of marks given.
    Rule(re.compile(r"(?<![\w/.$€£-])(?<!\d )(?=(?:0?[2-9]|1[0-2])/(?:1[3479]|18|2[1-46-9]|31)\b"
                    rf"|12/25\b){_SLASHED}(?! (?:correct|right|points|marks|inch|cup)\b)"),
         _say_likely_day),
    Rule(re.compile(rf"\b{_MONTH},? {_YEAR}\b"), _say_month_year),
    Rule(re.compile(rf"\b{_CLOCK}[:](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?{_HALF}?(?![\d:])"),
         _say_time),
    Rule(re.compile(rf"(?<![\d.,])\b{_CLOCK}\.(?P<minute>[0-5]\d)(?P<second>(?!))?{_HALF}"),
         _say_time),
    Rule(re.compile(rf"\b(?P<hour>1[0-2]|0?[1-9]){_HALF}"), _say_hour),
    Rule(re.compile(r"(?<![\d.,$€£])\b(?P<first>1[1-9]\d\d|20\d\d)\s?[-–—]\s?"
                    rf"(?P<last>1[1-9]\d\d|20\d\d)\b(?![-–.,]?\d){_NO_UNIT}"),
         _say_years),
    Rule(re.compile(r"(?<![\d.,$€£/-])\b(?P<first>1[1-9]\d\d|20\d\d)(?P<mark>[-–/])(?P<last>\d\d)\b"
                    rf"(?![-–/.,:]?\d){_NO_UNIT}"),
         _say_season),
    Rule(re.compile(r"(?<!\dm )(?<!\dm)(?:\b|['’])"
                    r"(?P<decade>1[1-9]\d0|20\d0|[1-9]0|1000?)['’]?s\b"),
         _say_decade),
    Rule(re.compile(r"(?<![\d.,$€£#/:-])\b(?P<year>1[1-9]\d\d|20[1-9]\d)\b(?![-–,.:/]?\d)"
                    rf"{_NO_UNIT}"),
         _say_lone_year),
    Rule(re.compile(r"\b(?i:in|of|year|since|by) (?P<digits>(?P<year>10[1-9]\d))\b(?![-,.:/]?\d)"
                    rf"{_NO_UNIT}"),
         _say_lone_year),
    Rule(re.compile(rf"(?<!\b[Tt]he )\b(?P<day>{_UNCLEAR})\b(?!\.)"), _say_joined_name),
    Rule(re.compile(rf"\b(?P<day>{_CLEAR})\b(?!\.)"), _say_day_name),
    # Between dates and times alone: only they are taken by now.
    Rule(re.compile(r"(?<=\0)\s[-–]\s(?=\0)|(?<=\0)[-–—](?=\0)"), _say_to),
)  # fmt: skip
