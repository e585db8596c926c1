"""Buffer one reply between the turn and playout: ``AvatarChunk`` → ``Slice`` of 40 ms.

The talking head puts chunks in (and waits when it is too far ahead); the playout takes slices of
40 ms out, and notes each 20 ms block that has left: only that counts as heard. Until the reply is
released nobody takes, so a preemptive reply costs nothing but this buffer.
Played chunks are kept for a while, so that after a false interruption the reply can go on
from the beginning of the word that was cut.
"""

import asyncio
from collections import deque
from dataclasses import dataclass

from rt_avatar.engines.types import CHUNK_S, CHUNK_SAMPLES, FRAME_SAMPLES, MotionFrame, Pcm, Word
from rt_avatar.messages import AvatarChunk, TurnId

# After a false interruption the reply goes back to the start of the cut word, but never further
# than this: longer repetitions sound like a stutter. 1.2 s is about three syllables slow.
MAX_REWIND_SAMPLES = 6 * CHUNK_SAMPLES
SENT_SAMPLES = FRAME_SAMPLES // 2  # 20 ms: half a slice leaves at once


@dataclass(frozen=True, slots=True)
class Slice:
    """40 ms of a reply: ``pcm`` (960,), ``motion`` (73,), and the words that begin in it."""

    pts: int
    pcm: Pcm
    motion: MotionFrame
    words: tuple[Word, ...]


class ReplyBuffer:
    """Bounded buffer of one reply. One producer, one consumer, one event loop.

    Full means: the producer waits (speech is made ``ahead_s`` before it is played, not more).
    """

    def __init__(self, turn: TurnId, ahead_s: float) -> None:
        self.turn = turn
        self.position = 0  # samples sent (at 24 kHz), a multiple of 480
        self.heard: list[Word] = []  # words whose beginning was sent
        self.first_block_s: float | None = None  # loop time when its first sound left
        self.first_picture_s: float | None = None  # loop time when its first picture left
        self._cursor = 0  # first sample of the next slice, a multiple of 960
        self._chunks: deque[AvatarChunk] = deque()
        self._capacity = max(2, round(ahead_s / CHUNK_S))
        self._room = asyncio.Event()
        self._room.set()
        self._is_ended = False
        self._length: int | None = None  # samples after which nothing is played

    async def put(self, chunk: AvatarChunk) -> None:
        """Append a chunk; wait while the buffer is full. Cancelling leaves the buffer unchanged."""
        while self._ahead() >= self._capacity:
            self._room.clear()
            await self._room.wait()
        self._chunks.append(chunk)

    def end(self, length: int | None = None) -> None:
        """Say that no more chunks come.

        Args:
            length: Samples after which nothing is played (to the 40 ms), where the last chunk is
                filled up; None: all that was put is played.
        """
        self._is_ended = True
        self._length = length

    @property
    def is_finished(self) -> bool:
        """Whether everything was put and everything was taken."""
        return self._is_ended and (self._is_past_length or not self._ahead())

    def look_nowait(self, ahead: int = 0) -> Slice | None:
        """Return the 40 ms that are taken next, or so many slices later; None: not made yet."""
        pts = self._cursor + ahead * FRAME_SAMPLES
        if self._length is not None and pts >= self._length:
            return None
        start = pts // CHUNK_SAMPLES * CHUNK_SAMPLES
        chunk = next((chunk for chunk in self._chunks if chunk.pts == start), None)
        if chunk is None:
            return None
        offset = pts - start
        end = pts + FRAME_SAMPLES
        words = tuple(word for word in chunk.words if pts <= word.start < end)
        pcm = chunk.pcm[offset : offset + FRAME_SAMPLES]
        return Slice(pts, pcm, chunk.motion[offset // FRAME_SAMPLES], words)

    def take_nowait(self) -> Slice | None:
        """Take the next 40 ms; None when they are not made yet (or the reply is finished)."""
        taken = self.look_nowait()
        if taken is not None:
            self._cursor += FRAME_SAMPLES
            if self._cursor % CHUNK_SAMPLES == 0:
                while self._chunks and self._chunks[0].pts < self._cursor - MAX_REWIND_SAMPLES:
                    self._chunks.popleft()
                self._room.set()
        return taken

    def note_sent(self, sent: Slice, half: int) -> tuple[Word, ...]:
        """Take note that the first or second 20 ms of a slice have left.

        Return the words that began in them, without those that a stall made begin again.
        """
        start = sent.pts + half * SENT_SAMPLES
        self.position = start + SENT_SAMPLES
        begun = tuple(
            word
            for word in sent.words
            if start <= word.start < self.position and word not in self.heard
        )
        self.heard.extend(begun)
        return begun

    def rewind_to_unsent(self) -> None:
        """Let what was taken and never left be taken again, to the 40 ms."""
        self._cursor = self.position // FRAME_SAMPLES * FRAME_SAMPLES

    def rewind_to_word(self) -> None:
        """Go back to the beginning of the last heard word, if it is still kept and not done."""
        self.rewind_to_unsent()
        if not self.heard or not self._chunks:
            return
        word = self.heard[-1]
        start = word.start // FRAME_SAMPLES * FRAME_SAMPLES
        if word.end <= self.position or start < self._chunks[0].pts:
            return
        self.position = self._cursor = start
        self.heard = [heard for heard in self.heard if heard.start < start]

    def heard_text(self, *, count_begun: bool = False) -> str:
        """Return the words heard so far.

        A word that was cut before its middle does not count, unless ``count_begun`` (captions).
        """
        return " ".join(
            word.text
            for word in self.heard
            if count_begun or (word.start + word.end) // 2 <= self.position
        )

    @property
    def _is_past_length(self) -> bool:
        return self._length is not None and self._cursor >= self._length

    def _ahead(self) -> int:
        """Chunks put but not wholly taken."""
        if not self._chunks:
            return 0
        left = self._chunks[-1].pts + CHUNK_SAMPLES - self._cursor
        return (left + CHUNK_SAMPLES - 1) // CHUNK_SAMPLES
