"""One room in which the avatar talks with one person: the same ``Session`` as on the web page.

The caller is the participant that the order names, else the first person in the room. Others see
and hear the avatar, but it listens to the caller alone. The call begins when the caller is there
and outlives the caller's absence for ``server.reconnect_s``. Whatever changes sets one event; one
task then looks at everything (as in ``signaling.call``) and acts.
"""

import asyncio
import logging
from typing import Final

from livekit import rtc
from livekit.agents.job import DEFAULT_PARTICIPANT_KINDS

from rt_avatar.session import Session
from signaling.edge import Edge
from signaling.ending import HANG_UP_S
from signaling.livekit.captions import Captions
from signaling.livekit.incoming import RoomListener
from signaling.livekit.job import JobOrder
from signaling.livekit.motion_stream import MotionSender
from signaling.livekit.outgoing import RoomTracks
from signaling.livekit.requests import Requests
from signaling.livekit.room_line import RoomLine

_log = logging.getLogger(__name__)

# A client subscribes within some round trips. Who does not (a wall that shows only the picture) is
# greeted anyway.
SUBSCRIBE_S: Final = 5.0


class RoomCall:
    """Owned by the job, which has joined the room and runs ``run``. One event loop only."""

    def __init__(self, room: rtc.Room, order: JobOrder, edge: Edge, call_id: str) -> None:
        self.id = call_id
        self._room = room
        self._order = order
        self._edge = edge
        self._profile = order.find_profile(edge.settings.avatar.profile)
        self._caller = ""
        self._session: Session | None = None
        self._line = RoomLine(room, call_id)
        self._requests = Requests(room, self.notify, lambda: self.end("hang_up"))

    def end(self, reason: str) -> None:
        """Let the call end soon; the first reason counts."""
        self._line.end(reason)

    def notify(self, code: str, text: str) -> None:
        """Show the room something in plain words."""
        self._line.notify(code, text)

    async def run(self) -> str:
        """Live until the call is over; return the reason. Only cancellation propagates."""
        try:
            return await self._line.live(self._attend)
        finally:
            self._requests.close()

    # --- the call -----------------------------------------------------------------------------
    async def _attend(self, group: asyncio.TaskGroup) -> str:
        """Look at everything whenever something changed; return why the call is over."""
        loop = asyncio.get_running_loop()
        group.create_task(self._line.tell_notices())
        living: set[asyncio.Task[None]] = set()
        deadline: float | None = None  # while the caller is away
        while not self._line.end_reason:
            if not self._caller:
                self._caller = self._find_caller()
            is_here = self._caller in self._room.remote_participants
            if is_here and not living:
                living = self._begin(group)
            elif is_here and deadline is not None:
                self._edge.metrics.reconnects.inc()
            if is_here or not living:
                deadline = None
            elif deadline is None:
                deadline = loop.time() + self._edge.settings.server.reconnect_s
            elif loop.time() >= deadline:
                self.end("lost")
            await self._line.wait_for_news(deadline)
        if self._session is not None:
            self._session.hang_up()
            await asyncio.wait(living, timeout=HANG_UP_S)
        return self._line.end_reason

    def _find_caller(self) -> str:
        """Return the identity of the person to talk with, "" as long as there is nobody."""
        people = self._room.remote_participants
        if self._order.caller:
            return self._order.caller if self._order.caller in people else ""
        return next(
            (name for name, one in people.items() if one.kind in DEFAULT_PARTICIPANT_KINDS), ""
        )

    def _begin(self, group: asyncio.TaskGroup) -> set[asyncio.Task[None]]:
        """Make the session and let it live; return its tasks."""
        edge = self._edge
        session = Session(self.id, edge.settings, edge.engines, edge.reasoner, self._profile)
        self._session = session
        edge.metrics.sessions_started.inc()
        return {
            group.create_task(self._carry(session)),
            group.create_task(self._live(session)),
        }

    async def _live(self, session: Session) -> None:
        await session.run()
        self.end("hang_up")

    async def _carry(self, session: Session) -> None:
        """Carry the session's media, words and wishes to and from the room, while it lives."""
        room, settings = self._room, self._edge.settings
        motion = MotionSender(room)
        tracks = RoomTracks(room, session.outlet, settings.avatar.size_px, motion.take)
        listener = RoomListener(room, session.inlet, settings.sight)
        listener.follow(self._caller)
        await tracks.publish()
        captions = Captions(
            room, session, self._edge.metrics, self._caller, lambda: tracks.audio_sid
        )
        try:
            async with asyncio.TaskGroup() as group:
                carrying = [
                    *(group.create_task(part.run()) for part in (listener, motion, captions)),
                    group.create_task(self._requests.run(session, self._caller)),
                    group.create_task(self._greet(session, tracks)),
                ]
                await tracks.run()
                for task in carrying:
                    task.cancel()
        finally:
            await captions.finish()
            await tracks.aclose()

    async def _greet(self, session: Session, tracks: RoomTracks) -> None:
        """Let the avatar say hello as soon as somebody can hear it."""
        publication = self._room.local_participant.track_publications.get(tracks.audio_sid)
        try:
            async with asyncio.timeout(SUBSCRIBE_S):
                if publication is not None:  # else the line was renewed just now
                    await publication.wait_for_subscription()
        except TimeoutError:
            _log.info("nobody has subscribed to the avatar's voice")
        session.set_connected(True)
