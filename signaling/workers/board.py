"""What the workers of one port know of each other: callers by worker, in memory they share."""

import mmap
import zlib
from collections.abc import Sequence
from typing import Final

_BYTES: Final = 4  # of one number
_ABSENT: Final = -1  # a worker that is not ready


class Board:
    """Made before the workers are forked; each then writes its own numbers, and reads all.

    Numbers are written whole, so nobody has to wait for anybody. ``lines`` is how many calls a
    worker may have.
    """

    def __init__(self, workers: int, lines: int = 0) -> None:
        memory = memoryview(mmap.mmap(-1, _BYTES * (1 + workers * (2 + lines)))).cast("i")
        self._has_told, memory = memory[:1], memory[1:]
        self._callers, self._expected = memory[:workers], memory[workers : 2 * workers]
        self._clients, self._lines = memory[2 * workers :], lines
        for worker in range(workers):
            self._callers[worker] = _ABSENT

    def set(self, worker: int, callers: int, expected: int = 0) -> None:
        """Tell how many callers a worker has now, and how many were told to come."""
        self._callers[worker], self._expected[worker] = callers, expected

    def set_clients(self, worker: int, clients: Sequence[str]) -> None:
        """Tell whose calls a worker has; then how many there are is set."""
        for line, client in enumerate(clients, worker * self._lines):
            self._clients[line] = _mark(client)

    def calls_of(self, client: str, without: int) -> int:
        """Return how many calls of a client there are, those of one worker left out."""
        mark, calls = _mark(client), 0
        for worker, number in enumerate(self.callers):
            if worker != without:
                first = worker * self._lines
                calls += self._clients[first : first + max(0, number)].tolist().count(mark)
        return calls

    def leave(self, worker: int) -> None:
        """Tell that a worker is gone."""
        self._callers[worker] = _ABSENT

    @property
    def callers(self) -> Sequence[int]:
        """Return how many callers each worker has; -1 for one that is not there."""
        return self._callers.tolist()

    @property
    def total(self) -> int:
        """Return how many callers there are."""
        return sum(max(0, number) for number in self.callers)

    @property
    def are_all_ready(self) -> bool:
        """Return whether every worker lets callers in."""
        return _ABSENT not in self.callers

    def are_all_ready_at_last(self) -> bool:
        """Return True once: to whoever asks first when every worker lets callers in."""
        is_news = self.are_all_ready and not self._has_told[0]
        if is_news:
            self._has_told[0] = 1
        return is_news

    def freest(self, own: int) -> int:
        """Return the worker with the fewest callers; ``own`` where it has as few, or none is."""
        ready = [at for at, number in enumerate(self.callers) if number != _ABSENT]

        def load(at: int) -> tuple[int, bool]:
            return self._callers[at] + self._expected[at], at != own

        return min(ready, key=load, default=own)


def _mark(client: str) -> int:
    return zlib.crc32(client.encode()) >> 1  # to the sign's bit
