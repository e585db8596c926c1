"""A call inside this process: a session on real engines, silence as microphone, ears and eyes.

Nothing is encoded and no network is between: what it measures is the session alone.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.config.settings import Settings
from rt_avatar.engines.types import WIRE_RATE_HZ
from rt_avatar.media_io import BLOCK_SAMPLES, MediaEndedError
from rt_avatar.messages import State, StateChanged, Trace
from rt_avatar.personas import find_persona
from rt_avatar.reasoner import Reasoner
from rt_avatar.services.engines import Engines
from rt_avatar.session import Session

AUDIBLE: Final = 0.005 * 32768  # −46 dBFS: quieter cannot be told from a room
_SOUND_LIMIT_S: Final = 20.0  # longest wait for the first sound, and for the end
_QUIET_BLOCKS: Final = 10  # so many blocks of 20 ms between two replies, for a clean start


@dataclass(slots=True)
class Watched:
    """What went out while a reply was played for ``seconds``.

    Attributes:
        sent: Pictures sent.
        drawn: Of them, those that differ from the one before.
        breaks: Blocks of 20 ms of the reply that were not made in time.
    """

    seconds: float
    sent: int = 0
    drawn: int = 0
    breaks: int = 0


class LocalCall:
    """One call; made by ``local_call``."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._pictures = 0
        self._new_pictures = 0
        self._audible_at_s = 0.0
        self._state: State = "listening"
        self._trace: Trace | None = None
        self._news = asyncio.Condition()

    async def turn(self, text: str, watched: Watched | None = None) -> tuple[float, Trace]:
        """Type, wait for the first sound, interrupt; return seconds to that sound and the trace.

        Args:
            text: What is typed.
            watched: If given, the reply first goes on for its seconds, and it is filled.

        Raises:
            TimeoutError: No sound came.
        """
        loop = asyncio.get_running_loop()
        begin_s = loop.time()
        self._trace = None
        self.session.send_text(text)
        async with asyncio.timeout(_SOUND_LIMIT_S):
            await self._until(lambda: self._audible_at_s > begin_s)
        first_s = self._audible_at_s - begin_s
        if watched is not None:
            sent, drawn = self._pictures, self._new_pictures
            breaks = self.session.statistics().underruns
            await asyncio.sleep(watched.seconds)
            watched.sent = self._pictures - sent
            watched.drawn = self._new_pictures - drawn
            watched.breaks = self.session.statistics().underruns - breaks
        self.session.interrupt()
        async with asyncio.timeout(_SOUND_LIMIT_S):
            await self._until(lambda: self._trace is not None)
        await self.quiet()
        assert self._trace is not None
        return first_s, self._trace

    async def quiet(self) -> None:
        """Wait until nothing is said, and a little longer."""
        await self._until(lambda: self._state == "listening")
        await asyncio.sleep(_QUIET_BLOCKS * BLOCK_SAMPLES / WIRE_RATE_HZ)

    async def _until(self, is_true: Callable[[], bool]) -> None:
        async with self._news:
            await self._news.wait_for(is_true)

    async def hear(self) -> None:
        """Take the sound as it comes."""
        loop, was_audible = asyncio.get_running_loop(), False
        while True:
            block = await self.session.media_output.next_audio()
            is_audible = bool(np.abs(block.pcm).max() > AUDIBLE)
            if is_audible and not was_audible:
                self._audible_at_s = loop.time()
                async with self._news:
                    self._news.notify_all()
            was_audible = is_audible

    async def see(self) -> None:
        """Take the pictures as they come."""
        last = None
        while True:
            picture = await self.session.media_output.next_video()
            self._pictures += 1
            self._new_pictures += picture.planes is not last
            last = picture.planes

    async def speak(self) -> None:
        """Be silent into the microphone, in real time."""
        loop, silence = asyncio.get_running_loop(), np.zeros(BLOCK_SAMPLES, np.int16)
        due_s = loop.time()
        while True:
            self.session.media_input.push_audio_nowait(silence, WIRE_RATE_HZ)
            due_s += BLOCK_SAMPLES / WIRE_RATE_HZ
            await asyncio.sleep(due_s - loop.time())

    async def read(self) -> None:
        """Take what the session tells."""
        while True:
            event = await self.session.next_event()
            if isinstance(event, StateChanged):
                self._state = event.state
            elif isinstance(event, Trace):
                self._trace = event
            async with self._news:
                self._news.notify_all()


@asynccontextmanager
async def local_call(
    settings: Settings, engines: Engines, reasoner: Reasoner
) -> AsyncIterator[LocalCall]:
    """Call; hang up on leaving."""
    persona = find_persona(settings.avatar.persona)
    call = LocalCall(Session("local", settings, engines, reasoner, persona))
    async with asyncio.TaskGroup() as group:
        running = group.create_task(call.session.run())
        parts = [group.create_task(_to_the_end(part)) for part in
                 (call.hear(), call.see(), call.speak(), call.read())]  # fmt: skip
        try:
            yield call
        finally:
            call.session.hang_up()
            await running
            for part in parts:
                part.cancel()


async def _to_the_end(part: Coroutine[None, None, None]) -> None:
    with suppress(MediaEndedError):
        await part
