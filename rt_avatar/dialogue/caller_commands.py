"""What a caller can do besides speaking: items for the session's inbox."""

from dataclasses import dataclass
from typing import Final

from rt_avatar.profiles import Profile

MAX_TEXT_CHARS: Final = 2000  # typed at once: a page of text


@dataclass(frozen=True, slots=True)
class Say:
    """The caller typed something."""

    text: str


@dataclass(frozen=True, slots=True)
class ChangeProfile:
    """Another person shall answer."""

    profile: Profile


@dataclass(frozen=True, slots=True)
class Greet:
    """The call has begun: say hello."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Stop the reply."""


Command = Say | ChangeProfile | Greet | Interrupt
