"""Reasons and texts for the end of a call, and how errors map to them.

A call is some tasks in one group and one coroutine that attends to them and returns why the call is
over. Every transport runs its calls through ``live_until_over``, so that the same mistake ends in
the same words everywhere and never reaches another call.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from rt_avatar.errors import SessionError
from rt_avatar.signaling.caller_texts import TEXTS, text_for
from rt_avatar.telemetry.logs import log_context

_log = logging.getLogger(__name__)

HANG_UP_S: Final = 3.0  # that a session gets to put its things away

Attend = Callable[[asyncio.TaskGroup], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a call is over: ``reason`` for programs, ``text`` for people."""

    reason: str
    text: str

    @staticmethod
    def of(reason: str) -> "Ending":
        """Return the ending with the usual words for it."""
        return Ending(reason, TEXTS.get(reason, TEXTS["hang_up"]))


class _OverError(Exception):
    """Ends the call's task group; never leaves ``live_until_over``."""


async def live_until_over(attend: Attend, call_id: str) -> Ending:
    """Run a call in a group of its own; all its tasks have ended on return.

    ``attend`` makes tasks in the group and returns why the call is over. Errors of any of them end
    this call only; cancellation propagates.
    """
    with log_context(session=call_id):
        return await _live(attend)


async def _live(attend: Attend) -> Ending:
    ending = Ending.of("internal")
    try:
        async with asyncio.TaskGroup() as group:
            ending = Ending.of(await attend(group))
            raise _OverError
    except* _OverError:
        pass
    except* SessionError as errors:
        first = _innermost(errors)
        if isinstance(first, SessionError):
            ending = Ending(first.reason, text_for(first))
        _log.warning("call ended: %s", first)
    except* Exception as errors:  # the session boundary: other calls must not notice
        ending = Ending.of("internal")
        _log.error("call failed", exc_info=errors)
    return ending


async def wait_for_news(news: asyncio.Event, deadline: float | None) -> None:
    """Wait until something happened, which is then forgotten, or that loop time."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(deadline):
            await news.wait()
            news.clear()


def _innermost(errors: BaseExceptionGroup[Exception]) -> BaseException:
    """Return the first error inside groups of groups."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
