"""Find the clause of a turn that can be told back, and what it does.

"My wife says I'm obsessed now." → "your wife says you're obsessed now", what somebody says. Only
what was surely heard, blames nobody and names no feeling of the caller's. Knows no reply.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.emotion_words import to_fine
from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.nlu.swapping import BUT, REPROACHES, TOKEN, UNTOLD, content_of, swapped
from rt_avatar.reasoner.nlu.topics import SURE

# What a clause does: says what will, should or may be, what is not known or not known how to bear,
# what somebody else says or wants, what others do, or tells anything else.
Act: TypeAlias = Literal["plan", "duty", "guess", "unknown", "lost", "says", "other", "tells"]

_SENTENCES: Final = re.compile(r"(?:[.:](?!\d)|[!;()])+|\s-+\s")
_SIGNS: Final = frozenset("?%&@#")  # asked, or not said as it is written
_LONG: Final = 8  # words; of a longer sentence only a part is told back
_FEWEST, _MOST = 3, 14
_TOLD_MOST: Final = 6  # words that are told back whole; more sound like a recital
_SAID_MOST: Final = 8  # the same, of what somebody says
_PARTS: Final = re.compile(r",(?!\d)")
_LONG_PARTS: Final = re.compile(
    r"\s(?:and|but|because|so)\s(?=(?:i|we|my|our|he|she|they|it|now|the|his|her|their)\b)", re.I
)
_BEFORE: Final = word_set(
    "yeah yes yep yup no nope ngl tbh well and but so oh also honestly actually haha lol okay ok "
    "hmm um uh like anyway sure right true because then now"
)
_AFTER: Final = word_set("tbh though haha lol honestly actually anyway too tho then hehe okay ok")
_ASIDES: Final = frozenset({"i guess", "i think", "i suppose", "you know", "i mean"})
_SUBJECTS: Final = word_set(
    "i we i'm i've i'll i'd we're we've we'll we'd my our mine he she they he's she's "
    "they're he'll she'll they'll he'd she'd they'd they've it it's it'll the there there's "
    "someone somebody mum mom dad grandma grandpa maybe perhaps today yesterday tomorrow "
    "sometimes"
)
_OWN: Final = word_set("i we i'm i've i'll i'd we're we've we'll we'd mine")
_THINGS: Final = word_set("it it's it'll the there there's")
_SUPPOSED: Final = word_set("could would might i'd")
# Addressed to the listener, or so sweeping that it sounds like a verdict.
_NEVER: Final = UNTOLD | word_set(
    "you your yours you're u ur yourself myself never nothing nobody none anything everything "
    "anyone everyone nowhere ever thanks thank sorry please whatever hello hi"
)
# Of the caller's own.
_NEVER_OWN: Final = REPROACHES | word_set(
    "secret secrets accident accidentally forgot forget broke failed fail failing quit missed late "
    "owe owed spent wasted drank drink starve starved binged purged wrong bad worse worst hate "
    "hated miss feel felt feeling"
)
_HURTS: Final = re.compile(r"\bcall(?:s|ed)? (?:me|us) an?\b|(?:n't|not) (?:eat|eaten)\b")
_DANGLING: Final = word_set(
    "to the a an my our of with for and but so because than is was are if or"
)
_VAGUE: Final = word_set(
    "know think guess say said says thing things something do did does get got really want going "
    "gonna will would could should have to it so much still just way like kind sort bit lot yet "
    "one"
)
_ENOUGH_WITH_ONE: Final = frozenset[Act]({"plan", "duty", "guess"})
_ENOUGH, _SHORT = 2, 5  # words that tell something, of a clause of fewer than so many words
_ACTS: Final[tuple[tuple[Act, re.Pattern[str]], ...]] = (
    ("tells", re.compile(r"\bknow how (?!i\b|i'll\b|we\b|we'll\b|to\b).* (?:do|does|did|manages?|"
                         r"copes?)(?: it| that)?$")),  # they are admired
    ("lost", re.compile(r"\b(?:don't know|not sure|no idea) (?:what to|what i|where i|who i am|"
                        r"if i can|how (?:to|i|i'll|i'm|we|we'll))\b|\bknow anymore$")),
    ("unknown", re.compile(r"\b(?:don't|do not|doesn't) know\b|\bnot sure\b|\bno idea\b")),
    ("says", re.compile(r"^(?!(?:i|we)\b)(?:[\w'-]+ ){1,4}?(?:says?|said|"
                        r"(?:thinks?|thought)(?! (?:i'm|i|we're|we)\b)|wants?|"
                        r"hopes?|told|"
                        r"asks?|asked|believes?)\b")),
    ("tells", re.compile(r"\b(?:have to|has to|had to|need to|must|got to|gotta|supposed to)\b|"
                         r"^(?:i|we) might (?:be|have)\b")),
    ("duty", re.compile(r"^(?:(?:i|we) (?:think|guess|feel) )?(?:maybe |perhaps )?(?:i|we) "
                        r"(?:\w+ )?should\b(?! have)|^(?:i|we) might (?!be\b|have\b)|"
                        r"^(?:maybe|perhaps) (?:i|we)\b(?! (?:am|was|are|were)\b)")),
    ("guess", re.compile(r"^(?:i|we) (?:think|guess|believe|suppose|bet|figure)\b"
                         r"(?! (?:about|of|i'll|i'm going)\b)|^(?:maybe|perhaps)\b")),
    ("plan", re.compile(r"^(?:i|we)(?:'m|'re|'ll|'d)? (?:\w+ )?(?:going to|gonna|will|want to|"
                        r"wanna|"
                        r"would like|like to|love to|plan to|hope to|want \w+ to)\b|^(?:i|we)'ll\b|"
                        r"^(?:i'm|we're|i am|we are) (?:\w+ )?(?!being|feeling|having|living|"
                        r"working|staying|"
                        r"sitting|waiting|doing|looking|thinking|learning|trying|playing|reading|"
                        r"watching|wearing|using|studying)\w{2,}ing\b")),
    ("tells", re.compile(r"n't\b|\b(?:not|hardly)\b")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A clause of a turn, as told back, and what it does."""

    told: str
    act: Act

    @property
    def is_told_whole(self) -> bool:
        """Whether it is short enough to be told back as it is."""
        most = _SAID_MOST if self.act == "says" else _TOLD_MOST
        return len(self.told.split()) <= most


