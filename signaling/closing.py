"""Closes connections: waits a moment, and lets what takes longer end behind its call's back.

A relay that does not answer any more is asked for a minute to let go of its allocation. Whoever
gave that up half-way would leave the sockets and tasks of the connection open for ever.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final

_log = logging.getLogger(__name__)

WAIT_S: Final = 3.0  # that a call waits for its connection
# After this nothing will come any more: a transaction with a relay has seven tries in 63.5 s.
# Source: RFC 8489 §6.2.1, as aioice keeps it.
GIVE_UP_S: Final = 90.0


class Closing:
    """Owned by the registry. An async context manager: leaving gives up what is not closed."""

    def __init__(self) -> None:
        self._group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Closing":
        """Begin."""
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give what is being closed a last moment."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=WAIT_S)
        for task in self._tasks:
            task.cancel()
        await self._group.__aexit__(kind, error, traceback)

    async def close(self, close: Callable[[], Awaitable[None]]) -> None:
        """Close something; return when it is closed, or after a moment while it goes on."""
        task = self._group.create_task(_close(close))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.wait({task}, timeout=WAIT_S)
        if not task.done():
            _log.info("a connection takes more than %.0f s to close; it goes on", WAIT_S)


async def _close(close: Callable[[], Awaitable[None]]) -> None:
    try:
        async with asyncio.timeout(GIVE_UP_S):
            await close()
    except TimeoutError:
        _log.warning("a connection did not close in %.0f s and was given up", GIVE_UP_S)
    except Exception:  # the boundary of a connection: no other one shall notice
        _log.exception("a connection could not be closed")
