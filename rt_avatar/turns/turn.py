"""One reply, from the request to chunks in its buffer: reasoner → TTS → talking head.

Three child tasks in one group, joined by bounded queues; a full queue makes the stage before it
wait (text and speech must not be lost). Cancelling the turn's task cancels all three; nothing of a
turn lives outside its own objects, so a discarded preemptive reply leaves no trace.
"""

import asyncio
import logging
from contextlib import aclosing
from dataclasses import replace

from rt_avatar.budget import Budget
from rt_avatar.engines.types import FaceStyle, SpeechChunk, VoiceStyle
from rt_avatar.errors import ReasonerError, TurnError
from rt_avatar.messages import Chain, Clause, Plan
from rt_avatar.personas import find_persona
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.queues import END, End, Pipe
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.prethink import Prethink
from rt_avatar.services.engines import Engines
from rt_avatar.talking_head.animation import animate
from rt_avatar.telemetry.logs import log_context
from rt_avatar.telemetry.trace import TurnTrace
from rt_avatar.tts.reply_clock import ReplyClock

_log = logging.getLogger(__name__)

# Four clauses are some 10 s of speech; two chunks keep the voice one chunk ahead of the face.
_CLAUSES_AHEAD = 4
_CHUNKS_AHEAD = 2

APOLOGY = "I'm sorry, I lost my train of thought. Could you say that once more?"


class Turn:
    """A reply in the making. ``start`` once; ``reply`` fills while it runs.

    Responsibilities: 1. ask the reasoner; 2. have its clauses spoken; 3. have the face moved to
    them; 4. mark the trace. It does not release anything: that is the session's decision.

    Attributes:
        plan: Becomes done with the plan, or cancelled when the turn ends without one.
        failure: What went wrong, if anything did; what is in ``reply`` stays valid.
    """

    def __init__(
        self,
        request: ReplyRequest,
        prethink: Prethink,
        engines: Engines,
        budget: Budget,
        ahead_s: float,
        voice: str = "",
    ) -> None:
        self.request = request
        self._voice = voice  # that speaks; empty: the persona's own
        self.trace = TurnTrace(request.turn, _now())
        self.reply = ReplyBuffer(request.turn, ahead_s)
        self.plan: asyncio.Future[Plan] = asyncio.get_running_loop().create_future()
        self.failure: TurnError | None = None
        self._task: asyncio.Task[None] | None = None
        self._reasoning: asyncio.Task[None] | None = None
        self._prethink = prethink
        self._has_clause = False
        self._engines = engines
        self._budget = budget
        self._clock = ReplyClock(is_released=False)
        self._clauses: Pipe[Clause | End] = asyncio.Queue(maxsize=_CLAUSES_AHEAD)  # full: block
        self._chunks: Pipe[SpeechChunk | End] = asyncio.Queue(maxsize=_CHUNKS_AHEAD)  # full: block

    def start(self, group: asyncio.TaskGroup) -> None:
        """Begin making the reply in a task of the session's group."""
        self._task = group.create_task(self._run(), name=f"turn {self.request.turn}")

    def release(self) -> None:
        """Take note that it is heard from now on."""
        self._clock.release()

    async def cancel(self) -> None:
        """Stop making it and wait until its task is gone. Does nothing when it is done."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})

    async def discard(self) -> None:
        """Stop making it, as ``cancel``: it was made ahead, and nobody will hear it."""
        self._engines.metrics.count_discarded()
        await self.cancel()

    async def _run(self) -> None:
        """Make the whole reply; ends when its last chunk is in the buffer, or with ``failure``."""
        with log_context(turn=self.request.turn):
            await self._make()

    async def _make(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                self._reasoning = group.create_task(self._reason())
                group.create_task(self._speak())
                group.create_task(self._animate())
        except* Exception as errors:  # a turn's boundary: its call must not notice
            self._fail(_first(errors))
        finally:
            self.reply.end()
            self.plan.cancel()  # does nothing when it is done

    def _fail(self, error: Exception) -> None:
        """Note what went wrong, for the log; an error that nobody foresaw with its traceback."""
        if isinstance(error, TurnError):
            _log.warning("the reply failed: %s", error)
            self.failure = error
        else:
            _log.error("the reply failed", exc_info=error)
            self.failure = TurnError(f"{type(error).__name__}: {error}")

    async def _reason(self) -> None:
        try:
            if not await self._follow(self.request, self._budget.chain_limit_s):
                self._budget.gave_up_chain()
                await self._follow(replace(self.request, effort=self._budget.effort), None)
        except Exception as error:  # as in _run; and the caller hears an apology
            self._fail(error)
            if not self._has_clause:
                await self._apologise()
        await self._clauses.put(END)

    async def _follow(self, request: ReplyRequest, plan_within_s: float | None) -> bool:
        """Pass on what the reasoner gives; return False if no plan came in time.

        Raises:
            ReasonerError: It failed.
        """
        # Closed here, so that a cancelled reply stops the model at once.
        async with aclosing(self._prethink.reply(request)) as items:
            try:
                async with asyncio.timeout(plan_within_s):
                    plan = await anext(items, None)
            except TimeoutError:
                return False
            if not isinstance(plan, Plan):
                raise ReasonerError("the reasoner gave no plan; expected one before the words")
            self._plan_is(plan)
            async for item in items:
                if isinstance(item, Clause):
                    self.trace.mark("first_clause", _now())
                    self._has_clause = True
                    await self._clauses.put(item)
        return True

    async def _apologise(self) -> None:
        """Say that the reply failed: better than silence, and the avatar listens on."""
        if not self.plan.done():
            self._plan_is(
                Plan(
                    turn=self.request.turn,
                    pts=0,
                    chain=Chain(),
                    user_emotion=self.request.affect.emotion,
                    voice=VoiceStyle(),
                    face=FaceStyle(),
                )
            )
        self.trace.mark("first_clause", _now())
        await self._clauses.put(Clause(self.request.turn, 0, 0, APOLOGY))

    def _plan_is(self, plan: Plan) -> None:
        self.trace.mark("plan", _now())
        self.plan.set_result(plan)

    async def _speak(self) -> None:
        """Speak; when the voice fails, what it has said is still heard, with its face."""
        assert self._reasoning is not None, "the group began it"
        speech = self._engines.speech
        async with asyncio.TaskGroup() as group:
            preparing = group.create_task(speech.prepare())
            plan = await self.plan
            persona = find_persona(plan.persona) if plan.persona else self.request.persona
            try:
                voice = self._voice or persona.voice
                await speech.speak(voice, plan.voice, self._clauses, self._chunks, self._clock)
            except Exception as error:  # as in _run; and what was said is heard
                self._fail(error)
                self._reasoning.cancel()  # nobody would speak what follows
                await self._chunks.put(END)
            preparing.cancel()

    async def _animate(self) -> None:
        plan = await self.plan
        await animate(
            plan,
            self._chunks,
            self.reply,
            self.trace,
            self._budget,
            self._engines.articulator,
            self._engines.face_worker,
        )


def _now() -> float:
    return asyncio.get_running_loop().time()


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    """Return the first error of a group that may hold groups."""
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


def says_the_same(preemptive: str, final: str) -> bool:
    """Whether two transcripts have the same words, whatever their marks and capitals."""
    return _words(preemptive) == _words(final)


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c.isspace() else " " for c in text).lower().split()
