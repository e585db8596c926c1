"""Dispatches as standing orders: as long as one exists, its room has an avatar.

livekit-server 1.9 hands a dispatch out once: when it is made. If no worker has room then, or the
worker dies later, nothing follows. So every worker with room to spare looks at the rooms now and
then. A dispatch of our name whose avatar is missing is deleted and made anew; the server lets only
one worker delete it, so only one makes it anew, and then chooses a worker by load as ever.

When a call is over, its worker deletes the dispatch; then there is nothing to take over. A worker
that closes hands its rooms over itself, in the same way.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Final

import aiohttp
from livekit import api
from livekit.agents.job import DEFAULT_PARTICIPANT_KINDS
from livekit.protocol.models import DataPacket

from rt_avatar.config.settings import LiveKitSettings
from rt_avatar.errors import BadInputError, SetupError
from signaling.livekit.captions import notice
from signaling.livekit.job import JobOrder, parse_order
from signaling.livekit.names import ATTRIBUTE_DISPATCH, TOPIC_NOTICE

_log = logging.getLogger(__name__)

WATCH_S: Final = 2.0  # between two looks; the server itself misses a dead avatar after 20 s
REQUESTS_HZ: Final = (
    20.0  # of one worker to the server, at most: with many rooms it looks less often
)
# Joining takes half a second, on a very busy machine some seconds: missing is who is so often.
MISSING_LOOKS: Final = 3
# An order that has brought so many workers down is given up.
MAX_TAKEOVERS: Final = 3

_PERSONS: Final = frozenset(int(kind) for kind in DEFAULT_PARTICIPANT_KINDS)

# No such dispatch, or (the server's "no response from servers") no such room any more.
_GONE: Final = frozenset({api.TwirpErrorCode.NOT_FOUND, api.TwirpErrorCode.UNAVAILABLE})
API_ERRORS: Final = (api.TwirpError, aiohttp.ClientError, TimeoutError)


class Dispatches:
    """The watch of one worker. ``run`` looks, on the worker's own event loop."""

    def __init__(self, settings: LiveKitSettings) -> None:
        self._settings = settings
        self._missing: dict[str, int] = {}  # dispatch → looks in which its avatar was missing
        self._seen: set[str] = set()  # dispatches whose avatar was there in some look

    async def run(self, has_room: Callable[[], bool], serves: Callable[[str], bool]) -> None:
        """Look until cancelled.

        Args:
            has_room: Whether this worker could take one more job now.
            serves: Whether the job of a dispatch runs here.
        """
        async with open_api(self._settings) as server:
            while True:
                requests = 1
                if has_room():
                    try:
                        requests = await self.look(server, serves)
                    except API_ERRORS as error:
                        _log.debug("the server does not say which rooms there are: %s", error)
                pause_s = max(WATCH_S, requests / REQUESTS_HZ)
                await asyncio.sleep(pause_s * random.uniform(0.8, 1.2))  # not all at once

    async def dismiss(self, room: str, dispatch_id: str, reason: str, text: str) -> None:
        """Give up a dispatch and tell the room why, without joining it."""
        async with open_api(self._settings) as server:
            try:
                await self._dismiss(server, room, dispatch_id, reason, text)
            except API_ERRORS as error:
                _log.warning("room %s could not be told: %s", room, error)

    # --- a look -------------------------------------------------------------------------------
    async def look(self, server: api.LiveKitAPI, serves: Callable[[str], bool]) -> int:
        """Look at all rooms once; return how many requests it took."""
        requests = 1
        seen, missing = self._seen, self._missing
        self._seen, self._missing = set(), {}
        rooms = (await server.room.list_rooms(api.ListRoomsRequest())).rooms
        for room in rooms:
            if not room.num_participants:
                continue
            requests += 1
            for dispatch in await self._ours(server, room.name):
                id_ = dispatch.id
                if serves(id_):
                    continue
                requests += 1
                is_there, is_wanted = await _look_into(server, room.name, dispatch)
                if is_there or id_ in seen:
                    self._seen.add(id_)
                if is_wanted and not is_there:
                    self._missing[id_] = missing.get(id_, 0) + 1
                    if self._missing[id_] >= MISSING_LOOKS:
                        # The server does not list a job that was taken too slowly for it.
                        has_died = bool(dispatch.state.jobs) or id_ in self._seen
                        await self._take_over(server, room.name, dispatch, has_died=has_died)
        return requests

    async def _ours(self, server: api.LiveKitAPI, room: str) -> list[api.AgentDispatch]:
        try:
            dispatches = await server.agent_dispatch.list_dispatch(room)
        except api.TwirpError as error:
            if error.code in _GONE:
                return []
            raise
        return [one for one in dispatches if one.agent_name == self._settings.agent_name]

    async def _take_over(
        self, server: api.LiveKitAPI, room: str, dispatch: api.AgentDispatch, *, has_died: bool
    ) -> None:
        """Make a dispatch anew, unless another worker does, or it is not worth it any more.

        ``has_died``: it had an avatar; else nobody had room for one yet.
        """
        try:
            order = parse_order(dispatch.metadata)
        except BadInputError:
            metadata = dispatch.metadata  # whoever gets it refuses it in the proper way
        else:
            if has_died and order.takeovers >= MAX_TAKEOVERS:
                text = "Something went wrong on our side, again and again. Please call later."
                await self._dismiss(server, room, dispatch.id, "internal", text)
                return
            renewed = order.model_copy(update={"takeovers": order.takeovers + has_died})
            metadata = renewed.model_dump_json(exclude_defaults=True)
        if not await _delete(server, room, dispatch.id):
            return  # another worker was faster
        _log.warning("room %s has lost its avatar or never got one; asking again", room)
        await _create(server, dispatch.agent_name, room, metadata)

    async def _dismiss(
        self, server: api.LiveKitAPI, room: str, dispatch_id: str, reason: str, text: str
    ) -> None:
        await server.room.send_data(
            api.SendDataRequest(
                room=room,
                data=notice("bye", text, reason),
                kind=DataPacket.RELIABLE,
                topic=TOPIC_NOTICE,
            )
        )
        await _delete(server, room, dispatch_id)


