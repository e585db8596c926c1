"""``AvatarSession``: the face of one agent's session, from ``start`` to ``aclose``.

The agent's speech goes to the avatar as data instead of being published. If the avatar is lost in
mid-call (its worker dies, its machine is cut off), the agent's session goes on: what was being said
ends there, further speech is published by the agent itself, without a face, and another avatar is
asked for. When that one is there and answers, speech goes to it again.

A dead machine says no goodbye, and the server misses it only after some 20 s; so the avatar is
asked every second whether it is there.
"""

import asyncio
import json
import time
from typing import Any, Final
from uuid import uuid4

from livekit import rtc
from livekit.agents import AgentSession
from livekit.agents import utils as agents_utils
from livekit.agents.job import get_job_context
from livekit.agents.types import NOT_GIVEN, NotGivenOr
from livekit.agents.voice.avatar import AvatarSession as BaseAvatarSession

from rt_avatar.signaling.livekit.agents_private import joining, room_of
from rt_avatar.signaling.livekit.job_metadata import JobMetadata
from rt_avatar.signaling.livekit.names import RPC_PING, TOPIC_NOTICE

from .dispatcher import AvatarJoinError, Dispatcher
from .log import logger
from .output import AvatarAudioOutput, FallbackAudio

HEARTBEAT_S: Final = 1.0  # between two questions whether it is there
ANSWER_S: Final = 2.0  # for an answer; the worst of lines brings it in half a second
# So many in a row without an answer: lost, which is known after 6 s at most. One alone may be a
# hiccup of the line.
MISSED: Final = 2
# What only somebody can say who is there.
_ALIVE: Final = frozenset({
    rtc.RpcError.ErrorCode.UNSUPPORTED_METHOD, rtc.RpcError.ErrorCode.APPLICATION_ERROR
})  # fmt: skip


