"""Tense and person of a turn: is it ahead or over, is it about somebody else?

Told by a few words, not by grammar: a turn of both tenses, or of neither, is neither. Headings of
the bank ask for what is found as for words (``@ahead``, ``@past``, ``@other``).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rt_avatar.engines.word_set import word_set

AHEAD, PAST, OTHER = "@ahead", "@past", "@other"
_AHEAD: Final = re.compile(
    r"\b(?:will|won't|gonna|tomorrow|tonight|soon|upcoming|\w+'ll|going to|about to|plan(?:ning)? "
    r"to|looking forward|can't wait|later today|this weekend|this evening|"
    r"next (?:week|month|year|weekend|time|spring|summer|fall|winter|\w+day)|"
    r"(?:i'm|we're|he's|she's|they're|(?:are|is|am) (?:\w+ )?)(?:leaving|flying|visiting|meeting|"
    r"starting|getting married|moving|having|coming|traveling)|"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"starts? (?:on|in|at)|"
    r"\w+ \w+ (?:on|until|till) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"  # more than a day
)
_NOT_AHEAD: Final = re.compile(
    r"\b(?:was|were) (?:\w+ )?(?:going to|gonna|about to|planning|looking forward)\b|"
    r"\bused to\b|\bcouldn't wait\b"
)
# Past tenses that end otherwise than in "ed"; of those that are also present ones ("put") none.
_PAST: Final = word_set(
    "was were wasn't weren't had hadn't did didn't went came got took made found saw met bought "
    "gave told brought ran drove flew rode lost won left said began ate drank slept woke heard "
    "wrote sang fell broke stole caught spent sent kept grew knew thought felt forgot taught paid "
    "sold built held stood sat threw wore tore spoke chose understood became swam hid fought "
    "yesterday ago dreamt burnt learnt spilt spoilt couldn't"
)
_ENDS_IN_ED: Final = re.compile(r"\b\w{2,}(?:[^e\W]ed)\b")
# End in "ed", and tell no past: how somebody is, and others.
_NO_PAST: Final = word_set(
    "need tired bored excited worried scared interested married used disappointed embarrassed "
    "annoyed stressed frustrated exhausted relaxed confused red bed wed shed hundred naked "
    "overwhelmed devastated ashamed terrified supposed engaged divorced retired allowed prepared "
    "depressed satisfied surprised amazed relieved hurried crowded speed feed seed indeed fed"
)
_HEDGES: Final = word_set(
    "and but so well yeah yes no oh then also because now today yesterday honestly actually "
    "apparently luckily unfortunately sadly maybe i think guess hope know just that"
)
_SOMEBODY: Final = word_set(
    "he he's he'll she she's she'll they they're they'll they've his her their everyone everybody "
    "someone somebody nobody people"
)
_KIN: Final = word_set(
    "mom mum mother dad father parents sister brother son daughter kids kid children wife husband "
    "partner boyfriend girlfriend friend friends grandma grandmother grandpa grandfather aunt "
    "uncle cousin niece nephew boss coworker coworkers colleague colleagues neighbor neighbors "
    "neighbour neighbours roommate teacher baby toddler grandson granddaughter family team "
    "landlord ex fiance stepson stepdaughter in-laws"
)
_WITH_ME: Final = re.compile(r"^(?:\w+ )?(?:my|our) (?:\w+ ){1,3}and (?:i|me)\b")
_NEAR: Final = 4  # words from "my" to the person
# Replies that ask how something was, and those that wish well for what is to come.
_ASKS_PAST: Final = re.compile(
    r"\bhow (?:was|were|did (?!(?:it|that|you|this|all that) (?:come|get|start|begin|meet|decide|"
    r"find)|the idea))\b|\bwhat (?:was|were|did|happened)\b|\bdid (?:you|it|they|he|she|anyone|"
    r"anybody) (?!have to)\b|\b(?:was|were) (?:it|you|there|that|they|anyone|he|she|anybody)\b"
)
_WISHES_AHEAD: Final = re.compile(
    r"\blooking forward\b|\bgood luck\b|\bhow ready\b|\bare you (?:all )?(?:ready|set|prepared)\b|"
    r"\bhow nervous are\b|\benjoy (?:it|every)\b|\bhope it goes\b|\bgoes well\b|\bcount the days\b"
)


def marks_of(words: Sequence[str]) -> frozenset[str]:
    """Return ``AHEAD`` or ``PAST`` where a turn's words are of one of them, and ``OTHER``.

    Args:
        words: Of the turn, as ``split_words`` gives them.
    """
    text = _NOT_AHEAD.sub("was", " ".join(words))
    is_ahead = bool(_AHEAD.search(text))
    is_past = any(word in _PAST for word in words) or any(
        word not in _NO_PAST for word in _ENDS_IN_ED.findall(text)
    )
    marks = {AHEAD} if is_ahead and not is_past else {PAST} if is_past and not is_ahead else set()
    return frozenset(marks | ({OTHER} if _is_about_other(words) else set()))


def asks_past(questions: Iterable[str]) -> bool:
    """Whether questions of a reply, lower case, ask how something was."""
    return any(_ASKS_PAST.search(one) for one in questions)


def looks_ahead(reply: str) -> bool:
    """Whether a reply wishes well for, or asks about, what has yet to come."""
    return bool(_WISHES_AHEAD.search(reply.lower()))


def _is_about_other(words: Sequence[str]) -> bool:
    """Whether a turn's first subject is somebody else: "my little brother …", "she …"."""
    start = next((at for at, word in enumerate(words) if word not in _HEDGES), len(words))
    subject = words[start : start + _NEAR]
    if not subject:
        return False
    if subject[0] in ("my", "our"):
        return not _KIN.isdisjoint(subject[1:]) and not _WITH_ME.search(" ".join(words))
    return subject[0] in _SOMEBODY
