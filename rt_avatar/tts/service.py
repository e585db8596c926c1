"""The TTS service: ``Clause`` + voice style → ``SpeechChunk``s, on the voice's thread.

It does not know who wrote the words nor what the face does with the sounds.
"""

from collections.abc import Iterator
from typing import Protocol

from rt_avatar.engines.tts import SpeechRequest, SpeechStream, Voice
from rt_avatar.engines.types import SpeechChunk, VoiceStyle
from rt_avatar.errors import EngineError
from rt_avatar.messages import Clause
from rt_avatar.queues import END, End, Pipe
from rt_avatar.services.worker import EngineWorker
from rt_avatar.tts.reply_clock import ReplyClock


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
        clock: ReplyClock | None = None,
    ) -> None:
        """Speak clauses until ``END``, then pass ``END`` on; no clock: heard as it is made."""
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
        clock: ReplyClock | None = None,
    ) -> None:
        """Speak clause by clause; every chunk leaves as soon as it is made.

        When the next clause is late, all that was said is heard before it comes.

        Raises:
            EngineError: The voice failed, or can say nothing of all clauses.
        """
        stream = self._engine.open(voice)
        asked = said_chunks = 0
        clock = clock or ReplyClock()
        is_settled = True  # nothing was said that would wait for more
        try:
            while not isinstance(
                clause := await _next_clause(clauses, None if is_settled else clock), End
            ):
                asked += clause is not None
                said = _said(stream, style, clause)
                while chunk := await self._worker.call(_next, said, deadline_s=clock.due_s):
                    clock.note_chunk()
                    said_chunks += 1
                    await chunks.put(chunk)
                is_settled = clause is None
            for chunk in await self._worker.call(stream.flush, deadline_s=clock.due_s):
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


async def _next_clause(
    clauses: Pipe[Clause | End], clock: ReplyClock | None
) -> Clause | End | None:
    """Return the next clause; None: it is late. Without a clock none is."""
    if clock is None:
        return await clauses.get()
    try:
        async with clock.in_time():
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
