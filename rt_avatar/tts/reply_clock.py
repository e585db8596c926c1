"""When a reply that is made ahead is heard, at the earliest: by when more of it is late."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from rt_avatar.engines.types import CHUNK_S

# What was said waits at most this long for the next clause before the time at which it would be
# heard: a chunk in the making, one in the look-ahead of the face.
SETTLE_S: Final = 0.4


class ReplyClock:
    """Of one reply; made in a running loop. Its turn releases it, its voice notes every chunk.

    Nobody hears a reply that is made before the caller's end of turn is sure: its sound begins with
    ``release``. Where the sound stalled, what follows is heard that much later.
    """

    def __init__(self, *, is_released: bool = True) -> None:
        self._loop = asyncio.get_running_loop()
        self._is_released = is_released
        self._end_s = self._loop.time()  # of what is passed on
        self._ahead_s = 0.0  # of it, before the release
        self._rest_s = 0.0
        self._limit: asyncio.Timeout | None = None  # while somebody waits for more

    @property
    def due_s(self) -> float:
        """Loop time at which the next chunk is heard, at the earliest."""
        return self._end_s if self._is_released else self._loop.time() + self._ahead_s

    def release(self) -> None:
        """Let it be heard from now on."""
        if not self._is_released:
            self._end_s = self.due_s
            self._is_released = True
            if self._limit is not None:
                self._limit.reschedule(self._late_s())

    def note_chunk(self) -> None:
        """Take note of a chunk that is passed on now."""
        if self._is_released:
            self._end_s = max(self._end_s, self._loop.time()) + CHUNK_S
        else:
            self._ahead_s += CHUNK_S

    @asynccontextmanager
    async def in_time(self, rest_s: float = 0.0) -> AsyncIterator[None]:
        """Wait inside for what follows what was passed on and ``rest_s`` more of sound.

        Raises:
            TimeoutError: It is late: what was said shall not wait for it.
        """
        self._rest_s = rest_s
        async with asyncio.timeout_at(self._late_s() if self._is_released else None) as limit:
            self._limit = limit
            try:
                yield
            finally:
                self._limit = None

    def _late_s(self) -> float:
        return max(self._end_s, self._loop.time()) + self._rest_s - SETTLE_S
