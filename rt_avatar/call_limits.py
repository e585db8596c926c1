"""How long a call may last and its caller be silent: a forgotten page frees its place.

It knows nothing of media or words: the session tells when the caller was active.
"""

import asyncio
from collections.abc import Callable
from typing import Final, Literal

from rt_avatar.config.server_settings import ServerSettings

LimitReason = Literal["idle", "time_over"]

NOTICE_S: Final = 60.0  # the caller is told so long before the end, or at three quarters of a limit

_NOTICES: Final = {
    "idle": "Are you still there? The call ends in {} seconds unless you say or type something.",
    "time_over": "This call has reached its longest time; it ends in {} seconds.",
}


class CallLimits:
    """One call's limits. ``run`` is a task of the session; ``notify`` takes a code and a text."""

    def __init__(self, settings: ServerSettings, notify: Callable[[str, str], None]) -> None:
        self._limits_s: dict[LimitReason, float] = {}
        if settings.max_idle_s:
            self._limits_s["idle"] = settings.max_idle_s
        if settings.max_call_s:
            self._limits_s["time_over"] = settings.max_call_s
        self._notify = notify
        self._active_s = 0.0  # loop time

    def note_activity(self) -> None:
        """Take note that the caller has said or done something."""
        self._active_s = asyncio.get_running_loop().time()

    async def run(self) -> LimitReason:
        """Wait until a limit is reached, tell the caller before; return which."""
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        self.note_activity()
        warned: tuple[LimitReason, float] | None = None
        while True:
            since_s = {"idle": self._active_s, "time_over": begun_s}
            ends = [(since_s[name] + limit, name) for name, limit in self._limits_s.items()]
            if not ends:
                await loop.create_future()  # no limits: until cancelled
            end_s, reason = min(ends)
            notice_s = end_s - min(NOTICE_S, self._limits_s[reason] / 4)
            now = loop.time()
            if now >= end_s:
                return reason
            if now >= notice_s and warned != (reason, end_s):
                warned = (reason, end_s)
                left_s = round(end_s - now)
                self._notify("ending_soon", _NOTICES[reason].format(left_s))
            await asyncio.sleep((notice_s if now < notice_s else end_s) - now)
