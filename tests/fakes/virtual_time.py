"""An event loop whose time jumps: a dialogue of minutes runs in milliseconds, deterministically.

Time moves only when nothing is ready, straight to the next timer; while a thread of an executor or
an engine works it stands still (real waiting), so engines may be real.
"""

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar
from unittest.mock import patch

from rt_avatar.services.worker import EngineWorker

Result = TypeVar("Result")


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting for a timer, moves the loop's time to it."""

    loop: "VirtualTimeLoop"

    def select(self, timeout=None):
        if self.loop.threads_at_work:
            return super().select(0.001 if timeout is None or timeout > 0 else 0)
        if timeout is not None and timeout > 0:
            self.loop.now_s += timeout
            timeout = 0
        if timeout == 0 and len(self.get_map()) == 1:
            return []  # Only the loop's own wake-up call is listened to, and nobody sleeps.
        return super().select(timeout)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Starts at 1,000 s, so that a forgotten zero is noticed."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.threads_at_work = 0
        selector = _JumpingSelector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now_s

    def stall(self, seconds: float) -> None:
        """Let time pass as if the process had been stopped."""
        self.now_s += seconds

    def run_in_executor(self, executor, func, *args):
        self.threads_at_work += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._done)
        return future

    def _done(self, _: Awaitable[object] | None = None) -> None:
        self.threads_at_work -= 1

    @contextmanager
    def watching_engines(self) -> Iterator[None]:
        """Let time stand still for what is asked of engines' threads while inside, too."""
        submit, run_next = EngineWorker._submit, EngineWorker._run_next

        def submitted(worker, *args):
            future = submit(worker, *args)
            self.threads_at_work += 1
            return future

        def run(worker):
            run_next(worker)
            with suppress(RuntimeError):  # the loop is closed
                self.call_soon_threadsafe(self._done)

        with patch.multiple(EngineWorker, _submit=submitted, _run_next=run):
            yield


def run_virtual(main: Callable[[VirtualTimeLoop], Coroutine[object, object, Result]]) -> Result:
    """Run ``main(loop)`` to its end on a new virtual-time loop."""
    loop = VirtualTimeLoop()
    try:
        with loop.watching_engines():
            return loop.run_until_complete(main(loop))
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
