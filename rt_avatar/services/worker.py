"""Threads for engines: the event loop never computes.

One ``EngineWorker`` a kind of work, shared by all callers: engines are not thread-safe within a
stream. What waits for the thread is done by deadline, the earliest first; with ``call_batched``,
several streams' calls of one function are done in one run. Work that itself waits (for a process)
gets a lane for each stream: nobody then waits for another caller's process, and the processes share
the cores. Threads cannot be cancelled: a cancelled ``call`` lets the thread finish its item and
drops the result.

The library's pool does not fit: asking it takes 0.25 ms of processor time, by a queue and a future
of the loop it is 0.15 (docs/LOG.md), and a caller in talk lets threads be asked 60 times a second.
"""

import asyncio
import atexit
import contextvars
import heapq
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from queue import SimpleQueue
from typing import Any, Final, TypeVar, TypeVarTuple

# Longest time that a batch waits, after the one before, for that one's streams to call again: their
# callers take the results first, on the event loop. Without it two streams would take turns and
# never share a run.
BATCH_WAIT_S: Final = 0.001

Item = TypeVar("Item")
Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


@dataclass(slots=True)
class _Times:
    """What a worker and its lanes have done."""

    busy_s: float = 0.0
    waited_s: float = 0.0
    calls: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, waited_s: float, busy_s: float) -> None:
        with self.lock:
            self.waited_s += waited_s
            self.busy_s += busy_s
            self.calls += 1


@dataclass(order=True, slots=True)
class _Work:
    """One call that waits; ordered by deadline, then as they came.

    Attributes:
        deadline_s: Loop time.
        number: Of the call.
        function: Takes items, returns as many results.
        item: The call's own.
        max_batch: Most items that ``function`` takes.
        result: What the item becomes; of the loop that asks.
        asked_s: When it was asked for, on ``time.perf_counter``.
    """

    deadline_s: float
    number: int
    function: Callable[[Sequence[Any]], Sequence[Any]] = field(compare=False)
    item: Any = field(compare=False)
    max_batch: int = field(compare=False)
    result: asyncio.Future[Any] = field(compare=False)
    asked_s: float = field(compare=False, default_factory=time.perf_counter)


