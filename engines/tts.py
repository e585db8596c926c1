"""The contract of every voice (text to speech): ``SpeechRequest`` → ``SpeechChunk``s of 200 ms.

``Voice.open(name) -> SpeechStream``, one stream a reply. A new voice implements these two; it knows
neither who wrote the words nor what the face does with the sounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from rt_avatar.engines.contract import Stream
from rt_avatar.engines.types import SpeechChunk, Vector, VoiceStyle


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """Words to say next.

    Attributes:
        text: A clause, as it was written; a voice may shorten what is too long to be a clause.
        style: How.
        clause_index: Number that its chunks bear.
        states: (tokens, width) hidden states of the language model that wrote the words; only a
            voice of the same network takes them.
    """

    text: str
    style: VoiceStyle
    clause_index: int
    states: Vector | None = field(default=None, compare=False, repr=False)


class SpeechStream(Stream[SpeechRequest, SpeechChunk], Protocol):
    """One reply being spoken: the clauses follow one another on one time line."""

    def say(self, item: SpeechRequest) -> Iterator[SpeechChunk]:
        """Yield what ``push`` would return, each chunk as soon as it is made.

        All of it is to be taken before the next call, unless that is ``reset`` or ``close``.
        """
        ...

    def settle(self) -> list[SpeechChunk]:
        """The next clause is late: return what is left, and silence that lets the lips shut.

        That silence takes the place of the pause before the next clause, which goes on after it;
        nothing where nothing was said since the last time.
        """
        ...


class Voice(Protocol):
    """A speech engine, shared by all callers."""

    def open(self, voice: str) -> SpeechStream:
        """Begin one reply in the voice of that name.

        Raises:
            ValueError: There is no voice of that name.
        """
        ...