def open_api(settings: LiveKitSettings) -> api.LiveKitAPI:
    """Return a client of the server's own interface; a context manager of one event loop."""
    return api.LiveKitAPI(settings.url, settings.api_key, settings.api_secret)


async def delete_dispatch(settings: LiveKitSettings, room: str, dispatch_id: str) -> None:
    """Say that a room's call is over: nobody shall take it over."""
    async with open_api(settings) as server:
        try:
            await _delete(server, room, dispatch_id)
        except API_ERRORS as error:
            _log.warning("the dispatch of room %s could not be deleted: %s", room, error)


async def hand_over(settings: LiveKitSettings, room: str, dispatch_id: str, metadata: str) -> None:
    """Let another worker go on in a room, at once; if there is none yet, as soon as there is."""
    async with open_api(settings) as server:
        try:
            if await _delete(server, room, dispatch_id):
                await _create(server, settings.agent_name, room, metadata)
        except API_ERRORS as error:
            _log.warning("room %s could not be handed over: %s", room, error)


async def check_keys(settings: LiveKitSettings) -> None:
    """Ask the server whether it knows our keys; an unreachable one is asked again by the worker.

    Raises:
        SetupError: It does not know them.
    """
    async with open_api(settings) as server:
        try:
            await server.room.list_rooms(api.ListRoomsRequest(names=["-"]))
        except api.TwirpError as error:
            if error.status in (401, 403):
                raise SetupError(
                    f"livekit.api_key, livekit.api_secret: expected a key that {settings.url} "
                    f"knows, got one that it refuses ({error.message}); take one from the keys of "
                    "that server's configuration"
                ) from None
            _log.warning("%s answers, but oddly: %s", settings.url, error.message)
        except (aiohttp.ClientError, TimeoutError) as error:
            _log.warning("%s cannot be reached yet: %s", settings.url, error)


async def _look_into(
    server: api.LiveKitAPI, room: str, dispatch: api.AgentDispatch
) -> tuple[bool, bool]:
    """Return whether a dispatch's avatar is in the room, and whether somebody waits for it."""
    listed = await server.room.list_participants(api.ListParticipantsRequest(room=room))
    people = {one.identity: one for one in listed.participants}
    is_there = any(one.attributes.get(ATTRIBUTE_DISPATCH) == dispatch.id for one in people.values())
    try:
        order = parse_order(dispatch.metadata)
    except BadInputError:
        order = JobOrder()
    if waiting := order.avatar_of or order.caller:
        return is_there, waiting in people
    return is_there, any(int(one.kind) in _PERSONS for one in people.values())


async def _create(server: api.LiveKitAPI, agent_name: str, room: str, metadata: str) -> None:
    request = api.CreateAgentDispatchRequest(agent_name=agent_name, room=room, metadata=metadata)
    await server.agent_dispatch.create_dispatch(request)


async def _delete(server: api.LiveKitAPI, room: str, dispatch_id: str) -> bool:
    """Delete a dispatch; return False when somebody else has, or the room is gone."""
    try:
        await server.agent_dispatch.delete_dispatch(dispatch_id, room)
    except api.TwirpError as error:
        if error.code in _GONE:
            return False
        raise
    return True
