"""Say the name of somebody that a caller wants said: "His name was Noah. Can you say it?".

Who asks for that has often lost them, and wants one other person to say it. Knows no reply of the
bank, and no name but those that the caller told.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.responses.unsaid import unsaid

NAMED: Final = (
    "{name}. Thank you for letting me say it.",
    "{name}. I'm glad to know the name.",
    "{name}. It's good to say it with you.",
)
NOT_TOLD: Final = (
    "Gladly. What is the name?",
    "Yes, of course. Tell me the name, and I'll say it.",
)
_NAME: Final = r"(?P<name>[^\W\d_]+(?:-[^\W\d_]+)?)"
_WANTS: Final = re.compile(
    r"(?:^|[.!?,] )(?:(?:and|but|so) )*(?:(?:can|could|will|would) you|please) "
    r"(?:(?:please|just|maybe|ever) )*say "
    r"(?P<what>it|(?:his|her|its|their|the|that) name|(?-i:[A-Z])[a-z]+)"
    r"(?:,? (?:for me|to me|once|just once|out loud|aloud|too|with me|please|ava))*[.!?\s]*$",
    re.IGNORECASE,
)
_TOLD: Final = (
    re.compile(rf"\b(?<!my )name(?:'s| is| was) {_NAME}", re.IGNORECASE),
    re.compile(rf"\b{_NAME} (?:is|was) (?:his|her|its|their) name\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:(?:he|she|it)(?:'s| is| was) (?:called|named)|(?:called|named) (?:him|her|it))"
        rf" {_NAME}",
        re.IGNORECASE,
    ),
)
_NO_NAME: Final = word_set(
    "a an the not on in at by for from to of my your his her it that this what which so too very "
    "never always still just also everywhere nowhere gone there here called after given"
)


def say_name(text: str, told: Sequence[str], own: Sequence[str]) -> str:
    """Return what is said where a name is to be said; empty where none is.

    Args:
        text: The turn.
        told: The caller's turns before it, the oldest first.
        own: The avatar's turns.
    """
    wanted = _WANTS.search(text)
    if not wanted:
        return ""
    what = wanted["what"]
    if what.casefold() == "it" and not re.search(r"\bname\b", text, re.IGNORECASE):
        return ""
    is_name = what.casefold() != "it" and not what.casefold().endswith(" name")
    name = what if is_name else next(filter(None, map(_named_in, (text, *reversed(told)))), "")
    if find_unsafe(name):
        return ""
    ways = NAMED if name else NOT_TOLD
    return unsaid(ways, text, own).format(name=name[:1].upper() + name[1:])


def _named_in(text: str) -> str:
    """Return the name of somebody that a turn tells; empty where it tells none."""
    found = (one["name"] for pattern in _TOLD for one in pattern.finditer(text))
    return next((name for name in found if name.casefold() not in _NO_NAME), "")
