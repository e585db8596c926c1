"""Money as it is written → its words."""

import re
from typing import Final

from rt_avatar.engines.text.numbers import NUMBER, Words, say_cardinal, say_number
from rt_avatar.engines.text.rules import Rule, is_before_noun
from rt_avatar.engines.text.units import SCALES

_SCALE: Final = (
    r"(?:[\s-]?(?P<scale>thousand|million|billion|trillion|(?<!-)(?:[kKmMbBtT]|mn|bn)\b))?"
)
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
_SIGNS: Final = "".join(_CURRENCIES).replace("¢", "")
_CODE: Final = r"\b(?:USD|EUR|GBP|INR|JPY)\b"
_MINUS: Final = rf"(?P<minus>(?<![\w.{_SIGNS}])[-−])?"
_COUNTRY: Final = r"(?:(?<!\w)(?:US|CA|C|AU|A|NZ|HK))?"


def _say_money(found: re.Match[str]) -> Words:
    minus: Words = ("minus",) if found["minus"] or found["below"] else ()
    said = _money(found["sign"], found["number"], found["scale"], is_before_noun(found))
    return (*minus, *said)


def _say_money_range(found: re.Match[str]) -> Words:
    first, sign, scale, low = found["first"], found["sign"], found["scale"], found["low"]
    if "." in first and not scale and not low:
        said = _money(sign, first, None, is_one=False)
    else:
        said = (*say_number(first), *((SCALES[low.lower()],) if low else ()))
    return (*said, "to", *_money(sign, found["number"], scale, is_before_noun(found)))


def _money(sign: str, number: str, scale: str | None, is_one: bool) -> Words:
    """Return an amount; where ``is_one`` its currency as of one: "a twenty dollar bill"."""
    one, many, small_one, small_many = _CURRENCIES[_CODES.get(sign, sign)]
    many = one if is_one else many
    number = number.replace(",", "")
    if scale:
        return (*say_number(number), SCALES.get(scale.lower(), scale), many)
    whole, _, decimals = number.partition(".")
    if not small_one or (decimals and len(decimals) != 2):
        return (*say_number(number), one if number == "1" else many)
    small, whole = int(decimals or 0), whole or "0"
    words: Words = ()
    if int(whole) or not small:
        words = (*words, *say_cardinal(str(int(whole))), one if int(whole) == 1 else many)
    if small:
        said = (*say_cardinal(str(small)), small_one if small == 1 else small_many)
        words = (*words, *(("and",) if int(whole) else ()), *said)
    return words


RULES: Final = tuple(
    Rule(re.compile(pattern), say)
    for pattern, say in (
        (
            rf"(?<!\w){_COUNTRY}(?P<sign>[{_SIGNS}])\s?(?P<first>{NUMBER})(?P<low>[kKmMbB]|bn)?"
            rf"\s?[-–—]\s?(?:(?P=sign)\s?)?(?P<number>{NUMBER}){_SCALE}(?![\w-]|[.,/]\d)",
            _say_money_range,
        ),
        (
            rf"{_MINUS}{_COUNTRY}(?P<sign>[{_SIGNS}]|{_CODE})\s?(?P<below>(?<!\d[{_SIGNS}])[-−])?"
            rf"(?P<number>{NUMBER}){_SCALE}",
            _say_money,
        ),
        (
            rf"{_MINUS}(?P<below>(?!))?\b(?P<number>{NUMBER}){_SCALE}\s?(?P<sign>[{_SIGNS}¢](?!\d)|{_CODE})",
            _say_money,
        ),
    )
)
