"""A call's connection to its room: notices, wake-ups, and why the call ended.

Every kind of call in a room has one. It knows nothing of what the call is about.
"""

import asyncio
import logging
from typing import Final

from livekit import rtc

from rt_avatar.queues import put_dropping_oldest
from rt_avatar.signaling.ending import Attend, Ending, live_until_over, wait_for_news
from rt_avatar.signaling.livekit.captions import SEND_ERRORS, SEND_S, send_notice

_log = logging.getLogger(__name__)

_NOTICES: Final = 16  # waiting for the line; when full, the oldest is dropped
# The SDK hands data over to the line after it has told that they are published, drops what is not
# sent when it leaves, and tells of neither.
_FLUSH_S: Final = 0.25
_EVENTS: Final = ("participant_connected", "participant_disconnected")

# Another worker goes on in the room, if there is one (``dispatches``).
_TAKEN_OVER: Final = "This server is closing; another one may take over in a moment."

# Why the library says that we are no longer in the room → why the call is over. Anything else is
# the line's fault: "disconnected".
_REASONS: Final[dict[int, str]] = {
    rtc.DisconnectReason.CLIENT_INITIATED: "hang_up",
    rtc.DisconnectReason.DUPLICATE_IDENTITY: "replaced",
    rtc.DisconnectReason.PARTICIPANT_REMOVED: "removed",
    rtc.DisconnectReason.ROOM_DELETED: "room_closed",
    rtc.DisconnectReason.ROOM_CLOSED: "room_closed",
}


class RoomConnection:
    """Owned by a call that has joined the room. One event loop only.

    Attributes:
        end_reason: Why the call is over; "" as long as it is not.
    """

    def __init__(self, room: rtc.Room, call_id: str) -> None:
        self.end_reason = ""
        self._room = room
        self._id = call_id
        self._news = asyncio.Event()
        self._notices: asyncio.Queue[tuple[str, str]] = asyncio.Queue(maxsize=_NOTICES)

    def end(self, reason: str) -> None:
        """Let the call end soon; the first reason counts."""
        self.end_reason = self.end_reason or reason
        self._news.set()

    def notify(self, code: str, text: str) -> None:
        """Show the room something in plain words."""
        put_dropping_oldest(self._notices, (code, text))

    async def live(self, attend: Attend) -> str:
        """Let ``attend`` run the call, say goodbye and leave the room; return the reason.

        Only cancellation propagates.
        """
        for name in _EVENTS:
            self._room.on(name, self._on_change)
        self._room.on("disconnected", self._on_disconnected)
        ending = Ending.of("internal")
        try:
            ending = await live_until_over(attend, self._id)
            if ending.reason == "internal" and self.end_reason:
                ending = Ending.of(self.end_reason)  # what failed did so because it was over
        finally:
            await self._say_goodbye(ending)
        return ending.reason

    async def wait_for_news(self, deadline: float | None) -> None:
        """Wait until somebody came or went, the call shall end, or that loop time."""
        await wait_for_news(self._news, deadline)

    async def tell_notices(self) -> None:
        """Pass notices on to the room, until cancelled."""
        while True:
            code, text = await self._notices.get()
            try:
                async with asyncio.timeout(SEND_S):
                    await send_notice(self._room, code, text)
            except SEND_ERRORS as error:
                _log.debug("a notice to the room was dropped: %s", error)

    async def _say_goodbye(self, ending: Ending) -> None:
        """Tell the room why the avatar leaves, and leave it."""
        text = _TAKEN_OVER if ending.reason == "draining" else ending.text
        try:
            async with asyncio.timeout(SEND_S):
                if self._room.isconnected():
                    await send_notice(self._room, "bye", text, ending.reason)
                    await asyncio.sleep(_FLUSH_S)
                await self._room.disconnect()
        except SEND_ERRORS as error:
            _log.debug("the room was left without a goodbye: %s", error)

    # --- the library's events -----------------------------------------------------------------
    def _on_change(self, _participant: rtc.RemoteParticipant) -> None:
        self._news.set()

    def _on_disconnected(self, reason: int) -> None:
        self.end(_REASONS.get(reason, "disconnected"))
