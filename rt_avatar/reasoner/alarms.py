"""Notice that a life may be in danger: suicide, an emergency, violence, harm about to be done.

Text → what kind of alarm, by the words of ``suicide``, ``emergency`` and ``violence``.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from rt_avatar.reasoner.emergency import Urgent, find_emergency
from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.suicide import Suicidal, find_suicidal, is_hopeless
from rt_avatar.reasoner.violence import Violent, find_violence, was_hurt

Alarm: TypeAlias = Suicidal | Urgent | Violent
SUICIDAL: Final = frozenset[Alarm]({"suicide", "others_suicide", "unclear"})
_KEPT: Final = 512  # turns; those of a call are looked at again with every request
_HOPELESS_TURNS: Final = 3  # caller's utterances among which a second one of despair is asked about


def find_alarm(text: str, before: Sequence[str] = ()) -> Alarm | None:
    """Return whose life may be in danger, and by what; None: nobody's.

    Args:
        text: What was said; recognisers' errors only hide an alarm.
        before: The caller's turns before it, the oldest first.
    """
    if found := _alarm_of(text):
        return found
    recent = before[-_HOPELESS_TURNS:]
    return "unclear" if is_despair(text) and any(map(is_despair, recent)) else None


@lru_cache(_KEPT)
def _alarm_of(text: str) -> Alarm | None:
    words = _joined(text)
    suicidal = find_suicidal(words)
    if suicidal and suicidal != "unclear":
        return suicidal
    return find_emergency(words) or find_violence(words) or suicidal


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
