"""Commands of a caller besides speech: user text, persona, face, voice, greeting, interrupt."""

from dataclasses import dataclass
from typing import Final

from rt_avatar.personas import Persona

MAX_TEXT_CHARS: Final = 2000  # typed at once: a page of text


@dataclass(frozen=True, slots=True)
class UserText:
    """The caller typed something."""

    text: str


@dataclass(frozen=True, slots=True)
class ChangePersona:
    """Another person shall answer."""

    persona: Persona


@dataclass(frozen=True, slots=True)
class ChangeFace:
    """The same persona shall show another face.

    Attributes:
        look: Of the renderer; empty: the persona's own.
    """

    look: str


@dataclass(frozen=True, slots=True)
class ChangeVoice:
    """The same persona shall speak in another voice.

    Attributes:
        voice: Of the voice's engine; empty: the persona's own.
    """

    voice: str


@dataclass(frozen=True, slots=True)
class Greet:
    """The call has begun: say hello."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Stop the reply."""


Command = UserText | ChangePersona | ChangeFace | ChangeVoice | Greet | Interrupt
