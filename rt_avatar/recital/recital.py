"""Speech that somebody else makes, given a living face: int16 sound → ``Outlet``, one clock.

    say ──► Passage ──► ReplyBuffer ──► Playout ──► outlet
                                          ▲
                            Face ─────────┘   next_event: started, finished

The voice belongs to another program (an agent in a LiveKit room); nobody here perceives or thinks.
Segments are played in the order in which they were begun, gapless to a tick of 40 ms. Every segment
is told of once when it starts, if it does, and once when it is finished, whatever happens. The face
lives all the time. It is the same face, clock and pair of tracks as a ``Session``'s.
"""

import asyncio
import logging
import random
from collections import deque
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from engines.types import SPEECH_RATE_HZ, FaceStyle, MotionFrame
from rt_avatar.budget import Budget
from rt_avatar.config.settings import Settings
from rt_avatar.doors import MediaEndedError, Outlet
from rt_avatar.engine_room.engines import Engines
from rt_avatar.messages import TurnId
from rt_avatar.playout.tracks import Painted, Played, Playout, PlayoutStatistics
from rt_avatar.profiles import Profile
from rt_avatar.queues import END, End
from rt_avatar.recital.atom_cutter import mono
from rt_avatar.recital.passage import Passage, Speaker
from rt_avatar.talking_head.face import Face
from rt_avatar.telemetry.trace import log_trace

_log = logging.getLogger(__name__)

# Sound that waits to be played, at most: 11 minutes of 24 kHz mono, 5½ of 48 kHz. An agent reads a
# page aloud in three; what is beyond it is lost, and its segment is told of as cut.
MAX_WAITING_BYTES: Final = 32 * 1024 * 1024


class _HungUpError(Exception):
    """Ends the recital's task group; never leaves ``run``."""


@dataclass(frozen=True, slots=True)
class Recited:
    """What became of a segment.

    Attributes:
        segment: Its number, counted from 1.
        kind: Its first sound leaves now, or nothing of it will leave any more.
        position_s: How much of it was played, in seconds of its own sound.
        was_interrupted: Whether it was cut short.
    """

    segment: int
    kind: Literal["started", "finished"]
    position_s: float = 0.0
    was_interrupted: bool = False


