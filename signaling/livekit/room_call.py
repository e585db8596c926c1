"""One room in which the avatar talks with one person: the same ``Session`` as on the web page.

The caller is the participant that the order names, else the first person in the room. Others see
and hear the avatar, but it listens to the caller alone. The call begins when the caller is there
and outlives the caller's absence for ``server.reconnect_s``. Whatever changes sets one event; one
task then looks at everything (as in ``signaling.call``) and acts.
"""

import asyncio
import logging
import math
from collections.abc import Iterable
from typing import Final

from livekit import rtc
from livekit.agents.job import DEFAULT_PARTICIPANT_KINDS

from rt_avatar.services.photo_renderer import look_of
from rt_avatar.session import Session
from rt_avatar.signaling.ending import HANG_UP_S
from rt_avatar.signaling.livekit.captions import Captions
from rt_avatar.signaling.livekit.incoming import RoomListener
from rt_avatar.signaling.livekit.job_metadata import JobMetadata
from rt_avatar.signaling.livekit.motion_stream import MotionSender
from rt_avatar.signaling.livekit.outgoing import RoomTracks
from rt_avatar.signaling.livekit.requests import Requests
from rt_avatar.signaling.livekit.room_connection import RoomConnection
from rt_avatar.signaling.server_context import ServerContext

_log = logging.getLogger(__name__)

# A client subscribes within some round trips. Who does not (a wall that shows only the picture) is
# greeted anyway.
SUBSCRIBE_S: Final = 5.0


class RoomCall:
    """Owned by the job, which has joined the room and runs ``run``. One event loop only."""

    def __init__(
        self, room: rtc.Room, order: JobMetadata, context: ServerContext, call_id: str
    ) -> None:
        self.id = call_id
        self._room = room
        self._order = order
        self._context = context
        self._persona = order.find_persona(context.settings.avatar.persona)
        self._caller = ""
        self._session: Session | None = None
        self._connection = RoomConnection(room, call_id)
        self._requests = Requests(room, self.notify, lambda: self.end("hang_up"), context.portraits)

    def end(self, reason: str) -> None:
        """Let the call end soon; the first reason counts."""
        self._connection.end(reason)

    def notify(self, code: str, text: str) -> None:
        """Show the room something in plain words."""
        self._connection.notify(code, text)

    async def run(self) -> str:
        """Live until the call is over; return the reason. Only cancellation propagates."""
        try:
            return await self._connection.live(self._attend)
        finally:
            self._requests.close()

    # --- the call -----------------------------------------------------------------------------
    async def _attend(self, group: asyncio.TaskGroup) -> str:
        """Look at everything whenever something changed; return why the call is over."""
        loop = asyncio.get_running_loop()
        group.create_task(self._connection.tell_notices())
        living: set[asyncio.Task[None]] = set()
        deadline: float | None = None  # while the caller is away
        while not self._connection.end_reason:
            if not self._caller:
                self._caller = self._find_caller()
            is_here = self._caller in self._room.remote_participants
            if is_here and not living:
                living = self._begin(group)
            elif is_here and deadline is not None:
                self._context.metrics.reconnects.inc()
            if is_here or not living:
                deadline = None
            elif deadline is None:
                deadline = loop.time() + self._context.settings.server.reconnect_s
            elif loop.time() >= deadline:
                self.end("lost")
            await self._connection.wait_for_news(deadline)
        if self._session is not None:
            self._session.hang_up()
            await asyncio.wait(living, timeout=HANG_UP_S)
        return self._connection.end_reason

    def _find_caller(self) -> str:
        """Return the identity of the person to talk with, "" as long as there is nobody."""
        people = self._room.remote_participants
        if self._order.caller:
            return self._order.caller if self._order.caller in people else ""
        return first_person(people.values())

    def _begin(self, group: asyncio.TaskGroup) -> set[asyncio.Task[None]]:
        """Make the session and let it live; return its tasks."""
        look = look_of(self._order.portrait) if self._order.portrait else ""
        session = self._context.open_session(self.id, self._persona, look)
        self._session = session
        return {
            group.create_task(self._carry(session)),
            group.create_task(self._live(session)),
        }

    async def _live(self, session: Session) -> None:
        self.end(await session.run())

    async def _carry(self, session: Session) -> None:
        """Carry the session's media, words and wishes to and from the room, while it lives."""
        room, settings = self._room, self._context.settings
        motion = MotionSender(room, self._context.engines.motion_space)
        tracks = RoomTracks(room, session.media_output, settings.avatar.size_px, motion.take)
        listener = RoomListener(room, session.media_input, settings.vision)
        listener.follow(self._caller)
        await tracks.publish()
        captions = Captions(
            room, session, self._context.metrics, self._caller, lambda: tracks.audio_sid
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


def first_person(people: Iterable[rtc.RemoteParticipant]) -> str:
    """Return the identity of the person who came first, "" when there is nobody.

    Whoever was there before us, the server lists in any order.
    """
    persons = [one for one in people if one.kind in DEFAULT_PARTICIPANT_KINDS]
    first = min(persons, key=_joined_s, default=None)
    return "" if first is None else first.identity


def _joined_s(participant: rtc.RemoteParticipant) -> float:
    joined_at = participant.joined_at
    return math.inf if joined_at is None else joined_at.timestamp()
