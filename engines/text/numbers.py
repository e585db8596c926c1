"""Numbers as digits → the words of spoken American English. Words are lower-case strings."""

from typing import Final

Words = tuple[str, ...]
# As it is written: groups by comma, decimals, perhaps nothing before their point.
NUMBER: Final = r"(?:(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?:\.\d{1,20})?|(?<![\w.])\.\d{1,20})"
SIGNED: Final = rf"(?:(?<![\w.,)\0])[-−])?{NUMBER}"

_ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS: Final = (
    "zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_SCALES: Final = ("", "thousand", "million", "billion", "trillion", "quadrillion")
_ORDINALS: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50}
_LONGEST: Final = 18  # digits; longer ones are read one by one


def say_digits(digits: str) -> Words:
    """Return digits one by one, ``"0"`` as zero."""
    return tuple(_ONES[int(digit)] for digit in digits if digit.isdecimal())


def say_cardinal(digits: str) -> Words:
    """Return a whole number: ``"1042"`` is one thousand forty two.

    Numbers of more than 18 digits, and those that begin with a zero, are read digit by digit.
    """
    if len(digits) > _LONGEST or (len(digits) > 1 and digits.startswith("0")):
        return say_digits(digits)
    number = int(digits)
    if number < 20:
        return (_ONES[number],)
    words: list[str] = []
    groups = []
    while number:
        number, group = divmod(number, 1000)
        groups.append(group)
    for scale in reversed(range(len(groups))):
        if groups[scale]:
            words += _say_group(groups[scale])
            if scale:
                words.append(_SCALES[scale])
    return tuple(words)


def _say_group(number: int) -> Words:
    """Return 1 to 999."""
    words: list[str] = []
    hundreds, rest = divmod(number, 100)
    if hundreds:
        words += [_ONES[hundreds], "hundred"]
    if rest >= 20:
        words.append(_TENS[rest // 10])
        rest %= 10
    if rest:
        words.append(_ONES[rest])
    return tuple(words)


def say_ordinal(digits: str) -> Words:
    """Return an ordinal: ``"21"`` is twenty first."""
    return make_ordinal(say_cardinal(digits))


def make_ordinal(cardinal: Words) -> Words:
    """Return the ordinal of a cardinal's words."""
    last = cardinal[-1]
    if last in _ORDINALS:
        ordinal = _ORDINALS[last]
    elif last.endswith("y"):
        ordinal = last[:-1] + "ieth"
    else:
        ordinal = last + "th"
    return (*cardinal[:-1], ordinal)


def say_number(number: str) -> Words:
    """Return a number as it is written: a sign, groups by comma, decimals."""
    sign: Words = ("minus",) if number[0] in "-−" else ()
    whole, _, decimals = number.lstrip("+-−").replace(",", "").partition(".")
    words = say_cardinal(whole) if whole else ("zero",)
    return (*sign, *words, "point", *say_digits(decimals)) if decimals else (*sign, *words)


def say_year(digits: str) -> Words:
    """Return a year of three or four digits: nineteen eighty four, two thousand seven."""
    number = int(digits)
    century, rest = divmod(number, 100)
    if not 1000 <= number <= 9999 or (number % 1000 < 10 and number >= 2000):
        return say_cardinal(digits)
    if rest == 0:
        return (*say_cardinal(str(century)), "hundred") if century % 10 else say_cardinal(digits)
    tail = ("oh", _ONES[rest]) if rest < 10 else _say_group(rest)
    return (*say_cardinal(str(century)), *tail)


def make_plural(words: Words) -> Words:
    """Return number words as of a decade or several: eighties, nineteen hundreds."""
    last = words[-1]
    plural = last[:-1] + "ies" if last.endswith("y") else last + ("es" if last == "six" else "s")
    return (*words[:-1], plural)


def roman_value(letters: str) -> int:
    """Return the value of a Roman numeral up to 89 (I, V, X, L); 0 where it is none."""
    total = 0
    values = [_ROMAN.get(letter, 0) for letter in letters]
    if not values or 0 in values:
        return 0
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < following else value
    return total if _write_roman(total) == letters else 0


def _write_roman(number: int) -> str:
    written = ""
    for value, letters in (
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ):  # fmt: skip
        count, number = divmod(number, value)
        written += letters * count
    return written
