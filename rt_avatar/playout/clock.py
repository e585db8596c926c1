"""The playout clock: an integer time line of 20 ms blocks, tied to the event loop's time.

Both outgoing tracks are released from it, and count its blocks: sound is due at every one, a
picture at every second one. Times are kept as integers and compared with ``origin + n /
rate``, so nothing accumulates however long the call is.

After a stall the time line goes on with real time: what was due meanwhile is skipped, never sent
in a burst. It knows nothing of media.
"""

import asyncio
from typing import Final

BLOCK_S: Final = 0.020
FRAME_S: Final = 0.040

# A block later than this is skipped instead of sent. Browsers' jitter buffers hold at least two
# packets (40 ms), so sending what is less late still fills a gap; later than that it cannot be
# heard any more and would only push the sound behind the picture.
MAX_LATE_S: Final = 0.060
# Blocks that are a little late are sent at most at twice the usual pace: that is catching up
# without a burst (a burst makes receivers speed the sound up).
MIN_SPACING_S: Final = 0.010


class Ticker:
    """The release times of one track: ``await ticker.wait_next()`` gives the next block when due.

    Not to be shared between tasks. Cancelling a wait leaves it unchanged.
    """

    def __init__(self, clock: "PlayoutClock", every: int, max_late_s: float) -> None:
        self._clock = clock
        self._every = every  # blocks from one release to the next
        self._max_late_s = max_late_s
        self._next = 0
        self._last = -1  # that was released
        self._place = 0  # of releases among ``every`` blocks
        self._hurried = 0
        self._released_at = float("-inf")
        self._waiting: asyncio.Future[bool] | None = None
        self.skipped = 0

    def hurry(self, times: int) -> None:
        """Let the next so many releases come at every block."""
        passed_s = asyncio.get_running_loop().time() - self._clock.start()
        self._next = min(self._next, max(self._last, int(passed_s / BLOCK_S)) + 1)
        self._hurried = times
        _wake(self._waiting, False)

    def align(self, block: int) -> None:
        """Let a release come at that block, which is due, and the others at their distance."""
        self._place = block % self._every
        if self._last < block:
            self._next = min(self._next, block)
            _wake(self._waiting, False)

    async def wait_next(self) -> int:
        """Wait until the next block of it is due and return it; what is too late is skipped."""
        loop = asyncio.get_running_loop()
        origin = self._clock.start()
        now = loop.time()
        if origin + self._next * BLOCK_S < now - self._max_late_s:
            skipped = (int((now - origin) / BLOCK_S) - self._next) // self._every
            self.skipped += skipped
            self._next += skipped * self._every
        is_due = False
        while not is_due and (due := self._due(origin)) > loop.time():
            self._waiting = loop.create_future()
            timer = loop.call_at(due, _wake, self._waiting, True)
            try:
                is_due = await self._waiting
            finally:
                timer.cancel()
        index = self._next
        self._hurried = max(0, self._hurried - 1)
        self._last = index
        self._next = index + 1 if self._hurried else self._following(index)
        self._released_at = loop.time()
        return index

    def _following(self, index: int) -> int:
        return index + self._every - (index - self._place) % self._every

    def _due(self, origin: float) -> float:
        return max(origin + self._next * BLOCK_S, self._released_at + MIN_SPACING_S)


def _wake(waiting: asyncio.Future[bool] | None, is_due: bool) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(is_due)


class PlayoutClock:
    """Origin of a session's time line; starts when a track first asks."""

    def __init__(self) -> None:
        self._origin: float | None = None

    def start(self) -> float:
        """Return the loop time of index 0; the first call fixes it."""
        if self._origin is None:
            self._origin = asyncio.get_running_loop().time()
        return self._origin

    def audio_ticker(self) -> Ticker:
        """Create the release times of 20 ms blocks."""
        return Ticker(self, 1, MAX_LATE_S)

    def video_ticker(self) -> Ticker:
        """Create the release times of 40 ms frames; a frame that is a period late is skipped."""
        return Ticker(self, 2, FRAME_S)
