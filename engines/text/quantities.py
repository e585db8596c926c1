"""Money, measures, percentages, fractions, ordinals, ranges and plain numbers → their words."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import (
    Words,
    make_ordinal,
    make_plural,
    say_cardinal,
    say_digits,
    say_number,
    say_ordinal,
)
from rt_avatar.engines.text.rules import Rule

_NUMBER: Final = r"(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?:\.\d{1,20})?"
_SIGNED: Final = rf"(?:(?<![\w.,)])[-−])?{_NUMBER}"
_SCALE: Final = r"(?:\s?(?P<scale>thousand|million|billion|trillion|(?:[kKmMbB]|mn|bn)\b))?"
_SCALES: Final = {
    "k": "thousand", "m": "million", "b": "billion", "mn": "million", "bn": "billion",
}  # fmt: skip
# One of it, many of it, its hundredth and many of that.
_CURRENCIES: Final = {
    "$": ("dollar", "dollars", "cent", "cents"),
    "€": ("euro", "euros", "cent", "cents"),
    "£": ("pound", "pounds", "penny", "pence"),
    "¥": ("yen", "yen", "", ""),
    "₹": ("rupee", "rupees", "paisa", "paise"),
    "₩": ("won", "won", "", ""),
    "₿": ("bitcoin", "bitcoins", "", ""),
    "¢": ("cent", "cents", "", ""),
}
_CODES: Final = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}
_UNITS: Final[dict[str, tuple[str, str]]] = {
    "km": ("kilometer", "kilometers"), "cm": ("centimeter", "centimeters"),
    "mm": ("millimeter", "millimeters"), "nm": ("nanometer", "nanometers"),
    "kg": ("kilogram", "kilograms"), "mg": ("milligram", "milligrams"),
    "g": ("gram", "grams"), "lb": ("pound", "pounds"), "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"), "mi": ("mile", "miles"), "ft": ("foot", "feet"),
    "yd": ("yard", "yards"), "yds": ("yard", "yards"), "m": ("meter", "meters"),
    "ml": ("milliliter", "milliliters"), "mL": ("milliliter", "milliliters"),
    "l": ("liter", "liters"), "L": ("liter", "liters"), "tsp": ("teaspoon", "teaspoons"),
    "tbsp": ("tablespoon", "tablespoons"), "KB": ("kilobyte", "kilobytes"),
    "kB": ("kilobyte", "kilobytes"), "MB": ("megabyte", "megabytes"),
    "GB": ("gigabyte", "gigabytes"), "TB": ("terabyte", "terabytes"),
    "Hz": ("hertz", "hertz"), "kHz": ("kilohertz", "kilohertz"),
    "MHz": ("megahertz", "megahertz"), "GHz": ("gigahertz", "gigahertz"),
    "W": ("watt", "watts"), "kW": ("kilowatt", "kilowatts"),
    "kWh": ("kilowatt hour", "kilowatt hours"), "V": ("volt", "volts"),
    "dB": ("decibel", "decibels"), "px": ("pixel", "pixels"),
    "fps": ("frame per second", "frames per second"), "ms": ("millisecond", "milliseconds"),
    "sec": ("second", "seconds"), "secs": ("second", "seconds"), "s": ("second", "seconds"),
    "min": ("minute", "minutes"), "mins": ("minute", "minutes"), "h": ("hour", "hours"),
    "hr": ("hour", "hours"), "hrs": ("hour", "hours"), "yrs": ("year", "years"),
    "mph": ("mile per hour", "miles per hour"),
    "kph": ("kilometer per hour", "kilometers per hour"),
    "km/h": ("kilometer per hour", "kilometers per hour"),
    "kmh": ("kilometer per hour", "kilometers per hour"),
    "m/s": ("meter per second", "meters per second"),
    "Mbps": ("megabit per second", "megabits per second"),
    "Gbps": ("gigabit per second", "gigabits per second"),
    "kcal": ("kilocalorie", "kilocalories"), "cal": ("calorie", "calories"),
    "km²": ("square kilometer", "square kilometers"), "m²": ("square meter", "square meters"),
    "m³": ("cubic meter", "cubic meters"), "sqft": ("square foot", "square feet"),
    "sq ft": ("square foot", "square feet"), "°C": ("degree celsius", "degrees celsius"),
    "°F": ("degree fahrenheit", "degrees fahrenheit"), "°": ("degree", "degrees"),
    "℃": ("degree celsius", "degrees celsius"), "℉": ("degree fahrenheit", "degrees fahrenheit"),
}  # fmt: skip
_UNIT: Final = "|".join(
    sorted((re.escape(unit) for unit in _UNITS), key=lambda unit: (-len(unit), unit))
)
_FRACTIONS: Final = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
    "⅞": (7, 8),
}  # fmt: skip
_GLYPHS: Final = "".join(_FRACTIONS)
_ARITHMETIC: Final = {
    "+": "plus", "=": "equals", "×": "times", "*": "times", "÷": "over", "<": "less than",
    ">": "more than", "-": "minus", "−": "minus", "^": "to the power of",
}  # fmt: skip
# Slashes that are no fractions.
_SPOKEN_SLASH: Final = {(24, 7): ("twenty", "four", "seven"), (9, 11): ("nine", "eleven")}


def _say_money(found: re.Match[str]) -> Words:
    sign = found["sign"]
    one, many, small_one, small_many = _CURRENCIES[_CODES.get(sign, sign)]
    number, scale = found["number"].replace(",", ""), found["scale"]
    minus: Words = ("minus",) if found["minus"] else ()
    if scale:
        return (*minus, *say_number(number), _SCALES.get(scale.lower(), scale), many)
    whole, _, decimals = number.partition(".")
    if not small_one or (decimals and len(decimals) != 2):
        return (*minus, *say_number(number), one if number == "1" else many)
    small = int(decimals or 0)
    words: Words = minus
    if int(whole) or not small:
        words = (*words, *say_cardinal(str(int(whole))), one if int(whole) == 1 else many)
    if small:
        said = (*say_cardinal(str(small)), small_one if small == 1 else small_many)
        words = (*words, *(("and",) if int(whole) else ()), *said)
    return words


def _say_measure(found: re.Match[str]) -> Words:
    one, many = _UNITS[found["unit"]]
    first, number, glyph = found["first"], found["number"], found["glyph"]
    words = (*say_number(first), "to") if first else ()
    if glyph:
        return (*words, *_fraction(number, *_FRACTIONS[glyph]), *many.split())
    return (*words, *say_number(number), *(one if number == "1" else many).split())


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
    if (top, bottom) in _SPOKEN_SLASH and not found["whole"]:
        return _SPOKEN_SLASH[top, bottom]
    if bottom == 0 or len(found["bottom"]) > 3 or len(found["top"]) > 3:
        return (*say_cardinal(found["top"]), "over", *say_cardinal(found["bottom"]))
    return _fraction(found["whole"], top, bottom)


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
    return (*say_number(found["number"]), _SCALES[found["letter"].lower()])


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


_SIGNS: Final = "".join(_CURRENCIES).replace("¢", "")
_CODE: Final = r"\b(?:USD|EUR|GBP|INR|JPY)\b"
_MINUS: Final = r"(?P<minus>(?<![\w.])[-−])?"
_FROM: Final = rf"(?:(?<![\w.-])(?P<first>{_NUMBER})\s?[-–]\s?)?"
RULES: Final = tuple(
    Rule(re.compile(pattern), say)
    for pattern, say in (
        (
            rf"{_MINUS}(?:US|CA|AU)?(?P<sign>[{_SIGNS}]|{_CODE})\s?(?P<number>{_NUMBER}){_SCALE}",
            _say_money,
        ),
        (
            rf"{_MINUS}\b(?P<number>{_NUMBER}){_SCALE}\s?(?P<sign>[{_SIGNS}¢](?!\d)|{_CODE})",
            _say_money,
        ),
        (
            r"(?<![\w.])(?P<feet>\d)(?:['’′]|\s?ft\.?\s(?=\d+\s?in))"
            r"(?:\s?(?P<inches>\d\d?)(?:\"|”|″|''|’’|\s?in\b\.?|\b))?(?!\w)",
            _say_feet,
        ),
        (rf"{_FROM}(?P<number>{_SIGNED})\s?(?:%|percent\b)", _say_percent),
        (
            rf"(?<![\w.,])(?<![A-Za-z]-){_FROM}(?P<number>{_SIGNED})(?P<glyph>[{_GLYPHS}])?\s?-?"
            rf"(?P<unit>{_UNIT})(?:\.(?=\s[a-z]))?(?![\w²³/])",
            _say_measure,
        ),
        (rf"\b(?P<whole>\d{{1,9}})\s?(?P<glyph>[{_GLYPHS}])", _say_glyph),
        (rf"(?P<whole>(?!))?(?P<glyph>[{_GLYPHS}])", _say_glyph),
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
            rf"(?<![\w.,-])(?P<first>{_NUMBER})\s?[-–]\s?(?P<number>{_NUMBER})(?![\w-])",
            _say_range,
        ),
        (r"(?<=\d)\s?(?P<sign>[+=×÷<>*−^])\s?(?=[-−]?\d)|(?<=\d) (?P<minus>-) (?=\d)", _say_sign),
        (rf"\b(?P<number>{_NUMBER})(?P<letter>k|M|bn)\b", _say_scaled),
        (rf"\b(?P<number>{_NUMBER})\s?[x×](?!\w)", _say_times),
        (rf"(?<!\w)[~≈]\s?(?P<number>{_NUMBER})\b", _say_about),
        (rf"\b(?P<number>{_NUMBER})\+(?!\w)", _say_more),
        (rf"(?P<number>{_SIGNED}|(?<![\w.])\.\d{{1,20}})(?![A-Za-z\d])", _say_plain),
    )
)