class EngineWorker:
    """One thread with a name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._times = _Times()
        self._changed = threading.Condition()  # of `_waiting` and `_newest_batch`
        self._waiting: list[_Work] = []  # a heap; as many as callers await, so it needs no bound
        self._newest_batch: set[int] = set()  # its items, by id
        self._newest_batch_s = 0.0  # when it ended, on `time.perf_counter`; the thread's own
        self._numbers = count()
        # One thing for each call; what is done for it is what is due first. False: it is closed.
        self._asked: SimpleQueue[bool] = SimpleQueue()
        self._thread: threading.Thread | None = None  # from the first call on
        self._is_closed = False

    @property
    def busy_s(self) -> float:
        """Seconds it and its lanes have worked."""
        return self._times.busy_s

    @property
    def waited_s(self) -> float:
        """Seconds that calls have waited for a thread, all together."""
        return self._times.waited_s

    @property
    def calls(self) -> int:
        """How many calls were done."""
        return self._times.calls

    def lane(self) -> "EngineWorker":
        """Return a thread for one stream alone; what it does counts as this worker's."""
        lane = EngineWorker(self.name)
        lane._times = self._times
        return lane

    async def call(
        self,
        function: Callable[[*Arguments], Result],
        *args: *Arguments,
        deadline_s: float | None = None,
    ) -> Result:
        """Run ``function`` on the thread and return its result; its exceptions propagate."""
        return await self.start(function, *args, deadline_s=deadline_s)

    def start(
        self,
        function: Callable[[*Arguments], Result],
        *args: *Arguments,
        deadline_s: float | None = None,
    ) -> asyncio.Future[Result]:
        """Let the thread run ``function`` when it is its turn; return what becomes its result.

        Args:
            function: What to run.
            *args: With what.
            deadline_s: Loop time at which the result is needed; None: now. Who has two calls of one
                stream under way gives the second no earlier one.
        """
        context = contextvars.copy_context()  # so that the log knows whom it works for

        def run(_: Sequence[None]) -> list[Result]:
            return [context.run(function, *args)]

        return self._submit(run, None, 1, deadline_s)

    async def call_batched(
        self,
        function: Callable[[Sequence[Item]], Sequence[Result | Exception]],
        item: Item,
        max_batch: int,
        deadline_s: float | None = None,
    ) -> Result:
        """Run ``function`` on the thread for this item and others that wait for it; return its own.

        Args:
            function: Takes items, returns as many results. A result that is an exception is raised
                to its own caller; what ``function`` raises, to all.
            item: One stream's, the same object at each call.
            max_batch: Most items that ``function`` takes at once; the earliest deadlines go first.
            deadline_s: As ``start``.
        """
        try:
            result: Result = await self._submit(function, item, max_batch, deadline_s)
        except asyncio.CancelledError:  # nobody shall wait for this stream
            with self._changed:
                self._newest_batch.discard(id(item))
                self._changed.notify()
            raise
        return result

    def _submit(
        self,
        function: Callable[[Sequence[Any]], Sequence[Any]],
        item: object,
        max_batch: int,
        deadline_s: float | None,
    ) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() if deadline_s is None else deadline_s
        result: asyncio.Future[Any] = loop.create_future()
        work = _Work(deadline_s, next(self._numbers), function, item, max_batch, result)
        with self._changed:
            if self._is_closed:
                raise RuntimeError(f"worker {self.name}: expected an open one, got a closed one")
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self.name, daemon=True)
                self._thread.start()
            heapq.heappush(self._waiting, work)
            self._changed.notify()
        self._asked.put(True)
        return result

    def _serve(self) -> None:
        """Do what is asked for until it is closed; a process that exits waits for the last."""
        atexit.register(self.close)
        while self._asked.get():
            self._run_next()
        atexit.unregister(self.close)

    def _run_next(self) -> None:
        """Do what is due first, which need not be what this was started for."""
        works = self._take()
        if not works:  # closed meanwhile, done with others, or cancelled
            return
        begun_s = time.perf_counter()
        try:
            outputs = works[0].function([work.item for work in works])
            results = list(zip(works, outputs, strict=True))
        except BaseException as error:
            results = [(work, error) for work in works]
        ended_s = time.perf_counter()
        if works[0].max_batch > 1:
            self._newest_batch_s = ended_s
        for work, result in results:
            busy_s = ended_s - begun_s if work is works[0] else 0.0
            self._times.add(begun_s - work.asked_s, busy_s)
            with suppress(RuntimeError):  # its loop is closed
                work.result.get_loop().call_soon_threadsafe(_settle, work.result, result)

    def _take(self) -> list[_Work]:
        """Return what is due first and, by deadline, what can be done in the same run."""
        with self._changed:
            left_s = self._newest_batch_s + BATCH_WAIT_S - time.perf_counter()
            self._changed.wait_for(self._is_batch_complete, max(0.0, left_s))
            if not self._waiting:
                return []
            first = heapq.heappop(self._waiting)
            works = [first]
            if first.max_batch > 1:
                works += heapq.nsmallest(first.max_batch - 1, self._same(first))
                self._waiting = [work for work in self._waiting if work not in works]
                heapq.heapify(self._waiting)
            works = [work for work in works if not work.result.cancelled()]
            if first.max_batch > 1:
                self._newest_batch = {id(work.item) for work in works}
            return works

    def _is_batch_complete(self) -> bool:
        """Whether what is due first has nobody to wait for."""
        if not self._waiting or self._waiting[0].max_batch == 1:
            return True
        first = self._waiting[0]
        items = {id(work.item) for work in self._same(first)}
        if len(items) >= first.max_batch or len(items) < len(self._waiting):  # or other work waits
            return True
        return self._newest_batch <= items

    def _same(self, first: _Work) -> list[_Work]:
        """Return what waits for the same function."""
        return [work for work in self._waiting if work.function == first.function]

    def close(self, *, wait: bool = True) -> None:
        """Drop what waits, end the thread; ``wait`` for the running item."""
        with self._changed:
            self._is_closed = True
            dropped, self._waiting = self._waiting, []
            self._changed.notify()
        self._asked.put(False)
        for work in dropped:
            with suppress(RuntimeError):  # as above
                work.result.get_loop().call_soon_threadsafe(work.result.cancel)
        if wait and self._thread is not None:
            self._thread.join()


def _settle(future: asyncio.Future[Any], result: object) -> None:
    if future.cancelled():
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)
