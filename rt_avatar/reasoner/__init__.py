"""Reasoners: transcript, affect and history → a plan and the clauses of a reply.

``Reasoner`` is shared by all callers; ``open`` gives one caller's ``Conversation``. ``listen`` gets
partial transcripts (thinking while listening); ``reply`` yields exactly one ``Plan`` and then
``Clause``s. ``reply`` may be cancelled at any await (a discarded preemptive reply, a barge-in)
and must then leave the conversation as if it had never been called. What was really said is not
the reasoner's to remember: it gets the history, cut at the last word heard, with every request.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from rt_avatar.budget import FULL_EFFORT, Effort
from rt_avatar.engines.types import Image, Pcm
from rt_avatar.messages import Affect, Clause, Plan, Transcript, TurnId
from rt_avatar.personas import Persona

__all__ = ["ChatMessage", "Conversation", "Reasoner", "ReplyRequest"]

_UNKNOWN: Final = TurnId(0)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One side's words in the history; the avatar's are only those that were played.

    ``turn`` is that of the reply: with it a conversation finds what it made of an utterance.
    """

    role: Literal["caller", "avatar"]
    text: str
    was_interrupted: bool = False
    turn: TurnId = _UNKNOWN


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """All that a reply depends on.

    Attributes:
        turn: Id that the plan and the clauses must bear.
        transcript: What the caller said; may be empty (the caller made a sound without words).
        affect: How the caller seems to feel.
        history: Earlier exchanges, oldest first, without this utterance.
        persona: Who the avatar is.
        greet: True once, at the start of a call: say hello, nobody has spoken yet.
        effort: What the budget leaves for it.
        sound: (samples,) at 16 kHz, the utterance so far, and no shorter in its next request
            unless it lasts for a minute; None: typed.
        pictures: Of the caller's face meanwhile, those to look at; may be empty.
    """

    turn: TurnId
    transcript: Transcript
    affect: Affect
    history: tuple[ChatMessage, ...]
    persona: Persona
    greet: bool = False
    effort: Effort = FULL_EFFORT
    sound: Pcm | None = field(default=None, compare=False, repr=False)
    pictures: tuple[Image, ...] = field(default=(), compare=False, repr=False)


class Conversation(Protocol):
    """One caller's side of a reasoner."""

    async def listen(self, so_far: ReplyRequest) -> None:
        """Think while the caller still speaks; its transcript is not final.

        May take long: one call at a time, the next with the newest words (``prethink``). Cancelled
        when a reply is begun. May do nothing; never raises for odd text or a failing model.
        """
        ...

    def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield one ``Plan``, then ``Clause``s with rising ``index``.

        Raises:
            ReasonerError: The model failed; what was yielded before stays valid.
        """
        ...

    async def aclose(self) -> None:
        """Give back what the conversation holds."""
        ...


class Reasoner(Protocol):
    """A kind of reasoner, shared by all callers."""

    @property
    def name(self) -> str:
        """``"reflective"``, ``"empathyear"``…: shown on the page."""
        ...

    def open(self) -> Conversation:
        """Create one caller's conversation."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...
