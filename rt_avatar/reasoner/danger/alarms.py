"""Notice that a life may be in danger: suicide, an emergency, violence, harm about to be done.

Text → what kind of alarm, by the words of ``suicide``, ``emergency`` and ``violence``, and by a
network that hears what they have not (``engines.text_danger``). Where it is not sure, the caller is
asked, and not again for a while.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.text_danger import HEARD, SURE, DangerEstimate, TextDangerClassifier
from rt_avatar.engines.word_set import any_of
from rt_avatar.reasoner.danger.emergency import Urgent, find_emergency
from rt_avatar.reasoner.danger.farewells import hints_at_death
from rt_avatar.reasoner.danger.hushed import hints_at_harm
from rt_avatar.reasoner.danger.suicide import Suicidal, find_suicidal, is_hopeless
from rt_avatar.reasoner.danger.symptoms import find_symptoms
from rt_avatar.reasoner.danger.unguarded import Unguarded, find_unguarded
from rt_avatar.reasoner.danger.violence import Violent, find_violence, was_hurt
from rt_avatar.reasoner.nlu.feelings import words_of

# The network is not sure that somebody is not safe, or thinks of suicide: it is asked.
Alarm: TypeAlias = Suicidal | Urgent | Violent | Unguarded | Literal["unsure", "unsure_suicide"]
SUICIDAL: Final = frozenset[Alarm]({"suicide", "others_suicide", "unclear", "unsure_suicide"})
UNSURE: Final = frozenset[Alarm | None]({"unsure", "unsure_suicide"})
_KEPT: Final = 512  # turns; those of a call are looked at again with every request
_HOPELESS_TURNS: Final = 3  # caller's utterances among which a second one of despair is asked about
# Figures of speech, small children and animals, and what is denied, that the network takes for
# danger.
_HARMLESS: Final = any_of(
    r"(?:hit|hits) me (?:with (?:the|a) (?:news|question|bill)|in (?:dodgeball|the game))\b",
    r"(?:beat|beats) me (?:to it|at \w+|in \w+|by \w+)\b",
    r"(?:the|my|our|a|this) (?:little (?:brother|sister|boy|girl|one|cousin)|toddler|baby|cat|dog|"
    r"kitten|puppy|parrot|rabbit|horse|goat|(?:two|three|four|five|\d) year old) (?:just |always )?"
    r"(?:hit|hits|punched|kicked|kicks|bit|bites|scratched|scratches|slapped|attacked)\b",
    r"i (?:dont|do not|didnt) want to die$",
    r"(?:he|she|they) (?:didnt|never|doesnt) (?:hit|hurt|touch) (?:me|her|him|anyone)$",
    r"wake up (?:early|late|in time|for|at)\b",
    r"^(?:ive|i have) (?:got )?(?:a|this) (?:bit of a |terrible |bad |splitting |slight |nasty )?"
    r"(?:headache|cold|cough|sore throat)$",
    r"^(?:my|his|her) (?:chest|head|nose) is full of (?:a )?cold$",
    r"^(?:does|will|when (?:does|will)) it (?:ever |really )?get (?:any )?easier\b[^.]*$",
    r"want to live (?:with (?:us|me|him|her|them|my|his|their)|near|next|there|here|alone|apart|"
    r"together|in (?:an?|the|this) (?:house|flat|apartment|town|city|country|village|place))\b",
    # Long over; what the lists know of it is asked all the same.
    r"(?:when i was (?:little|small|young|a (?:little |small )?(?:kid|child|boy|girl))|"
    r"as a (?:kid|child)|(?:many|ten|twenty|thirty|forty) years ago)\b",
)
_FEW_WORDS: Final = 4  # with fewer, a network tells nothing that the words on the lists do not
_HINTED_TURNS: Final = 3  # before a turn, that may tell whom it is about


def find_alarm(
    text: str, before: Sequence[str] = (), *, is_sensed: bool = True, was_asked: bool = False
) -> Alarm | None:
    """Return whose life may be in danger, and by what; None: nobody's.

    Args:
        text: What was said; recognisers' errors only hide an alarm.
        before: The caller's turns before it, the oldest first.
        is_sensed: Whether the network is asked, too.
        was_asked: Whether the caller was asked not long ago: not again for being unsure.
    """
    if found := find_told(text):
        return found
    sensed = _unsure_of(text, before) if is_sensed else None
    if sensed and not (sensed in UNSURE and was_asked):
        return sensed
    recent = before[-_HOPELESS_TURNS:]
    return "unclear" if is_despair(text) and any(map(is_despair, recent)) else None


@lru_cache(_KEPT)
def find_told(text: str) -> Alarm | None:
    """Return the alarm of the words on the lists alone; None where there is none."""
    words = _joined(text)
    suicidal = find_suicidal(words)
    if suicidal and suicidal != "unclear":
        return suicidal
    urgent = find_emergency(words) or find_symptoms(words)
    return urgent or find_violence(words) or find_unguarded(words) or suicidal


def is_unsure(text: str, before: Sequence[str]) -> bool:
    """Whether the network is not sure of a turn, or the turn only hints at danger."""
    return _unsure_of(text, before) in UNSURE


def _unsure_of(text: str, before: Sequence[str]) -> Alarm | None:
    """Return the alarm of the network where it is sure, else what is to be asked."""
    sensed = _sensed(text)
    if sensed and sensed not in UNSURE:
        return sensed
    return find_hint(text, tuple(before[-_HINTED_TURNS:])) or sensed


@lru_cache(_KEPT)
def find_hint(text: str, before: tuple[str, ...] = ()) -> Alarm | None:
    """Return what is to be asked by what a turn only hints at; None where it hints at nothing."""
    if hints_at_death(_joined(text), *map(_joined, before)):
        return "unsure_suicide"
    return "unsure" if hints_at_harm(_joined(text)) else None


@lru_cache(_KEPT)
def _sensed(text: str) -> Alarm | None:
    """Return the alarm of the network: a kind where it is sure, else what asks for it."""
    words = words_of(text)
    if len(words) < _FEW_WORDS or _HARMLESS.search(" ".join(words)):
        return None
    found = _estimate(text)
    if found.probability < HEARD:
        return None
    if found.probability >= SURE:
        return found.likeliest
    return "unsure_suicide" if found.likeliest in ("suicide", "unclear") else "unsure"


def danger_of(text: str) -> float:
    """Return how likely the networks find danger in a turn, 0 to 1; the lists are not asked."""
    return _estimate(text).probability


@lru_cache(_KEPT)
def _estimate(text: str) -> DangerEstimate:
    return _classifier().classify(text)


@cache
def _classifier() -> TextDangerClassifier:
    return TextDangerClassifier()


@lru_cache(_KEPT)
def is_despair(text: str) -> bool:
    """Whether a turn is of despair, which is no alarm yet."""
    return is_hopeless(_joined(text))


@lru_cache(_KEPT)
def is_violence(text: str) -> bool:
    """Whether somebody hurt or threatened the caller, be it long ago."""
    return was_hurt(_joined(text))


def _joined(text: str) -> str:
    return " ".join(words_of(text))
