"""Animate a face to another program's speech: int16 sound → ``MediaOutput``.

    say ──► SpeechSegment ──► ReplyBuffer ──► Playout ──► media output
                                          ▲
                            Face ─────────┘   next_event: started, finished

The voice belongs to another program (an agent in a LiveKit room); nobody here perceives or thinks.
Segments are played in the order in which they were begun, gapless to a tick of 40 ms. Every segment
is told of once when it starts, if it does, and once when it is finished, whatever happens. The face
lives all the time. It is the same face, clock and pair of tracks as a ``Session``'s.
"""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from rt_avatar.avatar_runner.chunk_cutter import mono
from rt_avatar.avatar_runner.speech_segment import Speaker, SpeechSegment
from rt_avatar.budget import Budget
from rt_avatar.config.settings import Settings
from rt_avatar.engines.types import FaceStyle, MotionFrame
from rt_avatar.media_io import MediaEndedError, MediaOutput
from rt_avatar.messages import TurnId
from rt_avatar.personas import Persona
from rt_avatar.playout.tracks import Playout, PlayoutEvent, PlayoutStatistics, RenderedPicture
from rt_avatar.queues import END, End
from rt_avatar.services.engines import Engines
from rt_avatar.talking_head.face import make_face
from rt_avatar.telemetry.trace import log_trace

_log = logging.getLogger(__name__)

# Sound that waits to be played, at most: 11 minutes of 24 kHz mono, 5½ of 48 kHz. An agent reads a
# page aloud in three; what is beyond it is lost, and its segment is told of as cut.
MAX_WAITING_BYTES: Final = 32 * 1024 * 1024


class _HungUpError(Exception):
    """Ends the avatar runner's task group; never leaves ``run``."""


@dataclass(frozen=True, slots=True)
class SegmentEvent:
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


class AvatarRunner:
    """One avatar for one foreign voice. ``run`` owns every task of it; returns after ``hang_up``.

    All methods but ``run`` and ``next_event`` return at once, on the event loop of ``run``.
    ``say`` may be called before ``run`` is. ``look`` is
    whose face it shows; empty: the persona's own.
    """

    def __init__(
        self, runner_id: str, settings: Settings, engines: Engines, persona: Persona, look: str = ""
    ) -> None:
        self._engines = engines
        # Full means that nobody has asked for a very long time: asyncio.QueueFull ends the avatar
        # runner.
        self._events: asyncio.Queue[SegmentEvent | End] = asyncio.Queue(maxsize=1024)
        self._hang_up = asyncio.Event()
        self._group = asyncio.TaskGroup()
        self._has_segment = asyncio.Event()
        self._waiting_segments: deque[SpeechSegment] = deque()  # the first plays
        self._open: SpeechSegment | None = None  # the last, while sound is added to it
        self._segments = 0
        self._is_speaking = False  # the first segment has started
        self._state: Literal["listening", "thinking"] = "listening"
        self._speaker = Speaker()
        # An agent's voice is late or early by itself: only pictures and chunks have deadlines here.
        self._budget = Budget(settings.budget, 0.0)
        self._face = make_face(engines, self._budget, persona, look, runner_id)
        self._playout = Playout(self._render, self._on_played)

    # --- media ---------------------------------------------------------------------------------
    @property
    def media_output(self) -> MediaOutput:
        """Where a transport gets the avatar's sound and picture."""
        return self._playout

    def statistics(self) -> PlayoutStatistics:
        """Return the counters of what was sent."""
        return self._playout.statistics()

    @property
    def segments(self) -> int:
        """How many segments were begun: the number of the last."""
        return self._segments

    async def next_event(self) -> SegmentEvent:
        """Wait for the next start or end of a segment.

        Raises:
            MediaEndedError: The avatar runner is over, and everything was told.
        """
        event = await self._events.get()
        if isinstance(event, End):
            self._events.put_nowait(END)  # for whoever asks again
            raise MediaEndedError
        return event

    def hang_up(self) -> None:
        """End the avatar runner."""
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
            segment = SpeechSegment(
                turn, rate_hz, self._speaker, self._engines, self._budget, self._left_before_s
            )
            self.end_segment()
            self._segments += 1
            self._open = segment
            self._waiting_segments.append(segment)
            self._has_segment.set()
            if len(self._waiting_segments) == 1:
                self._playout.play(segment.reply)  # it sounds as soon as its first chunk is made
        waiting = sum(segment.waiting_bytes for segment in self._waiting_segments)
        if not self._open.is_cut and waiting + sound.nbytes <= MAX_WAITING_BYTES:
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

    def stop(self) -> None:
        """Be silent at once: drop all that was said, and tell of each segment as interrupted.

        What sounds fades out for 5 ms, which is not counted as played.
        """
        position = self._playout.played
        self._playout.stop()
        self._open = None
        for index, segment in enumerate(self._waiting_segments):
            segment.cancel()
            played_s = segment.played_s(position) if index == 0 else 0.0
            self._finish(segment, played_s, was_interrupted=True)
        self._waiting_segments.clear()
        self._is_speaking = False

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
        """Make one segment after the other, ahead of the playout."""
        while True:
            segment = next((one for one in self._waiting_segments if not one.is_begun), None)
            if segment is None:
                self._has_segment.clear()
                await self._has_segment.wait()
            else:
                await segment.make(self._group)

    def _left_before_s(self, turn: TurnId) -> float:
        """Return for how long the segments before one have yet to play."""
        return sum(one.left_s for one in self._waiting_segments if one.reply.turn < turn)

    def _on_played(self, news: PlayoutEvent) -> None:
        """Follow the playout, which tells of the first segment."""
        self._is_speaking = news.kind != "finished"
        if news.kind == "started":
            self._events.put_nowait(SegmentEvent(news.turn, "started"))
        elif news.kind == "finished":
            segment = self._waiting_segments.popleft()
            played_s = segment.played_s(news.position)
            self._finish(segment, played_s, was_interrupted=segment.is_cut)
            if self._waiting_segments:
                self._playout.play(self._waiting_segments[0].reply)

    def _finish(self, segment: SpeechSegment, position_s: float, *, was_interrupted: bool) -> None:
        segment.trace.mark_released(segment.reply, was_interrupted=was_interrupted)
        segment.trace.degradation_steps = self._budget.take_felt()
        log_trace(segment.trace.record(segment.reply.position))
        turn = segment.reply.turn
        self._events.put_nowait(SegmentEvent(turn, "finished", position_s, was_interrupted))

    async def _render(self, motion: MotionFrame | None) -> RenderedPicture:
        """Draw the picture that is due, of somebody who speaks or not."""
        mood = self._face.mood
        mood.state = "speaking" if self._is_speaking else self._state
        mood.style = self._speaker.face if self._is_speaking else FaceStyle()
        return await self._face.render(motion)
