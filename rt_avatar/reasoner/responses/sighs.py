"""Hear a question that is a sigh: "who'll I cook for now?", "what was it all for?".

No answer is wanted: who hears "I don't know that, what do you think?" was not listened to. What is
said is what the sigh is about: somebody or something that is missing, effort that came to nothing,
not knowing who one is, time that has gone. It gives no advice and no hope that nobody has. Knows no
reply of the bank.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Sigh: TypeAlias = Literal["gap", "days", "vain", "lost", "time"]

SIGHS: Final[Mapping[Sigh, tuple[str, ...]]] = {
    "gap": (
        "That leaves such a gap, I can hear it.",
        "It sounds as if there's a big empty place now.",
        "I can hear how much is missing there.",
    ),
    "days": (
        "All that room at once. That must be strange to look at.",
        "That's a lot of hours all of a sudden. I can see why it's on your mind.",
        "I can hear how long the days look from there.",
    ),
    "vain": (
        "After all that you put into it. I can hear how bitter that is.",
        "So much of you went into it, and now this. That hurts.",
        "I can hear how empty that leaves you, after so much.",
    ),
    "lost": (
        "It was so much a part of you. No wonder you feel lost without it.",
        "When that falls away, a piece of oneself goes with it. I can hear that.",
        "That shakes a lot more than the days. I can hear it.",
    ),
    "time": (
        "It goes so fast, and one hardly sees it pass.",
        "It does slip away. I can hear that you feel it.",
        "So much of it, and gone so quickly.",
    ),
}
# All of words as they are heard, without apostrophes.
_LEADS: Final = (
    r"^(?:(?:and|but|so|then|well|oh|ah|ok|okay|now|just|god|lord|honestly|i mean|yes|no|yeah|"
    r"anyway|ava) )*"
)
_WILL: Final = r"(?:(?:going to|gonna|supposed to|meant to|to) )"
_NOW: Final = r"(?: (?:now|any ?more|then now|now then)(?: ava| though| eh)?)$"
_DO_WITH: Final = (
    rf"what (?:(?:do|will|shall|can) (?:i|we) |(?:am|are) (?:i|we) {_WILL}|(?:ll|will) i )do with "
)
_PATTERNS: Final[tuple[tuple[Sigh, re.Pattern[str]], ...]] = (
    ("days", re.compile(
        rf"{_LEADS}{_DO_WITH}(?:"
        r"myself(?: (?:now|all day|then|in the evenings?|on sundays?))*$|"
        r"all (?:that|this|the|those|these) (?:free |empty )?(?:time|space|room|quiet|hours|days|"
        r"evenings)(?: now)?$)")),
    ("gap", re.compile(
        rf"{_LEADS}(?:who(?:ll| will| shall| am) (?:i|we) {_WILL}?\w+(?: \w+){{0,4}}? "
        rf"(?:for|to|with|about){_NOW}|"
        rf"who(?:ll| will| shall| am) (?:i|we) {_WILL}?(?:tell|hug|kiss|tease|spoil|ask|have)"
        rf"(?: \w+){{0,3}}?{_NOW}|"
        r"who(?:(?:s| is) (?:going to|gonna)|ll| will) (?:\w+ ){1,6}?(?:me|us)\b"
        rf"(?: \w+){{0,3}}?{_NOW}|"
        rf"{_DO_WITH}(?:all )?(?:these|this|that|those|his|her|their|the)(?: \w+){{1,3}}{_NOW})")),
    ("vain", re.compile(
        rf"{_LEADS}(?:what (?:was|is) (?:it|that|this|the) all for(?: then| in the end)?$|"
        r"what did (?:i|we) (?:do|go through|bother with) (?:it|that|this|all that|all this|any of "
        r"(?:it|that))(?: all)? for(?: then)?$)")),
    ("lost", re.compile(
        rf"{_LEADS}(?:who|what) am i (?:(?:now|even|any ?more) )*(?:without (?:my|that|this|the|"
        r"him|her|it|them|work|a)\b(?: \w+){0,2}$|if im not (?:a|the|his|her|their)\b(?: \w+){0,3}"
        rf"$)|{_LEADS}who am i (?:now|any ?more)$")),
    ("time", re.compile(
        rf"{_LEADS}where (?:does|did|do|has|have) (?:the|all (?:the|that|those)|those) "
        r"(?:time|years?|days?|months|weeks)(?: all)? (?:go|gone)(?: to)?$")),
)  # fmt: skip


def find_sigh(words: str) -> Sigh | None:
    """Return what a sentence sighs about; None where it is none, or asks for something.

    Args:
        words: The sentence, as it is heard, without apostrophes.
    """
    return next((one for one, pattern in _PATTERNS if pattern.search(words)), None)
