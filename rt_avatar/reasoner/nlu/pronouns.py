"""How to speak of somebody whom a caller told of: "my wife" → "her", "the man next door" → "him".

Words without apostrophes. Who may be either is "them".
"""

import re
from typing import Final

_HER: Final = re.compile(
    r"\b(?:she|shes|shed|her|m[ou]m|mummy|mother|wife|sister|daughter|girlfriend|gran|nan|nana|"
    r"grandma|granny|grandmother|granddaughter|aunt\w*|niece|girl|woman|lady|landlady|step ?mum|"
    r"stepmother|stepdaughter|m[ou]ther in law)s?$"
)
_HIM: Final = re.compile(
    r"\b(?:he|hes|hed|him|dad|daddy|father|husband|brother|son|boyfriend|grandad|grandpa|"
    r"grandfather|grandson|uncle|nephew|boy|man|bloke|lad|guy|landlord|step ?dad|stepfather|"
    r"stepson)s?$"
)


def object_of(who: str) -> str:
    """Return "her", "him" or "them" for who is named last in these words."""
    return "her" if _HER.search(who) else "him" if _HIM.search(who) else "them"
