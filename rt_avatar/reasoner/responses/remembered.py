"""Hear that somebody who died is spoken of by the way, and say a warm word to it, no more.

"I have two hives where my late wife had her roses" tells of bees. To condole there drags the talk
to the death; to pass it over is cold. Who tells of the death itself, lately, or with grief, is
``grave``'s. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.unsaid import unsaid

Pronoun: TypeAlias = Literal["he", "she", "they"]

_SAYINGS: Final = (
    "I can hear that {who} still {has} a place in your days.",
    "{Who}{is_} still there in the way you tell it.",
    "It sounds as if {who}{is_} still a part of it.",
    "I like how you bring {whom} into it.",
    "I can hear how much {who} still {means} to you.",
)
_FORMS: Final[Mapping[Pronoun, Mapping[str, str]]] = {
    "he": {"Who": "He", "whom": "him", "has": "has", "is_": "'s", "means": "means"},
    "she": {"Who": "She", "whom": "her", "has": "has", "is_": "'s", "means": "means"},
    "they": {"Who": "They", "whom": "them", "has": "have", "is_": "'re", "means": "mean"},
}
_MEN: Final = r"(?:husband|dad|daddy|father|grand(?:ad|dad|pa|father)|brother|son|uncle|papa)"
_WOMEN: Final = (
    r"(?:wife|mum|mom|mummy|mother|gran|granny|nan|nana|grandma|grandmother|sister|daughter|"
    r"aunt|auntie)"
)
_KIN: Final = (
    rf"(?:{_MEN}|{_WOMEN}|friend|mate|neighbour|neighbor|cousin|partner|parents|"
    r"dog|cat)"
)
_WHOM: Final = rf"(?:(?:my|our) (?:\w+ )??{_KIN}|he|she|they|mum|mom|dad|gran|nan|grandad|grandma)"
_BY_THE_WAY: Final = re.compile(
    rf"\b(?:my|our) late (?:dear |poor |older? |big |little )?{_KIN}s?\b|"
    rf"\b(?:since|before|until|till) {_WHOM} (?:died|passed away|passed(?=$| i | we | on$)|"
    r"was gone)\b|"
    rf"\b(?:when|while) {_WHOM} (?:was|were) (?:still )?(?:alive|living|with us)\b|"
    r"\b(?:god )?rest (?:him|her|his soul|her soul|their souls)\b|"
    r"\bim an? (?:widow|widower)\b|"
    rf"\b{_WHOM} would have (?:loved(?! me| you)|laughed|enjoyed|been (?:so |that )?(?:proud|"
    r"thrilled|delighted|tickled|over the moon|chuffed))\b(?! to\b)|"
    r"\b(?:hed|shed) have (?:loved(?! me| you)|enjoyed|been (?:so |that )?(?:proud|thrilled|"
    r"delighted|tickled|over the moon|chuffed))\b(?! to\b)|"
    r"\b(?:hed|shed|he would|she would) have (?:been|turned) (?:\d+|\w+ty(?: \w+)?|a hundred) "
    r"(?:this|next|on|in|tomorrow|soon)\b|"
    r"\b(?:hes|shes|he is|she is) (?:not here|no longer (?:here|with us)|not with us) "
    r"(?:any ?more|now)\b|"
    rf"\b(?:lost (?:my|our) {_KIN}|(?:my|our) (?:\w+ )??{_KIN} (?:died|passed away|passed)) "
    r"(?:in (?:19|20)\d\d|(?!a (?:year|few)\b)(?:\w+ ){1,3}years ago)(?= \w+ \w+ \w+ \w+)|"
    r"\b(?:like|as if) (?:hes|shes) (?:still )?(?:there|here) with me\b"
)
# Of who is called by a name: as it is written.
_NAMED: Final = re.compile(
    r"\b[Ss]ince ([A-Z][a-z]+) (?:died|passed away|passed|went)(?=[,.]|$)|"
    r"\bmy ([A-Z][a-z]+) would have (?:been (?:round|there|here|proud)|had|said|known|loved|"
    r"laughed)\b"
)
# The death itself, or grief.
_GRIEF: Final = re.compile(
    r"\b(?:funeral|buried|bury|burial|ashes|coffin|hospital|hospice|cancer|stroke|coroner|suicide|"
    r"killed|murder\w*|crash|accident|overdose|cry|crying|cried|tears|sob\w*|miss|missing|grie\w+|"
    r"mourn\w*|cant (?:cope|sleep|stop|eat|face|go on|believe)|alone|lonely|loneliness|numb|empty|"
    r"hard|hardest|hurts?|unbearable|broke\w*|guilty|fault|yesterday|this morning|last (?:week|"
    r"night|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|today|worst|sad|"
    r"devastat\w+|struggl\w+|terribl[ey]|nothing|no point|lose|losing|lost all|join (?:him|her)|"
    r"be with (?:him|her))\b"
)


def find_remembered(text: str) -> str | None:
    """Return whom of the dead a turn speaks of by the way: "he", a name; None where it does not."""
    words = " ".join(words_of(text))
    found, named = _BY_THE_WAY.search(words), _NAMED.search(text)
    if (not found and not named) or _GRIEF.search(words) or "?" in text:
        return None
    around = " ".join(words_of(" ".join(one[0] for one in (found, named) if one)))
    if re.search(rf"\b(?:{_WOMEN}s?|she|shed|shes|her|widower)\b", around):
        return "she"
    if re.search(rf"\b(?:{_MEN}s?|he|hed|hes|him|his|widow)\b", around):
        return "he"
    if named:
        return named[1] or named[2]
    said = set(words.split())
    if said & {"she", "her", "shed", "shes"}:
        return "she"
    return "he" if said & {"he", "him", "his", "hed", "hes"} else "they"


def meet_remembered(text: str, own: Sequence[str]) -> str:
    """Return a warm word to it, not in words that were said in this call; empty: nobody is named.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    who = find_remembered(text)
    if who is None:
        return ""
    named = {**_FORMS["he"], "Who": who, "whom": who}
    forms = next((ways for one, ways in _FORMS.items() if one == who), named)
    return unsaid([one.format(who=who, **forms) for one in _SAYINGS], text, own)
