"""The TTS service: ``Clause`` + voice style → ``SpeechChunk``s, on the voice's thread.

It does not know who wrote the words nor what the face does with the sounds.
"""

import asyncio
from collections.abc import Iterator
from typing import Final, Protocol

from rt_avatar.engines.tts import SpeechRequest, SpeechStream, Voice
from rt_avatar.engines.types import CHUNK_S, SpeechChunk, VoiceStyle
from rt_avatar.errors import EngineError
from rt_avatar.messages import Clause
from rt_avatar.queues import END, End, Pipe
from rt_avatar.services.worker import EngineWorker

# What was said waits at most this long for the next clause before the time at which it would be
# heard: a chunk in the making, one in the look-ahead of the face.
SETTLE_S: Final = 0.4


class TtsService(Protocol):
    """What a turn needs of a voice."""

    def warmup(self) -> None:
        """Do the slow first steps now. Blocking; never fails."""
        ...

    async def prepare(self) -> None:
        """Somebody will soon be answered: do what can be done before the words. Never fails."""
        ...

    async def speak(
        self,
        voice: str,
        style: VoiceStyle,
        clauses: Pipe[Clause | End],
        chunks: Pipe[SpeechChunk | End],
    ) -> None:
        """Speak clauses until ``END``, then pass ``END`` on."""
        ...

    async def aclose(self) -> None:
        """Give back what this event loop holds; it may speak again."""
        ...


class LocalTts:
    """Speech by an engine of this process; shared by all callers, one stream a reply."""

    def __init__(self, engine: Voice, worker: EngineWorker) -> None:
        self._engine = engine
        self._worker = worker

    def warmup(self) -> None:
        """Do nothing: the first clause is as quick as the others."""

    async def prepare(self) -> None:
        """Do nothing: it is always ready."""

    async def aclose(self) -> None:
        """Do nothing: it holds nothing of a loop."""

    async def speak(
        self,
        voice: str,
        style: VoiceStyle,
        clauses: Pipe[Clause | End],
        chunks: Pipe[SpeechChunk | End],
    ) -> None:
        """Speak clause by clause; every chunk leaves as soon as it is made.

        When the next clause is late, all that was said is heard before it comes.

        Raises:
            EngineError: The voice failed, or can say nothing of all clauses.
        """
        stream = self._engine.open(voice)
        asked = said_chunks = 0
        loop = asyncio.get_running_loop()
        due_s: float | None = None  # loop time at which the next chunk is heard, at the earliest
        late_s: float | None = None  # at which what was said does not wait for more
        try:
            while not isinstance(clause := await _next_clause(clauses, late_s), End):
                due_s = due_s or loop.time()
                asked += clause is not None
                said = _said(stream, style, clause)
                while (chunk := await self._worker.call(_next, said, deadline_s=due_s)) is not None:
                    due_s = max(due_s, loop.time()) + CHUNK_S
                    said_chunks += 1
                    await chunks.put(chunk)
                late_s = None if clause is None else due_s - SETTLE_S
            for chunk in await self._worker.call(stream.flush, deadline_s=due_s):
                said_chunks += 1
                await chunks.put(chunk)
        except (ValueError, RuntimeError, OSError) as error:
            raise EngineError("voice", str(error), retryable=True) from error
        finally:
            stream.close()
        if asked and not said_chunks:
            raise EngineError(
                "voice",
                f"expected words that it can say; got none in {asked} clauses. Is the reply in a "
                "script that this voice does not read? Ask the model for another, or set tts.kind",
            )
        await chunks.put(END)


async def _next_clause(clauses: Pipe[Clause | End], late_s: float | None) -> Clause | End | None:
    """Return the next clause; None: there is none by then."""
    try:
        async with asyncio.timeout_at(late_s):
            return await clauses.get()
    except TimeoutError:
        return None


def _said(stream: SpeechStream, style: VoiceStyle, clause: Clause | None) -> Iterator[SpeechChunk]:
    """Say a clause; None: what is left of those before it."""
    if clause is None:
        yield from stream.settle()
    else:
        yield from stream.say(SpeechRequest(clause.text, style, clause.index, clause.states))


def _next(said: Iterator[SpeechChunk]) -> SpeechChunk | None:
    return next(said, None)
