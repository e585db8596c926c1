"""Release the two outgoing tracks by one clock: ``ReplyBuffer`` → audio blocks, pictures.

Speech is cut into ticks of 40 ms: two audio blocks and one picture; silence into single blocks, so
that a reply begins at whichever comes next, and the pictures with it. The sound leads: with the
first block of a tick it takes the next slice of the reply that is playing (or nothing), and the
picture shows the slice of its tick, or, when it is due before the sound, the one that the sound
takes next. So sound and face cannot drift apart, whatever stalls, and only sound that has left
counts as heard: when the sound stalls the face waits, and the reply goes on where its sound was cut
off. When nothing plays the sound is silence and the picture is the living idle face. When a reply
is stopped or paused, a few pictures come at every block, so that the mouth is shut as soon as the
sound.

It does not know where the reply comes from, nor who draws the picture (``PictureSource``).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import I420, MotionFrame, Word
from rt_avatar.media_io import BLOCK_SAMPLES, AudioBlock, MediaEndedError, VideoPicture
from rt_avatar.messages import TurnId
from rt_avatar.playout.clock import PlayoutClock
from rt_avatar.playout.echo_reference import EchoReference
from rt_avatar.playout.reply import SENT_SAMPLES, ReplyBuffer, Slice
from rt_avatar.playout.upsampler import Upsampler

FADE_SAMPLES = 240  # 5 ms at 48 kHz: shortest fade without an audible click
_RISE: Final = np.linspace(0, 1, FADE_SAMPLES // 2, dtype=np.float32)  # at 24 kHz
# A picture that is due so many ticks after the last sound shows what will be said then: sound that
# is later than that (``clock.MAX_LATE_S``) is skipped, and the reply waits for it.
_TICKS_AHEAD = 2
# A mouth takes up to three pictures to shut (``engines.motion.crossfade``).
_SHUTTING_PICTURES = 3


@dataclass(frozen=True, slots=True)
class RenderedPicture:
    """A picture, and the motion of the face that it shows."""

    planes: I420
    motion: MotionFrame


class PictureSource(Protocol):
    """Who draws: takes the speech's motion of a tick (None: not speaking), gives the picture."""

    def __call__(self, motion: MotionFrame | None) -> Awaitable[RenderedPicture]:
        """Draw the picture that is due now."""
        ...


@dataclass(frozen=True, slots=True)
class PlayoutEvent:
    """Something the caller has just been sent: a reply's start, words, or its end."""

    turn: TurnId
    kind: Literal["started", "words", "finished"]
    position: int  # samples of the reply played, at 24 kHz
    words: tuple[Word, ...] = ()


@dataclass(slots=True)
class _Tick:
    """The tick that the sound is in: two blocks of a slice, or one of silence."""

    begin: int  # its first block
    sound: NDArray[np.int16]  # of its blocks, at 48 kHz
    slice: Slice | None
    sent: int = 0  # blocks of it that have left
    is_faded: bool = False  # at its end, where nothing was there to follow

    @property
    def end(self) -> int:
        """The first block after it."""
        return self.begin + len(self.sound) // BLOCK_SAMPLES


@dataclass(frozen=True, slots=True)
class PlayoutStatistics:
    """Counters since the start of the session."""

    blocks: int
    pictures: int
    skipped_blocks: int
    skipped_pictures: int
    underruns: int


