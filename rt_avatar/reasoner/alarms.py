"""Notice that a life may be in danger: suicide, an emergency, violence, harm about to be done.

Text → what kind of alarm, by the words of ``suicide``, ``emergency`` and ``violence``.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from rt_avatar.reasoner.emergency import Urgent, find_emergency
from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.suicide import Suicidal, find_suicidal, is_hopeless
from rt_avatar.reasoner.violence import Violent, find_violence, was_hurt

Alarm: TypeAlias = Suicidal | Urgent | Violent
SUICIDAL: Final = frozenset[Alarm]({"suicide", "others_suicide", "unclear"})
_HOPELESS_TURNS: Final = 3  # caller's utterances among which a second one of despair is asked about


def find_alarm(text: str, before: Sequence[str] = ()) -> Alarm | None:
    """Return whose life may be in danger, and by what; None: nobody's.

    Args:
        text: What was said; recognisers' errors only hide an alarm.
        before: The caller's turns before it, the oldest first.
    """
    words = _joined(text)
    suicidal = find_suicidal(words)
    if suicidal and suicidal != "unclear":
        return suicidal
    if found := find_emergency(words) or find_violence(words):
        return found
    recent = before[-_HOPELESS_TURNS:]
    is_twice = is_hopeless(words) and any(is_hopeless(_joined(one)) for one in recent)
    return "unclear" if suicidal or is_twice else None


def is_despair(text: str) -> bool:
    """Whether a turn is of despair, which is no alarm yet."""
    return is_hopeless(_joined(text))


def is_violence(text: str) -> bool:
    """Whether somebody hurt or threatened the caller, be it long ago."""
    return was_hurt(_joined(text))


def _joined(text: str) -> str:
    return " ".join(words_of(text))
