"""Signs of sums and comparisons that mean something else elsewhere → their words.

Known before dates, money and ranges are: "10 - 3 = 7" is no range, "10 / 2 = 5" no fraction.
"""

import re
from typing import Final

from rt_avatar.engines.text.numbers import Words, say_cardinal
from rt_avatar.engines.text.rules import Rule

_COMPARISONS: Final = {
    ">=": ("at", "least"), "<=": ("at", "most"), "!=": ("is", "not"), "==": ("equals",),
}  # fmt: skip
_POWERS: Final = {"2": ("squared",), "3": ("cubed",)}
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED_SIGNS: Final = "⁰¹²³⁴-⁹"
_NUMBER: Final = r"[$€£]?\d[\d.,]{0,20}%?"
# What follows the sign in a sum of which the result is written.
_SUM: Final = rf"(?=\(?{_NUMBER}\)?(?:\s?[-–−+*/×÷]\s?\(?{_NUMBER}\)?){{0,4}}\s?=\s?[-−$€£\d])"


def _say_comparison(found: re.Match[str]) -> Words:
    return _COMPARISONS[found[0]]


def _say_minus(_: re.Match[str]) -> Words:
    return ("minus",)


def _say_divided(_: re.Match[str]) -> Words:
    return ("divided", "by")


def say_power(exponent: str) -> Words:
    """Return what stands behind a number that is raised: squared, to the power of minus three."""
    minus: Words = ("minus",) if exponent[0] in "-⁻" else ()
    digits = exponent.lstrip("-⁻")
    if not minus and digits in _POWERS:
        return _POWERS[digits]
    return ("to", "the", "power", "of", *minus, *say_cardinal(digits))


def _say_raised(found: re.Match[str]) -> Words:
    return say_power(found[0].translate(_RAISED))


RULES: Final = (
    Rule(re.compile(r"(?<![<>!=])[<>!=]=(?!=)(?=\s?[-−$€£]?[\d.A-Za-z])"), _say_comparison),
    Rule(re.compile(rf"(?<=[\d)%])\s?[-–]\s?{_SUM}"), _say_minus),
    Rule(re.compile(rf"(?<=[\d)]) / {_SUM}"), _say_divided),
    # A single one behind a number may be the mark of a footnote.
    Rule(
        re.compile(
            rf"(?:(?<=[\d)])|(?<=\b[A-Za-z]))"
            rf"(?:⁻[{_RAISED_SIGNS}]{{1,9}}|[{_RAISED_SIGNS}]{{2,9}}|[⁰⁴-⁹])(?![{_RAISED_SIGNS}])"
        ),
        _say_raised,
    ),
)