class AvatarSession(BaseAvatarSession[str]):
    """An avatar for one ``AgentSession``.

    Args:
        persona: Who it is (``rt-avatar personas``); the worker's default if not given.
        portrait: Name of a photographed face that the operator shares (``rt-avatar portrait
            --share``); the persona's own if not given.
        agent_name: Name under which the workers are registered (``livekit.agent_name``).
        avatar_participant_identity: Its identity in the room; a new one if not given. Two sessions
            of one process must not share one: livekit-agents keeps its handlers by identity.
        join_timeout_s: How long ``start`` waits for it.
        clear_buffer_timeout: How long an interrupted session waits to be told how much was heard.
            None: until it is told, or the avatar is lost.
    """

    def __init__(
        self,
        *,
        persona: NotGivenOr[str] = NOT_GIVEN,
        portrait: NotGivenOr[str] = NOT_GIVEN,
        agent_name: str = "rt-avatar",
        avatar_participant_identity: NotGivenOr[str] = NOT_GIVEN,
        join_timeout_s: float = 20.0,
        clear_buffer_timeout: float | None = 2.0,
    ) -> None:
        super().__init__()
        self._persona = persona if agents_utils.is_given(persona) else ""
        self._portrait = portrait if agents_utils.is_given(portrait) else ""
        self._agent_name = agent_name
        self._identity = (
            avatar_participant_identity
            if agents_utils.is_given(avatar_participant_identity)
            else f"rt-avatar-{uuid4().hex[:12]}"
        )
        self._join_timeout_s = join_timeout_s
        self._clear_buffer_timeout = clear_buffer_timeout
        self._dispatcher: Dispatcher | None = None
        self._refusal: asyncio.Future[str] | None = None
        self._news = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._alive_s = 0.0  # monotonic time of its last sign of life
        self._missed = 0
        self._has_answered = False  # since it joined; before, speech would be lost on its way

    @property
    def avatar_identity(self) -> str:
        """Its identity in the room."""
        return self._identity

    @property
    def provider(self) -> str:
        """Name in metrics."""
        return "rt-avatar"

    async def start(
        self,
        agent_session: AgentSession[Any],
        room: rtc.Room,
        *,
        livekit_url: NotGivenOr[str] = NOT_GIVEN,
        livekit_api_key: NotGivenOr[str] = NOT_GIVEN,
        livekit_api_secret: NotGivenOr[str] = NOT_GIVEN,
    ) -> None:
        """Ask for the avatar, wait until it is there, and let the agent speak through it.

        Call it before ``agent_session.start``. The address and the key are those of the
        environment (``LIVEKIT_URL`` …) if not given; the key must be allowed to dispatch.

        Raises:
            AvatarJoinError: No avatar has come; says why and how to mend it.
        """
        if not room.isconnected():
            job = get_job_context(required=False)
            if job is None or job.room is not room:
                raise AvatarJoinError(
                    "avatar: expected a room that is joined, got one that is not; connect it first"
                )
            await job.connect()
        await super().start(agent_session, room)
        try:
            order = JobMetadata(
                persona=self._persona,
                portrait=self._portrait,
                avatar_of=room.local_participant.identity,
                identity=self._identity,
            )
            self._dispatcher = Dispatcher(
                room.name, self._agent_name, order, livekit_url, livekit_api_key, livekit_api_secret
            )
            room.on("data_received", self._on_data)
            self._refusal = asyncio.get_running_loop().create_future()
            await self._dispatcher.ask()
            await self._wait_for_avatar(self._dispatcher, self._refusal)
        except BaseException:
            await self.aclose()
            raise
        room.on("participant_disconnected", self._on_disconnected)
        room.on("track_published", self._on_change)
        output = AvatarAudioOutput(room, self._identity, self._clear_buffer_timeout)
        agent_session.output.replace_audio_tail(output)
        # No group of ours is around somebody else's program: the task is owned here, until aclose.
        self._watching = asyncio.get_running_loop().create_task(
            self._watch(agent_session, room, self._dispatcher, output)
        )

    async def aclose(self) -> None:
        """Let the avatar go; calling it again does nothing. The agent's session is left as it is.

        livekit-agents calls it when the job ends.
        """
        room, dispatcher = room_of(self), self._dispatcher
        self._dispatcher = None
        if self._watching is not None:
            await agents_utils.aio.cancel_and_wait(self._watching)
            self._watching = None
        if room is not None:
            room.off("data_received", self._on_data)
            room.off("participant_disconnected", self._on_disconnected)
            room.off("track_published", self._on_change)
        if dispatcher is not None:
            await dispatcher.cancel()  # first, or a worker would take it over
            if get_job_context(required=False) is None:  # else the base class does
                await dispatcher.send_away(self._identity)
        await super().aclose()

    # --- joining ------------------------------------------------------------------------------
    async def _wait_for_avatar(self, dispatcher: Dispatcher, refusal: asyncio.Future[str]) -> None:
        coming = joining(self)
        assert coming is not None, "the room is joined"
        first: set[asyncio.Future[Any]] = {coming, refusal}
        await asyncio.wait(first, timeout=self._join_timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if coming.done() and coming.exception() is None:
            return
        expected = f"avatar: expected {self._identity!r} to join within {self._join_timeout_s:g} s"
        if refusal.done():
            raise AvatarJoinError(f"{expected}, but it was refused: {refusal.result()}")
        if coming.done():
            raise AvatarJoinError(f"{expected} and stay; {coming.exception()}")
        raise AvatarJoinError(f"{expected}, got nobody, {await dispatcher.explain()}")

    # --- while the session lives --------------------------------------------------------------
    async def _watch(
        self,
        agent_session: AgentSession[Any],
        room: rtc.Room,
        dispatcher: Dispatcher,
        output: AvatarAudioOutput,
    ) -> None:
        """Let the agent's voice go where it can be heard, whatever becomes of the avatar."""
        bare: FallbackAudio | None = None
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._check_alive(room))
                while True:
                    await self._news.wait()
                    self._news.clear()
                    is_here = self._is_here(room)
                    if bare is None and not is_here and room.isconnected():
                        logger.warning("the avatar %s is lost; going on without", self._identity)
                        if output.is_waited_for and agent_session.current_speech is not None:
                            # Or the agent would believe that all of it was heard.
                            agent_session.current_speech.interrupt(force=True)
                        output.lose(self._alive_s)
                        bare = FallbackAudio(room)
                        agent_session.output.replace_audio_tail(bare.output)
                        output.give_up()
                        group.create_task(dispatcher.ask_again())
                    elif bare is not None and is_here and self._has_answered:
                        await _wait_for_silence(agent_session)
                        output = AvatarAudioOutput(room, self._identity, self._clear_buffer_timeout)
                        agent_session.output.replace_audio_tail(output)
                        gone, bare = bare, None
                        await gone.aclose()
                        logger.info("the avatar %s is back", self._identity)
        finally:
            if bare is not None:
                await bare.aclose()

    async def _check_alive(self, room: rtc.Room) -> None:
        """Ask the avatar whether it is there, until cancelled."""
        self._alive_s = time.monotonic()
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            is_connected = room.connection_state == rtc.ConnectionState.CONN_CONNECTED
            avatar = room.remote_participants.get(self._identity)
            if not is_connected or avatar is None:
                continue  # our own line is down, or the server has told already
            has_answered = await self._answers(room)
            if room.remote_participants.get(self._identity) is not avatar:
                continue  # who was asked has left meanwhile; who came for it has missed nothing
            if has_answered:
                self._has_answered, self._missed, self._alive_s = True, 0, time.monotonic()
            else:
                self._missed += 1
            self._news.set()

    async def _answers(self, room: rtc.Room) -> bool:
        try:
            async with asyncio.timeout(ANSWER_S):
                await room.local_participant.perform_rpc(
                    destination_identity=self._identity, method=RPC_PING, payload=""
                )
        except TimeoutError:
            return False
        except rtc.RpcError as error:
            return error.code in _ALIVE
        return True

    def _is_here(self, room: rtc.Room) -> bool:
        """Whether the avatar is in the room with its face, and alive."""
        avatar = room.remote_participants.get(self._identity)
        return (
            avatar is not None
            and self._missed < MISSED
            and any(
                one.kind == rtc.TrackKind.KIND_VIDEO for one in avatar.track_publications.values()
            )
        )

    # --- the room's events --------------------------------------------------------------------
    def _on_change(self, *_what: object) -> None:
        self._news.set()

    def _on_disconnected(self, participant: rtc.RemoteParticipant) -> None:
        if participant.identity == self._identity:
            self._missed, self._has_answered = 0, False  # of who comes next
        self._news.set()

    def _on_data(self, packet: rtc.DataPacket) -> None:
        """A worker that refuses an order tells the room why, through the server."""
        refusal = self._refusal
        if packet.topic != TOPIC_NOTICE or packet.participant is not None or refusal is None:
            return
        try:
            message = json.loads(packet.data)
        except ValueError:
            return
        if isinstance(message, dict) and message.get("code") == "bye" and not refusal.done():
            refusal.set_result(str(message.get("text", "")))


async def _wait_for_silence(agent_session: AgentSession[Any]) -> None:
    """Wait until the agent has said what it is saying, so that no word is cut by a change."""
    while (speech := agent_session.current_speech) is not None and not speech.done():
        await speech.wait_for_playout()
