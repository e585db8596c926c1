"""Threads for engines: the event loop never computes.

One ``EngineWorker`` a kind of work, shared by all callers: engines are not thread-safe within a
stream, and one thread a kind keeps the order of a caller's items. Threads cannot be cancelled: a
cancelled ``call`` lets the thread finish its item and drops the result.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")


class EngineWorker:
    """One thread with a name.

    Attributes:
        busy_s: Seconds it has worked.
        waited_s: Seconds that calls have waited for it, all together.
        calls: How many it has done.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.busy_s = 0.0
        self.waited_s = 0.0
        self.calls = 0
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def call(
        self, function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs
    ) -> Result:
        """Run ``function`` on the thread and return its result; its exceptions propagate."""
        return await self.start(function, *args, **kwargs)

    def start(
        self, function: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs
    ) -> asyncio.Future[Result]:
        """Let the thread run ``function`` when it is free; return what becomes its result."""
        asked = time.perf_counter()

        def timed() -> Result:
            begin = time.perf_counter()
            self.waited_s += begin - asked
            try:
                return function(*args, **kwargs)
            finally:
                self.busy_s += time.perf_counter() - begin
                self.calls += 1

        return asyncio.get_running_loop().run_in_executor(self._executor, timed)

    def close(self) -> None:
        """Let the running item finish, drop the rest, end the thread."""
        self._executor.shutdown(wait=True, cancel_futures=True)
