"""The words around a word, and what they tell of its part of speech.

Words are as they are said, in lower case.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final


@dataclass(frozen=True, slots=True)
class Context:
    """The words around: nearest last before, nearest first behind; at most four each."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def last(self) -> str:
        """The word before; "" at the beginning and behind a mark."""
        return self.before[-1] if self.before else ""

    @property
    def next(self) -> str:
        """The word behind; "" at the end and before a mark."""
        return self.after[0] if self.after else ""


Condition = Callable[[Context], bool]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS: Final = _set(
    "a an the this that these those my your his her its our their some any no every each another "
    "what which whose"
)
_SUBJECTS: Final = _set("i you we they who people")
SUBJECTS_3: Final = _set("he she it that this who everyone somebody someone")
MODALS: Final = _set(
    "to will would can could should shall may might must do does did don't doesn't didn't won't "
    "can't couldn't wouldn't shouldn't cannot let's gonna wanna i'll you'll we'll they'll he'll "
    "she'll it'll i'd you'd we'd they'd he'd she'd please not never let us help helps"
)
# Begin a question of what somebody does: "where does she live".
ASKING: Final = _set(
    "do does did will would can could should shall may might must don't doesn't didn't won't can't "
    "wouldn't couldn't shouldn't"
)
_ASKED: Final = (SUBJECTS_3 - DETERMINERS) | _set("anyone anybody everybody somebody nobody")
_HAVE: Final = _set(
    "have has had having i've you've we've they've haven't hasn't hadn't who've should've "
    "could've would've"
)
_BE: Final = _set(
    "is are was were be been being am i'm you're we're they're he's she's it's isn't aren't wasn't "
    "weren't get gets got getting that's"
)
_ADVERBS: Final = _set(
    "just always never often also even really ever already still only recently actually usually "
    "probably sometimes both all now then finally once twice not"
)
_PREPOSITIONS: Final = _set(
    "of in on at by for from with about into onto over under between through after before during "
    "without against near like as"
)
PAST: Final = _set("yesterday ago earlier once when last week month year before recently already")
OBJECTS: Final = _set(
    "it this that them me him her us you the a an my your his our their its these those to"
)


def _skip_adverbs(context: Context) -> str:
    """Return the nearest word before that is no adverb."""
    return next((word for word in reversed(context.before) if word not in _ADVERBS), "")


def is_verb(context: Context) -> bool:
    """Whether it stands where the plain form of a verb does."""
    before = _skip_adverbs(context)
    return before in MODALS or before in _SUBJECTS or is_asked(context)


def is_asked(context: Context) -> bool:
    """Whether it is what a question asks of somebody: "does she still …"."""
    plain = [word for word in context.before if word not in _ADVERBS][-2:]
    return len(plain) == 2 and plain[0] in ASKING and plain[1] in _ASKED


def is_said_in_past(context: Context) -> bool:
    """Whether "just" stands before it behind somebody who did it: "I just …"."""
    *earlier, subject, last = ("", "", *context.before)
    is_told = subject in _SUBJECTS | SUBJECTS_3 and not {*earlier} & (MODALS | ASKING)
    return last == "just" and is_told


def is_noun(context: Context) -> bool:
    """Whether it stands where a noun does."""
    last = context.last
    return last in DETERMINERS or (last in _PREPOSITIONS and last != "to") or last.endswith("'s")


def is_participle(context: Context) -> bool:
    """Whether it stands behind a form of have or be."""
    if _skip_adverbs(context) in _HAVE | _BE:
        return True
    recent = context.before[-3:]  # "have you ever …"
    return any(a in _HAVE and b in _SUBJECTS | SUBJECTS_3 for a, b in pairwise(recent))


def near(*words: str) -> Condition:
    """Return whether one of these is among the words around."""
    wanted = frozenset(words)
    return lambda context: bool(wanted & {*context.before, *context.after})


def after(*words: str) -> Condition:
    """Return whether the word before is one of these, adverbs aside."""
    wanted = frozenset(words)
    return lambda context: context.last in wanted or _skip_adverbs(context) in wanted


def next_is(*words: str) -> Condition:
    """Return whether the word behind is one of these."""
    wanted = frozenset(words)
    return lambda context: context.next in wanted


def next_is_object(context: Context) -> bool:
    """Whether what follows begins an object."""
    return context.next in OBJECTS
