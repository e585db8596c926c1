"""One room in which the avatar is the face of an agent: the plug-in's other end.

The agent (somebody's livekit-agents program) hears, thinks and has a voice of its own; its speech
comes as data and leaves as ``avatar_audio`` and ``avatar_video``, on its behalf. The call lasts as
long as the agent is in the room, and outlives its absence for ``server.reconnect_s``.
"""

import asyncio

from livekit import rtc

from rt_avatar.recital.recital import Recital
from signaling.edge import Edge
from signaling.ending import HANG_UP_S
from signaling.livekit.agent_signs import AgentSigns
from signaling.livekit.agent_speech import AgentSpeech
from signaling.livekit.job import JobOrder
from signaling.livekit.motion_stream import MotionSender
from signaling.livekit.outgoing import RoomTracks
from signaling.livekit.room_line import RoomLine


class AvatarCall:
    """Owned by the job, which has joined the room and runs ``run``. One event loop only."""

    def __init__(self, room: rtc.Room, order: JobOrder, edge: Edge, call_id: str) -> None:
        self.id = call_id
        self._room = room
        self._edge = edge
        self._agent = order.avatar_of
        settings = edge.settings
        profile = order.find_profile(settings.avatar.profile)
        self._line = RoomLine(room, call_id)
        self._recital = Recital(call_id, settings, edge.engines, profile)
        self._motion = MotionSender(room)
        self._tracks = RoomTracks(
            room, self._recital.outlet, settings.avatar.size_px, self._motion.take
        )
        self._speech = AgentSpeech(room, self._agent, self._recital, self._tracks)
        self._signs = AgentSigns(room, self._agent, self._recital)

    def end(self, reason: str) -> None:
        """Let the call end soon; the first reason counts."""
        self._line.end(reason)

    def notify(self, code: str, text: str) -> None:
        """Show the room something in plain words."""
        self._line.notify(code, text)

    async def run(self) -> str:
        """Live until the call is over; return the reason. Only cancellation propagates."""
        self._edge.metrics.sessions_started.inc()
        self._signs.follow()
        try:
            return await self._line.live(self._attend)
        finally:
            self._signs.close()
            self._speech.close()
            await self._tracks.aclose()

    async def _attend(self, group: asyncio.TaskGroup) -> str:
        """Look at everything whenever something changed; return why the call is over."""
        loop = asyncio.get_running_loop()
        group.create_task(self._line.tell_notices())
        group.create_task(self._motion.run())
        living = group.create_task(self._recital.run())
        telling = group.create_task(self._speech.run())
        await self._tracks.publish()  # for it the agent waits before it speaks
        sending = group.create_task(self._tracks.run())
        reason = ""
        was_here, deadline = False, loop.time() + self._edge.settings.server.reconnect_s
        while not (reason := reason or self._line.end_reason):
            is_here = self._agent in self._room.remote_participants
            if was_here and not is_here:
                self._speech.agent_left()
                self._signs.look()
                deadline = loop.time() + self._edge.settings.server.reconnect_s
            elif not is_here and loop.time() >= deadline:
                reason = "agent_left"
                continue
            was_here = is_here
            await self._line.wait_for_news(None if is_here else deadline)
        self._recital.hang_up()
        await asyncio.wait({living, sending, telling}, timeout=HANG_UP_S)
        return reason
