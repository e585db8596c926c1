"""One room in which the avatar is the face of an agent (``AvatarSession``'s other end).

The agent (somebody's livekit-agents program) hears, thinks and has a voice of its own; its speech
comes as data and leaves as ``avatar_audio`` and ``avatar_video``, on its behalf. The call lasts as
long as the agent is in the room, and outlives its absence for ``server.reconnect_s``.
"""

import asyncio

from livekit import rtc

from rt_avatar.avatar_runner.runner import AvatarRunner
from rt_avatar.services.photo_renderer import look_of
from rt_avatar.signaling.ending import HANG_UP_S
from rt_avatar.signaling.livekit.agent_speech import AgentSpeech
from rt_avatar.signaling.livekit.agent_state import AgentStateFollower
from rt_avatar.signaling.livekit.job_metadata import JobMetadata
from rt_avatar.signaling.livekit.motion_stream import MotionSender
from rt_avatar.signaling.livekit.outgoing import RoomTracks
from rt_avatar.signaling.livekit.room_connection import RoomConnection
from rt_avatar.signaling.server_context import ServerContext


class AvatarCall:
    """Owned by the job, which has joined the room and runs ``run``. One event loop only."""

    def __init__(
        self, room: rtc.Room, order: JobMetadata, context: ServerContext, call_id: str
    ) -> None:
        self.id = call_id
        self._room = room
        self._context = context
        self._agent = order.avatar_of
        settings = context.settings
        persona = order.find_persona(settings.avatar.persona)
        self._connection = RoomConnection(room, call_id)
        self._runner = AvatarRunner(
            call_id,
            settings,
            context.engines,
            persona,
            look_of(order.portrait) if order.portrait else "",
        )
        self._motion = MotionSender(room, context.engines.motion_space)
        self._tracks = RoomTracks(
            room, self._runner.media_output, settings.avatar.size_px, self._motion.take
        )
        self._speech = AgentSpeech(room, self._agent, self._runner)
        self._agent_state = AgentStateFollower(room, self._agent, self._runner)

    def end(self, reason: str) -> None:
        """Let the call end soon; the first reason counts."""
        self._connection.end(reason)

    def notify(self, code: str, text: str) -> None:
        """Show the room something in plain words."""
        self._connection.notify(code, text)

    async def run(self) -> str:
        """Live until the call is over; return the reason. Only cancellation propagates."""
        self._context.metrics.sessions_started.inc()
        self._agent_state.follow()
        try:
            return await self._connection.live(self._attend)
        finally:
            self._agent_state.close()
            self._speech.close()
            await self._tracks.aclose()

    async def _attend(self, group: asyncio.TaskGroup) -> str:
        """Look at everything whenever something changed; return why the call is over."""
        loop = asyncio.get_running_loop()
        group.create_task(self._connection.tell_notices())
        group.create_task(self._motion.run())
        living = group.create_task(self._runner.run())
        telling = group.create_task(self._speech.run())
        await self._tracks.publish()  # for it the agent waits before it speaks
        sending = group.create_task(self._tracks.run())
        reason = ""
        was_here, deadline = False, loop.time() + self._context.settings.server.reconnect_s
        while not (reason := reason or self._connection.end_reason):
            is_here = self._agent in self._room.remote_participants
            if was_here and not is_here:
                self._agent_state.look()
                deadline = loop.time() + self._context.settings.server.reconnect_s
            elif not is_here and loop.time() >= deadline:
                reason = "agent_left"
                continue
            was_here = is_here
            await self._connection.wait_for_news(None if is_here else deadline)
        self._runner.hang_up()
        if self._agent not in self._room.remote_participants:
            telling.cancel()  # it waits until the agent is back
        await asyncio.wait({living, sending, telling}, timeout=HANG_UP_S)
        return reason
