"""One segment of another program's speech: int16 sound → chunks with motion.

    add() ──► compact sound ──► ChunkCutter ──► animate ──► ReplyBuffer

Sound waits as it came (int16, its own rate) however far its maker runs ahead; of sound and face
only as much is made as ``ReplyBuffer`` holds. What ``Turn`` is to a reply of our own, this is to
foreign speech; nothing of it lives outside its own objects.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.avatar_runner.chunk_cutter import ChunkCutter
from rt_avatar.avatar_runner.voice_affect import VoiceAffect
from rt_avatar.budget import Budget
from rt_avatar.engines.types import CHUNK_S, SPEECH_RATE_HZ, FaceStyle, SpeechChunk, VoiceStyle
from rt_avatar.errors import TurnError
from rt_avatar.messages import TurnId
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.queues import END, End, Pipe
from rt_avatar.services.engines import Engines
from rt_avatar.talking_head.animation import animate
from rt_avatar.telemetry.trace import TurnTrace

_log = logging.getLogger(__name__)

# How far sound and face are made ahead of what plays. Short, so that a feeling that is heard or
# told now shows soon; long against any wait for the face's thread (a chunk takes some 10 ms).
AHEAD_S: Final = 1.0
_CHUNKS_AHEAD: Final = 2  # the cutter is a chunk ahead of the face
# An agent whose words are late (its model thinks, a tool works) leaves its segment open. What was
# said is not held back for more when so little of it is left to play, of which one chunk is in the
# look-ahead of the face and one in the making, and nothing has come for so long.
_SETTLE_S: Final = 0.4
_LATE_S: Final = 0.35
_LOOK_S: Final = 0.02


@dataclass(slots=True)
class Speaker:
    """The speaker: the affect of the voice, and the style of the face. One for each avatar runner.

    A ``talking_head.animation.ReplyStyle``. ``given`` wins over what the voice tells.
    """

    given: FaceStyle | None = None
    heard: FaceStyle = field(default_factory=FaceStyle)
    feeling: VoiceAffect = field(default_factory=VoiceAffect)

    @property
    def face(self) -> FaceStyle:
        """How the face feels."""
        return self.heard if self.given is None else self.given

    @property
    def voice(self) -> VoiceStyle:
        """Neutral: the voice is not ours."""
        return VoiceStyle()


class SpeechSegment:
    """A segment in the making. ``make`` once; ``reply`` fills meanwhile.

    Args:
        turn: Its number.
        rate_hz: Rate of its sound.
        speaker: Who speaks.
        engines: Whose threads and lip-sync are used.
        budget: Told what a chunk takes.
        left_before_s: Tells for how long the segments before it have yet to play.

    Raises:
        BadInputError: The rate cannot be sound.

    Attributes:
        waiting_bytes: Size of the sound that waits.
        is_cut: Whether some of its sound was refused or could not be made.
    """

    def __init__(
        self,
        turn: TurnId,
        rate_hz: int,
        speaker: Speaker,
        engines: Engines,
        budget: Budget,
        left_before_s: Callable[[TurnId], float],
    ) -> None:
        self.reply = ReplyBuffer(turn, AHEAD_S)
        self.trace = TurnTrace(turn, asyncio.get_running_loop().time())
        self.waiting_bytes = 0
        self.is_cut = False
        self._speaker = speaker
        self._engines = engines
        self._budget = budget
        self._left_before_s = left_before_s
        self._cutter = ChunkCutter(rate_hz)
        self._block = round(rate_hz * CHUNK_S)  # samples that are worked off at once
        self._waiting: deque[NDArray[np.int16]] = deque()
        self._has_news = asyncio.Event()
        self._is_complete = False
        self._is_broken = False  # nothing more of it can be made
        self._task: asyncio.Task[None] | None = None
        self._chunks: Pipe[SpeechChunk | End] = asyncio.Queue(maxsize=_CHUNKS_AHEAD)  # full: block

    @property
    def rate_hz(self) -> int:
        """Rate of its sound."""
        return self._cutter.rate_hz

    @property
    def left_s(self) -> float:
        """How long it has yet to play; until it is made, of what it is so far."""
        return (self._cutter.length - self.reply.position) / SPEECH_RATE_HZ

    def played_s(self, position: int) -> float:
        """Return how much of its own sound is before a position of the reply, in samples."""
        return self._cutter.own_samples(position) / SPEECH_RATE_HZ

    def add(self, pcm: NDArray[np.int16]) -> None:
        """Take more of its sound, (samples,) mono, unless it failed; it waits as it came."""
        if self._is_broken:
            return
        for begin in range(0, len(pcm), self._block):
            self._waiting.append(pcm[begin : begin + self._block])
        self.waiting_bytes += pcm.nbytes
        self._has_news.set()

    def complete(self) -> None:
        """Say that no more sound comes."""
        self._is_complete = True
        self._has_news.set()

    @property
    def is_begun(self) -> bool:
        """Whether it is being made, or was."""
        return self._task is not None

    async def make(self, group: asyncio.TaskGroup) -> None:
        """Make it in a task of the group; return when it is made, or cancelled."""
        self._task = group.create_task(self._run(), name=f"segment {self.reply.turn}")
        await asyncio.wait({self._task})

    def cancel(self) -> None:
        """Stop making it; what waits is dropped. What a thread has in hand comes to nothing."""
        self._drop_waiting()
        if self._task is not None:
            self._task.cancel()

    def _drop_waiting(self) -> None:
        self._waiting.clear()
        self.waiting_bytes = 0

    async def _run(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._cut())
                group.create_task(self._animate())
        except* TurnError as errors:
            self.is_cut = self._is_broken = True
            self._drop_waiting()
            _log.warning("segment %d: %s", self.reply.turn, errors.exceptions[0])
        finally:
            self.reply.end(self._cutter.length)

    async def _cut(self) -> None:
        """Sound → chunks, a chunk at a time."""
        while not self._is_complete or self._waiting:
            if not self._waiting:
                self._has_news.clear()
                if await self._is_late():
                    await self._pass_on(self._cutter.settle())
                continue
            block = self._waiting.popleft()
            self.waiting_bytes -= block.nbytes
            await self._pass_on(await self._engines.voice_worker.call(self._hear, block))
        await self._pass_on(await self._engines.voice_worker.call(self._cutter.flush))
        await self._chunks.put(END)

    async def _is_late(self) -> bool:
        """Wait for news; return whether none came before what was passed on is played."""
        loop = asyncio.get_running_loop()
        late_s = loop.time() + _LATE_S
        while not self._cutter.is_settled:
            given_s = (self._cutter.given - self.reply.position) / SPEECH_RATE_HZ
            left_s = self._left_before_s(self.reply.turn) + given_s - _SETTLE_S
            if left_s <= 0 and loop.time() >= late_s:
                return True
            try:
                async with asyncio.timeout_at(max(late_s, loop.time() + max(left_s, _LOOK_S))):
                    await self._has_news.wait()
            except TimeoutError:
                continue
            return False
        await self._has_news.wait()
        return False

    async def _pass_on(self, chunks: list[SpeechChunk]) -> None:
        for chunk in chunks:
            await self._chunks.put(chunk)

    def _hear(self, block: NDArray[np.int16]) -> list[SpeechChunk]:
        """Cut, and listen to how it sounds. On the voice's thread."""
        chunks = self._cutter.push(block)
        for chunk in chunks:
            self._speaker.heard = self._speaker.feeling.push(chunk.pcm)
        return chunks

    async def _animate(self) -> None:
        await animate(
            self._speaker,
            self._chunks,
            self.reply,
            self.trace,
            self._budget,
            self._engines.lipsync,
            self._engines.face_worker,
        )
