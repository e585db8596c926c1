"""The playout clock: an integer time line of 40 ms ticks, tied to the event loop's time.

Both outgoing tracks are released from it: audio block *k* (20 ms) is due at ``k``·20 ms, video
frame *n* at ``n``·40 ms, so frame *n* and block *2n* share one moment. Times are kept as integers
and compared with ``origin + n / rate``, so nothing accumulates however long the call is.

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
    """The release times of one track: ``await ticker.wait_next()`` gives the next index when due.

    Not to be shared between tasks. Cancelling a wait leaves it unchanged.
    """

    def __init__(self, clock: "PlayoutClock", period_s: float, max_late_s: float) -> None:
        self._clock = clock
        self._period_s = period_s
        self._max_late_s = max_late_s
        self._next = 0
        self._released_at = float("-inf")
        self.skipped = 0

    async def wait_next(self) -> int:
        """Wait until the next index is due and return it; indices that are too late are skipped."""
        loop = asyncio.get_running_loop()
        origin = self._clock.start()
        now = loop.time()
        if origin + self._next * self._period_s < now - self._max_late_s:
            current = int((now - origin) / self._period_s)
            self.skipped += current - self._next
            self._next = current
        due = max(origin + self._next * self._period_s, self._released_at + MIN_SPACING_S)
        if due > now:
            await asyncio.sleep(due - now)
        index = self._next
        self._next += 1
        self._released_at = loop.time()
        return index


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
        return Ticker(self, BLOCK_S, MAX_LATE_S)

    def video_ticker(self) -> Ticker:
        """Create the release times of 40 ms frames; a frame that is a period late is skipped."""
        return Ticker(self, FRAME_S, FRAME_S)
