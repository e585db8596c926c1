"""Commands of a caller besides speech: user text, persona, face, voice, greeting, interrupt."""

from dataclasses import dataclass
from typing import Final, Self

from rt_avatar.errors import BadInputError, SetupError
from rt_avatar.personas import Persona, find_persona

MAX_TEXT_CHARS: Final = 2000  # typed at once: a page of text


@dataclass(frozen=True, slots=True)
class UserText:
    """The caller typed something."""

    text: str

    @classmethod
    def typed(cls, text: str) -> Self:
        """Return it with single blanks.

        Raises:
            BadInputError: Nothing in it, or longer than 2,000 characters.
        """
        text = " ".join(text.split())
        if not text:
            raise BadInputError("text: expected some words, got none", reason="empty_text")
        if len(text) > MAX_TEXT_CHARS:
            raise BadInputError(
                f"text: expected at most {MAX_TEXT_CHARS} characters, got {len(text)}; "
                "send it in parts",
                reason="text_too_long",
            )
        return cls(text)


@dataclass(frozen=True, slots=True)
class ChangePersona:
    """Another person shall answer."""

    persona: Persona

    @classmethod
    def to(cls, name: str) -> Self:
        """Return the change to the persona of that name.

        Raises:
            BadInputError: There is no such persona.
        """
        try:
            return cls(find_persona(name))
        except SetupError as error:
            raise BadInputError(str(error), reason="unknown_persona") from error


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
