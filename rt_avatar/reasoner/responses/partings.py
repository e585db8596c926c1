"""Hear that somebody goes away, told without a word of what is felt: "he's moving to Canada".

Who goes far, has gone, or does not come for Christmas: "oh, to Canada?" takes it for a trip. What
is said names no feeling and asks how it is, with or without them. A holiday, an errand, and who
moves nearer or in are no such partings. Words are read without apostrophes. Knows no reply of the
bank.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.pronouns import object_of
from rt_avatar.reasoner.responses.endings import is_told_soberly, tells
from rt_avatar.reasoner.responses.unsaid import unsaid

Parting: TypeAlias = Literal["parting", "parted", "absent"]  # goes away; has gone; does not come

SAYINGS: Final[Mapping[Parting, tuple[str, ...]]] = {
    "parting": (
        "That's a big change. How is it for you?",
        "Will you miss {who}?",
        "How is it for you, to see {who} go?",
    ),
    "parted": (
        "That's a big change. How is it for you?",
        "Do you miss {who}?",
        "How has it been since?",
    ),
    "absent": (
        "How will it be without {who}?",
        "And how is that for you, without {who}?",
        "So it will be without {who}. How is that for you?",
    ),
}
_PERSON: Final = (
    r"(?:mothers?|m[ou]m|father|dad|parents|sons?|daughters?|kids|children|child|boys?|girls?|"
    r"brothers?|sisters?|grandm\w+|grandp\w+|grands?\w+|granddaughters?|grandchildren|grandkids|"
    r"nan|gran|wife|husband|partner|boyfriend|girlfriend|uncle|aunt\w*|cousins?|nephews?|nieces?|"
    r"friends?|mates?|neighbou?rs?|boss|manager|teacher|doctor|gp|priest|vicar|pastor|imam|rabbi|"
    r"colleagues?|coach|carer|nurse|tutor|therapist|counsellor|conductor|flatmate|roommate|lodger|"
    r"youngest|eldest|oldest|twins?|in laws|family|pal|hairdresser|cleaner|keyworker|social worker|"
    r"buddy|drummer|singer|pianist|organist|captain)"
)
_WHO: Final = (
    r"(?P<who>he|she|they|hes|shes|theyre|m[ou]m|dad|(?:my|our|his|her|the|one of (?:my|our)|both "
    r"my) "
    rf"(?:(?!is\b|was\b|i\b)\w+ ){{0,4}}?{_PERSON}s?(?: of \w+ years)?(?: (?:who|whos|that) (?:\w+ "
    rf"){{1,8}}?\w+)??)"
)
_TRIP: Final = (
    r"(?! (?:the (?:\w+ )?(?:shops?|store|bank|pub|gym|doctors?|hospital|garden|bathroom|kitchen|"
    r"front|back|sofa|next|other)|work|bed|school|lunch|vacation|holiday|an?|another|my|our|me|us|"
    r"see|do|get|be|him|her|visit|go|stay|this|that|his|their|it)\b)"
)
_AWAY: Final = (
    rf"(?:(?:moving|emigrating|emigrated|relocating|moved|going to live|gone to live|going back to "
    rf"live)(?: down| up| out| over| abroad| home| all the way)? (?:to|in|abroad|overseas|"
    rf"away){_TRIP}|(?:off|leaving for|left for|going off|gone off|flying off)(?: to)? "
    rf"(?:university|uni|college|canada|america|australia|new zealand|spain|france|germany|the "
    rf"(?:states|army|navy|raf))|"
    r"(?:moving|moved|going) (?:away|abroad|overseas)|emigrat\w+|(?:has )?moved out|(?:going|gone|"
    r"leaving|left|moving|moved)(?: back)? (?:to|for) \w+ for good|retiring|retired|standing down|"
    r"stepping down|moving on|moving out|(?:leaving|left) (?:the (?:country|area|village|town|band|"
    r"choir|team|parish|practice|firm|company|school)|home)|(?:started|starting|starts) "
    r"(?:university|uni|college)|gone to live with (?!me|us)\w+|leaving (?:at the end of|this|next|"
    r"on|in (?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december|the \w+)) ?\w*|taking the (?:kids|children|grandchildren|grandkids|boys|girls|"
    r"family) (?:to (?:live|\w+$)|away|abroad|with))"
)
_PARTING: Final = re.compile(
    rf"\b{_WHO}(?: is| are| have| has| will be| s)? (?:(?:just|now|finally|all|both|also|going to "
    rf"be|is|are) )*{_AWAY}"
)
_ONLY_A_TRIP: Final = re.compile(
    r"\b(?:for (?:a|an|one|two|three|four|ten) (?:\w+ )?(?:days?|weeks?|weekends?|fortnight|"
    r"nights?|hours?)|for the (?:weekend|day|week|night)|for (?:christmas|easter|lunch|work)|on "
    r"(?:holiday|a trip|business)|last night|(?:moving|moved) (?:in|back)\b|leaving (?:me|work|"
    r"early|him|her|the house)|next door|nearer|closer|back home to me|to be (?:near|closer|with) "
    r"(?:me|us))\b"
)
_ABSENT: Final = re.compile(
    rf"\b{_WHO}(?: is|s| are)? ?(?:not|isnt|arent|wont be|cant|cannot|not going to) (?:be )?"
    r"(?:com(?:e|ing)|make it|making it|visit\w*|there|home) (?:for (?:christmas|easter|my|our|the|"
    r"thanksgiving|diwali|eid|new year)|to (?:my|our|the|his|her)|on \w+days? (?:now|any ?more)|"
    r"home (?:this|for|at|any ?more)|back(?: home)?(?: this| for| now| to the|$)|this (?:year|"
    r"christmas|time|summer|weekend))"
)
# That is no parting of the kind, but a blow.
_COUPLE: Final = re.compile(
    r"\bmy (?:\w+ )?(?:wife|husband|partner|girlfriend|boyfriend|fianc\w+)s?(?: has| is| have)? "
    r"(?:\w+ )?(?:moved|moving|left|leaving|gone)\b"
)
_THING: Final = re.compile(r"\b(?:it|the \w+)$")
_GONE: Final = re.compile(r"\b(?:moved|left|gone|emigrated|started)\b")
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


def find_parting(text: str) -> tuple[Parting, str] | None:
    """Return how a turn tells a parting, and whose ("him"); None where it tells none.

    Args:
        text: The turn; one that names a feeling, or is glad, is left to who answers that.
    """
    if not is_told_soberly(text):
        return None
    for sentence in reversed(_SENTENCES.findall(text)):
        words = " ".join(words_of(sentence))
        if (absent := tells(_ABSENT, words)) and not _THING.search(absent["who"]):
            return "absent", _whom(absent["who"])
        parting = tells(_PARTING, words)
        if parting and not _ONLY_A_TRIP.search(words) and not _COUPLE.search(parting[0]):
            is_past = _GONE.search(parting[0])
            return ("parted" if is_past else "parting"), _whom(parting["who"])
    return None


def meet_parting(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: there is none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    found = find_parting(text)
    return unsaid(SAYINGS[found[0]], text, own).format(who=found[1]) if found else ""


def _whom(who: str) -> str:
    return "them" if " and " in who else object_of(who)