class Playout:
    """The ``MediaOutput`` of a session, which controls it. One event loop only."""

    def __init__(self, render: PictureSource, tell: Callable[[PlayoutEvent], None]) -> None:
        clock = PlayoutClock()
        self._render = render
        self._tell = tell
        self._audio_ticker = clock.audio_ticker()
        self._video_ticker = clock.video_ticker()
        self._reply: ReplyBuffer | None = None
        self._upsampler = Upsampler()
        self._is_paused = False
        self._is_ended = False
        self._has_started = False
        self._tick: _Tick | None = None
        self.echo_reference = EchoReference()
        self._blocks = 0
        self._pictures = 0
        self._underruns = 0

    # --- control ------------------------------------------------------------------------------
    def play(self, reply: ReplyBuffer) -> None:
        """Release a reply from the next 20 ms block on. Whatever played before is cleared."""
        self.clear()
        self._reply = reply
        self._upsampler = Upsampler()

    def pause(self) -> None:
        """Be silent from the next 20 ms block on, but remember the place."""
        if self._reply is None or self._is_paused:
            return
        self._is_paused = True
        self._video_ticker.hurry(_SHUTTING_PICTURES)
        if self._tick is not None and self._tick.slice is not None:
            self._fade_out(self._tick, self._reply)

    def _fade_out(self, tick: _Tick, reply: ReplyBuffer) -> None:
        """Let the next block fade: of this tick or, when it has left, of the next one's sound."""
        sent = tick.sent * BLOCK_SAMPLES
        if sent == len(tick.sound) and (following := reply.look_nowait()) is not None:
            block = self._upsampler.push(following.pcm[:SENT_SAMPLES])
            tick.sound = np.concatenate((tick.sound, block))
        fading, silent = np.split(tick.sound[sent:], [FADE_SAMPLES])
        fading[:] = fading * np.linspace(1, 0, len(fading))
        silent[:] = 0
        tick.slice = None  # what is faded out is not heard

    def resume(self) -> None:
        """Go on after a pause, from the beginning of the word that was cut."""
        if self._reply is None or not self._is_paused:
            return
        self._is_paused = False
        self._reply.rewind_to_word()

    def clear(self) -> ReplyBuffer | None:
        """Stop: nothing of the reply leaves after this call. Return the reply that played."""
        reply, self._reply = self._reply, None
        if self._has_started and not self._is_paused:
            self._video_ticker.hurry(_SHUTTING_PICTURES)
        self._is_paused = False
        self._has_started = False
        if self._tick is not None and self._tick.slice is not None:
            self._tick.sound = np.zeros_like(self._tick.sound)
            self._tick.slice = None
        return reply

    def stop(self) -> None:
        """End the reply as somebody hears it: what sounds fades out in the next 20 ms block."""
        if self._has_started:
            self.pause()
        self.clear()

    def end(self) -> None:
        """The session is over: stop, and let both tracks end."""
        self.clear()
        self._is_ended = True

    @property
    def played(self) -> int:
        """Samples of the playing reply, at 24 kHz, that have left; in steps of 20 ms."""
        return 0 if self._reply is None else self._reply.position

    def statistics(self) -> PlayoutStatistics:
        """Return the counters."""
        return PlayoutStatistics(
            blocks=self._blocks,
            pictures=self._pictures,
            skipped_blocks=self._audio_ticker.skipped,
            skipped_pictures=self._video_ticker.skipped,
            underruns=self._underruns,
        )

    # --- MediaOutput -----------------------------------------------------------------------------
    async def next_audio(self) -> AudioBlock:
        """Wait until the next 20 ms are due and return them."""
        index = await self._audio_ticker.wait_next()
        self._check_live()
        tick = self._tick
        if tick is None or index >= tick.end:
            tick = self._open(index)
        half = index - tick.begin
        tick.sent = half + 1
        if index + 1 == tick.end:
            self._fade_last(tick)
        self._blocks += 1
        sound = tick.sound[half * BLOCK_SAMPLES : tick.sent * BLOCK_SAMPLES]
        self.echo_reference.add(sound)
        if tick.slice is not None and self._reply is not None:
            self._note_sent(self._reply, tick.slice, half)
        return AudioBlock(pts=index * BLOCK_SAMPLES, pcm=sound)

    async def next_video(self) -> VideoPicture:
        """Wait until the next picture is due, draw and return it."""
        block = await self._video_ticker.wait_next()
        self._check_live()
        shown = self._slice_at(block)
        reply = self._reply if shown is not None else None
        painted = await self._render(None if shown is None else shown.motion)
        self._pictures += 1
        if reply is not None and reply.first_picture_s is None:
            reply.first_picture_s = asyncio.get_running_loop().time()
        return VideoPicture(block * BLOCK_SAMPLES, painted.planes, painted.motion)

    def _check_live(self) -> None:
        if self._is_ended:
            raise MediaEndedError

    # --- ticks --------------------------------------------------------------------------------
    def _open(self, block: int) -> _Tick:
        """Begin the sound's next tick: take the reply's next slice, if there is one."""
        before, reply = self._tick, self._reply
        if (
            reply is not None
            and before is not None
            and before.slice is not None
            and before.sent < 2
        ):
            reply.rewind_to_unsent()
        taken = None if reply is None or self._is_paused else self._take(reply)
        if taken is None:
            self._tick = _Tick(block, np.zeros(BLOCK_SAMPLES, np.int16), None)
        else:
            pcm = taken.pcm
            if not _is_followed(before, block):
                self._upsampler = Upsampler()
                if taken.pts:  # it may go on in mid-sound
                    pcm = pcm.copy()
                    pcm[: len(_RISE)] *= _RISE
            self._tick = _Tick(block, self._upsampler.push(pcm), taken)
            self._video_ticker.align(block)
        return self._tick

    def _fade_last(self, tick: _Tick) -> None:
        """Let the last block of a tick fade out if nothing of the reply is there to follow it."""
        reply = self._reply
        if tick.slice is not None and reply is not None and reply.look_nowait() is None:
            fading = tick.sound[-FADE_SAMPLES:]
            fading[:] = fading * np.linspace(1, 0, FADE_SAMPLES)
            tick.is_faded = True

    def _take(self, reply: ReplyBuffer) -> Slice | None:
        taken = reply.take_nowait()
        if taken is None and reply.is_finished:
            self._reply = None
            self._has_started = False
            # Told last: who hears it may release the next reply at once.
            self._tell(PlayoutEvent(reply.turn, "finished", reply.position))
        elif taken is None and self._has_started:
            self._underruns += 1
        return taken

    def _slice_at(self, block: int) -> Slice | None:
        """Return what is said at a block, whose tick the sound may not have begun."""
        tick = self._tick
        if tick is not None and block < tick.end:
            return tick.slice
        ahead = 0 if tick is None else (block - tick.end) // 2
        if self._reply is None or self._is_paused or ahead >= _TICKS_AHEAD:
            return None
        return self._reply.look_nowait(ahead)

    def _note_sent(self, reply: ReplyBuffer, sent: Slice, half: int) -> None:
        """Count a block as heard, and tell of what began with it."""
        begun = reply.note_sent(sent, half)
        if reply.first_block_s is None:
            reply.first_block_s = asyncio.get_running_loop().time()
        if not self._has_started:
            self._has_started = True
            self._tell(PlayoutEvent(reply.turn, "started", sent.pts))
        if begun:
            self._tell(PlayoutEvent(reply.turn, "words", reply.position, begun))


def _is_followed(before: _Tick | None, block: int) -> bool:
    """Whether what begins at a block goes on from the sound of the tick before."""
    if before is None or before.slice is None or before.is_faded:
        return False
    return before.end == block
