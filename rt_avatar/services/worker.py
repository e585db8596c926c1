"""Threads for engines: the event loop never computes.

One ``EngineWorker`` a kind of work, shared by all callers: engines are not thread-safe within a
stream. What waits for the thread is done by deadline, the earliest first. Work that itself waits
(for a process) gets a lane for each stream: nobody then waits for another caller's process, and the
processes share the cores. Threads cannot be cancelled: a cancelled ``call`` lets the thread finish
its item and drops the result.
"""

import asyncio
import contextvars
import heapq
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar, TypeVarTuple

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
        run: Does it, unless nobody awaits it any more.
        drop: Cancels it.
    """

    deadline_s: float
    number: int
    run: Callable[[], None] = field(compare=False)
    drop: Callable[[], bool] = field(compare=False)


class EngineWorker:
    """One thread with a name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._times = _Times()
        self._lock = threading.Lock()  # of `_waiting`
        self._waiting: list[_Work] = []  # a heap; as many as callers await, so it needs no bound
        self._numbers = count()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

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
        loop = asyncio.get_running_loop()
        result: Future[Result] = Future()
        asked_s = time.perf_counter()
        context = contextvars.copy_context()  # so that the log knows whom it works for

        def run() -> None:
            if not result.set_running_or_notify_cancel():
                return
            begun_s = time.perf_counter()
            try:
                made = context.run(function, *args)
            except BaseException as error:
                self._times.add(begun_s - asked_s, time.perf_counter() - begun_s)
                result.set_exception(error)
            else:
                self._times.add(begun_s - asked_s, time.perf_counter() - begun_s)
                result.set_result(made)

        deadline_s = loop.time() if deadline_s is None else deadline_s
        with self._lock:
            heapq.heappush(
                self._waiting, _Work(deadline_s, next(self._numbers), run, result.cancel)
            )
        loop.run_in_executor(self._executor, self._work_off)
        return asyncio.wrap_future(result, loop=loop)

    def _work_off(self) -> None:
        """Do what is due first, which need not be what this was started for."""
        with self._lock:
            if not self._waiting:  # closed meanwhile
                return
            work = heapq.heappop(self._waiting)
        work.run()

    def close(self, *, wait: bool = True) -> None:
        """Drop what waits, end the thread; ``wait`` for the running item."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            dropped, self._waiting = self._waiting, []
        for work in dropped:
            work.drop()
        self._executor.shutdown(wait=wait)