def find_clause(text: str, confidence: float = 1.0) -> TakenUp | None:
    """Return the last clause of a turn that can be told back; None where there is none.

    Args:
        text: What was said.
        confidence: 0 to 1, how surely it was heard; less than ``SURE`` gives nothing.
    """
    if confidence < SURE or not _SIGNS.isdisjoint(text):
        return None
    for whole in reversed(_SENTENCES.split(text)):
        sentence = BUT.split(whole)[-1]
        parts = _PARTS.split(sentence)
        if len(TOKEN.findall(parts[-1])) > _LONG:
            parts = _LONG_PARTS.split(sentence)
        for part in reversed(parts):
            words = _bare(TOKEN.findall(part))
            if words and words[0].casefold() in _SUBJECTS:  # what is before is not the point
                return _taken(words)
    return None


def _bare(words: Sequence[str]) -> Sequence[str]:
    """Return a clause without a "well" before and a "though" behind it."""
    while words and words[0].casefold() in _BEFORE:
        words = words[1:]
    while words:
        if words[-1].casefold() in _AFTER:
            words = words[:-1]
        elif " ".join(words[-2:]).casefold() in _ASIDES:
            words = words[:-2]
        else:
            break
    return words


def _taken(words: Sequence[str]) -> TakenUp | None:
    lower = [word.casefold() for word in words]
    is_whole = _FEWEST <= len(words) <= _MOST and lower[-1] not in _DANGLING
    if not is_whole or not _NEVER.isdisjoint(lower):
        return None
    if lower[0] in _OWN and not _NEVER_OWN.isdisjoint(lower):
        return None
    if _HURTS.search(" ".join(lower)):
        return None
    act = _act_of(lower)
    told = " ".join(swapped(words, lower))
    content = content_of(told) - content_of(" ".join(_VAGUE))
    is_short = len(words) < _SHORT and act not in _ENOUGH_WITH_ONE
    if len(content) < (_ENOUGH if is_short else 1) or find_unsafe(told):
        return None
    if tone_of(told) == 0 and not any(map(to_fine, lower)):
        return TakenUp(told, act)
    # What others feel may be told back, what the caller feels is the bank's.
    return TakenUp(told, "other") if act in ("other", "says") else None


def _act_of(lower: Sequence[str]) -> Act:
    clause = " ".join(lower)
    for act, pattern in _ACTS:
        if pattern.search(clause):
            return act
    if lower[0] in _THINGS:
        return "tells"
    is_of_others = lower[0] not in _OWN and lower[1] not in _OWN
    return "other" if is_of_others or not _SUPPOSED.isdisjoint(lower[1:3]) else "tells"
