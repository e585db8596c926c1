"""The name that a caller gives: "my name is Tom", "hi, I'm Tom"."""

import re
from typing import Final

from rt_avatar.engines.word_set import word_set

# Beside the name in a turn that says no more than hello.
_COURTESIES: Final = word_set(
    "hi hello hey hiya good morning afternoon evening there ava leo mei rose sam zuri finn nice "
    "great pleased glad to meet you it's its is by the way and so well um uh oh yes yeah okay ok "
    "too thanks thank everyone but can"
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NAME: Final = r"([^\W\d_]+(?:-[^\W\d_]+)?)"
_TELLS: Final = re.compile(
    rf"(?:\bmy name(?: is|'s|’s)|(?:^|[.,!?] |\b(?:you can|you may|please|just|or|and) )call me) "
    rf"{_NAME}\b(?! (?:back|if|when|but)\b)",
    re.IGNORECASE,
)
# "I'm Tom" is told from "I'm tired" by a capital, and only beside a hello.
_GREETS: Final = r"(?:[Hh]i|[Hh]ello|[Hh]ey)(?: there| \w+)?[,.!]? "
_IS: Final = r"(?:I'm|I’m|I am|[Tt]his is)"
_NICE: Final = r"[,.!]? (?:[Nn]ice|[Gg]ood|[Pp]leased) to meet you"
_INTRODUCES: Final = (
    re.compile(rf"^{_GREETS}{_IS} {_NAME}(?:[.,!]|$)"),
    re.compile(rf"^(?:{_GREETS})?{_IS} {_NAME}(?:{_NICE}|,? by the way)"),
    re.compile(rf"\bI go by {_NAME}(?:[.,!]|$)"),
    re.compile(
        rf"\b(?i:everyone|everybody|people|they|friends|family) (?:all )?calls? me {_NAME}\b"
    ),
)
_NO_NAME: Final = word_set(
    "a an the not on in at by for from to of my your his her it when if later back again crazy "
    "what whatever anything something names stupid lazy fat ugly hard long old so too very maybe "
    "please tomorrow today tonight now and but or mister mrs ms miss mr doctor dr often always "
    "never pretty really rather quite unusual common spelled pronounced written kind just being "
    "paranoid silly mad weird naive anytime sometime soon asap monday tuesday wednesday thursday "
    "friday saturday sunday every once each whenever until all"
)
_PEOPLES: Final = re.compile(r"(?:[a-z]{3,}(?:ican|ish|ese|rman|ench)|greek|dutch|swiss)$")


def find_name(text: str) -> str:
    """Return the name that a caller gives for themselves; empty where none is given.

    Args:
        text: What was said in one turn.
    """
    return _find(text)[0]


def is_introduction(text: str) -> bool:
    """Whether somebody says their name in a turn, and nothing more than hello."""
    name, rest = _find(text)
    return bool(name) and all(word.casefold() in _COURTESIES for word in _WORD.findall(rest))


def _find(text: str) -> tuple[str, str]:
    """Return a name, and the turn without the words that give it; empty ones of none."""
    for pattern in (_TELLS, *_INTRODUCES):
        if found := pattern.search(text):
            name, plain = found[1], found[1].casefold()
            is_known = pattern is _TELLS or name[0].isupper()
            if is_known and len(plain) > 1 and plain not in _NO_NAME and not _PEOPLES.match(plain):
                rest = f"{text[: found.start()]} {text[found.end() :]}"
                return name[0].upper() + name[1:], rest
    return "", ""