class Recital:
    """One avatar for one foreign voice. ``run`` owns every task of it; returns after ``hang_up``.

    All methods but ``run`` and ``next_event`` return at once, on the event loop of ``run``.
    ``say`` may be called before ``run`` is.
    """

    def __init__(
        self, recital_id: str, settings: Settings, engines: Engines, profile: Profile
    ) -> None:
        self._engines = engines
        # Full means that nobody has asked for a very long time: asyncio.QueueFull ends the recital.
        self._events: asyncio.Queue[Recited | End] = asyncio.Queue(maxsize=1024)
        self._hang_up = asyncio.Event()
        self._group = asyncio.TaskGroup()
        self._has_passage = asyncio.Event()
        self._passages: deque[Passage] = deque()  # the first plays
        self._open: Passage | None = None  # the last, while sound is added to it
        self._segments = 0
        self._is_speaking = False  # the first passage has started
        self._state: Literal["listening", "thinking"] = "listening"
        self._speaker = Speaker()
        # An agent's voice is late or early by itself: only pictures and atoms have deadlines here.
        self._budget = Budget(settings.budget, 0.0)
        seed = random.Random(recital_id).randrange(2**31)
        self._face = Face(
            engines.presence, engines.rig, engines.face_worker, self._budget, profile.name, seed
        )
        self._playout = Playout(self._paint, self._on_played)

    # --- doors --------------------------------------------------------------------------------
    @property
    def outlet(self) -> Outlet:
        """Where a door gets the avatar's sound and picture."""
        return self._playout

    def statistics(self) -> PlayoutStatistics:
        """Return the counters of what was sent."""
        return self._playout.statistics()

    async def next_event(self) -> Recited:
        """Wait for the next start or end of a segment.

        Raises:
            MediaEndedError: The recital is over, and everything was told.
        """
        event = await self._events.get()
        if isinstance(event, End):
            self._events.put_nowait(END)  # for whoever asks again
            raise MediaEndedError
        return event

    def hang_up(self) -> None:
        """End the recital."""
        self._hang_up.set()

    # --- speech -------------------------------------------------------------------------------
    def say(self, pcm: NDArray[np.int16], rate_hz: int) -> None:
        """Take more of the open segment's sound; the first of it opens a segment.

        Sound may come as fast as it likes; it waits as it came, up to ``MAX_WAITING_BYTES``.

        Args:
            pcm: (samples,) or (samples, channels); channels are averaged. None at all is allowed.
            rate_hz: 8,000 to 192,000; another rate opens another segment.

        Raises:
            BadInputError: That cannot be sound; nothing has changed.
        """
        sound = mono(pcm)
        if self._open is None or self._open.rate_hz != rate_hz:
            turn = TurnId(self._segments + 1)
            passage = Passage(turn, rate_hz, self._speaker, self._engines, self._budget)
            self.end_segment()
            self._segments += 1
            self._open = passage
            self._passages.append(passage)
            self._has_passage.set()
            if len(self._passages) == 1:
                self._playout.play(passage.reply)  # it sounds as soon as its first atom is made
        waiting = sum(passage.waiting_bytes for passage in self._passages)
        if waiting + sound.nbytes <= MAX_WAITING_BYTES:
            self._open.add(sound)
        elif not self._open.is_cut:
            self._open.is_cut = True
            _log.warning(
                "segment %d: expected at most %d bytes of speech waiting to be played, got more; "
                "what is beyond is lost: let the agent say less at once",
                self._open.reply.turn,
                MAX_WAITING_BYTES,
            )

    def end_segment(self) -> None:
        """Say that the open segment is complete; the next sound opens another."""
        if self._open is not None:
            self._open.complete()
            self._open = None

    def stop(self, unsent_s: float = 0.0) -> float:
        """Be silent at once: drop all that was said, and tell of each segment as interrupted.

        Args:
            unsent_s: How much sound the door has taken that it will not send any more.

        Returns:
            Seconds of the segment that was playing that have really been sent; 0 if none was.
        """
        position_s = max(0.0, self._playout.played / SPEECH_RATE_HZ - unsent_s)
        self._playout.clear()
        self._open = None
        for index, passage in enumerate(self._passages):
            passage.cancel()
            if index == 0:
                position_s = min(position_s, passage.length_s)
            self._finish(passage, position_s if index == 0 else 0.0, was_interrupted=True)
        self._passages.clear()
        self._is_speaking = False
        return position_s

    # --- the face -----------------------------------------------------------------------------
    def set_style(self, style: FaceStyle | None) -> None:
        """Let the face feel like this from now on; None: as the voice sounds."""
        self._speaker.given = style

    def be(self, state: Literal["listening", "thinking"]) -> None:
        """Look like this between segments."""
        self._state = state

    def hear(self, *, is_speaking: bool) -> None:
        """Notice that somebody speaks to the avatar, or has paused: it nods."""
        self._face.hear(is_speaking=is_speaking)
        if not is_speaking:
            self._face.nod()

    # --- the flow -----------------------------------------------------------------------------
    async def run(self) -> None:
        """Live until ``hang_up``. What cannot be contained in a segment propagates, in a group."""
        try:
            async with self._group:
                self._group.create_task(self._make())
                await self._hang_up.wait()
                raise _HungUpError
        except* _HungUpError:
            pass
        finally:
            self.stop()
            self._events.put_nowait(END)
            self._playout.end()
            await self._face.aclose()

    async def _make(self) -> None:
        """Make one passage after the other, ahead of the playout."""
        while True:
            passage = next((one for one in self._passages if not one.is_begun), None)
            if passage is None:
                self._has_passage.clear()
                await self._has_passage.wait()
            else:
                await passage.make(self._group)

    def _on_played(self, news: Played) -> None:
        """Follow the playout, which tells of the first passage."""
        self._is_speaking = news.kind != "finished"
        if news.kind == "started":
            self._events.put_nowait(Recited(news.turn, "started"))
        elif news.kind == "finished":
            passage = self._passages.popleft()
            self._finish(passage, passage.length_s, was_interrupted=passage.is_cut)
            if self._passages:
                self._playout.play(self._passages[0].reply)

    def _finish(self, passage: Passage, position_s: float, *, was_interrupted: bool) -> None:
        passage.trace.mark_released(passage.reply, was_interrupted=was_interrupted)
        passage.trace.ladder = self._budget.take_felt()
        log_trace(passage.trace.record(passage.reply.position))
        turn = passage.reply.turn
        self._events.put_nowait(Recited(turn, "finished", position_s, was_interrupted))

    async def _paint(self, motion: MotionFrame | None) -> Painted:
        """Draw the picture that is due, of somebody who speaks or not."""
        mood = self._face.mood
        mood.state = "speaking" if self._is_speaking else self._state
        mood.style = self._speaker.face if self._is_speaking else FaceStyle()
        return await self._face.paint(motion)
