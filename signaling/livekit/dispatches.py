"""Keep an avatar in every room for as long as its dispatch exists.

livekit-server 1.9 hands a dispatch out once: when it is made. If no worker has room then, or the
worker dies later, nothing follows. So every worker with room to spare lists the rooms now and then,
and looks into those that are new to it or have changed; into the others less and less often. A
dispatch of our name whose avatar is missing is deleted and made anew; the server lets only one
worker delete it, so only one makes it anew, and then chooses a worker by load as ever. What was
deleted and cannot be made is made as soon as the server lets us.

When a call is over, its worker deletes the dispatch; then there is nothing to take over. A worker
that closes hands its rooms over itself, in the same way.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import aiohttp
from google.protobuf.message import DecodeError
from livekit import api
from livekit.agents.job import DEFAULT_PARTICIPANT_KINDS
from livekit.protocol.models import DataPacket

from rt_avatar.config.server_settings import LiveKitSettings
from rt_avatar.errors import BadInputError, SetupError
from rt_avatar.signaling.livekit.captions import notice
from rt_avatar.signaling.livekit.job_metadata import JobMetadata, parse_metadata
from rt_avatar.signaling.livekit.names import ATTRIBUTE_DISPATCH, TOPIC_NOTICE

_log = logging.getLogger(__name__)

WATCH_S: Final = 2.0  # between two looks; the server itself misses a dead avatar after 20 s
# Of one worker to the server in one look, about; what does not fit waits for the next one.
LOOK_REQUESTS: Final = 10
# A room in which nothing changes is looked into less and less often, down to this.
RECHECK_S: Final = 120.0
# Joining takes half a second, on a very busy machine some seconds: missing is who is so often.
MISSING_LOOKS: Final = 3
# An order that has brought so many workers down is given up.
MAX_TAKEOVERS: Final = 3
# What has just been deleted is tried to be made anew for so long, and then once before each look:
# less than the farewells of a worker that closes may take (``GOODBYE_S`` in worker.py).
MAKE_S: Final = 8.0
MAKE_AGAIN_S: Final = 0.5  # between two tries

_PERSONS: Final = frozenset(int(kind) for kind in DEFAULT_PARTICIPANT_KINDS)

# No such dispatch, or (the server's "no response from servers") no such room any more; a room that
# is there may be answered so, too, when the server is busy.
_GONE: Final = frozenset({api.TwirpErrorCode.NOT_FOUND, api.TwirpErrorCode.UNAVAILABLE})
# What answers may be a proxy's page that says "back soon", with status 200: no message at all.
API_ERRORS: Final = (api.TwirpError, aiohttp.ClientError, TimeoutError, DecodeError)


@dataclass(slots=True)
class _Room:
    """What one worker knows of a room.

    Attributes:
        state: What the list of rooms says of it; an avatar that comes or goes changes it.
        due_s: Loop time from which on it shall be looked into.
        pause_s: Until the look after the next one.
        missing: Dispatch → looks in a row in which its avatar was missing.
        seen: Dispatches whose avatar was there in some look.
    """

    state: tuple[str, int, int]
    due_s: float
    pause_s: float
    missing: dict[str, int] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)


class Dispatches:
    """The watch of one worker. ``run`` looks, on the worker's own event loop."""

    def __init__(self, settings: LiveKitSettings) -> None:
        self._settings = settings
        self._rooms: dict[str, _Room] = {}
        self._unmade: list[api.CreateAgentDispatchRequest] = []  # deleted, and not made anew yet

    async def run(self, has_room: Callable[[], bool], serves: Callable[[str], bool]) -> None:
        """Look until cancelled.

        Args:
            has_room: Whether this worker could take one more job now.
            serves: Whether the job of a dispatch runs here.
        """
        async with open_api(self._settings) as server:
            while True:
                for order in tuple(self._unmade):  # another worker may have room
                    if await _try_to_make(server, order, is_retry=True):
                        self._unmade.remove(order)
                if not has_room():
                    # Nobody had room for what was asked meanwhile, perhaps.
                    for room in self._rooms.values():
                        room.due_s, room.pause_s = 0.0, WATCH_S
                else:
                    try:
                        await self.look(server, serves)
                    except API_ERRORS as error:
                        _log.debug("the server does not say which rooms there are: %s", error)
                await asyncio.sleep(WATCH_S * random.uniform(0.8, 1.2))  # not all at once

    async def dismiss(self, room: str, dispatch_id: str, reason: str, text: str) -> None:
        """Give up a dispatch and tell the room why, without joining it."""
        async with open_api(self._settings) as server:
            try:
                await self._dismiss(server, room, dispatch_id, reason, text)
            except API_ERRORS as error:
                _log.warning("room %s could not be told: %s", room, error)

    # --- a look -------------------------------------------------------------------------------
    async def look(self, server: api.LiveKitAPI, serves: Callable[[str], bool]) -> None:
        """List the rooms, and look into those that are due, as far as the rate allows."""
        now_s = asyncio.get_running_loop().time()
        listed = (await server.room.list_rooms(api.ListRoomsRequest())).rooms
        self._follow({room.name: _state(room) for room in listed if room.num_participants}, now_s)
        left = LOOK_REQUESTS - 1
        due = [name for name, room in self._rooms.items() if room.due_s <= now_s]
        random.shuffle(due)  # several workers shall not all begin with the same
        # Where somebody may be waiting comes first, then whoever is due for longest.
        due.sort(key=lambda name: (not self._rooms[name].missing, self._rooms[name].due_s))
        for name in due:
            if left <= 0:
                return
            left -= await self._look_into(server, name, self._rooms[name], now_s, serves)

    def _follow(self, states: dict[str, tuple[str, int, int]], now_s: float) -> None:
        """Note which rooms there are, and that those that have changed are due."""
        self._rooms = {
            name: self._rooms.get(name) or _Room(state, now_s, WATCH_S)
            for name, state in states.items()
        }
        for name, room in self._rooms.items():
            if room.state != states[name]:
                room.state, room.due_s, room.pause_s = states[name], now_s, WATCH_S

    async def _look_into(
        self,
        server: api.LiveKitAPI,
        name: str,
        room: _Room,
        now_s: float,
        serves: Callable[[str], bool],
    ) -> int:
        """Look into a room, and take over what is missing; return how many requests it took."""
        requests, missing = 1, room.missing
        room.missing = {}
        for dispatch in await self._ours(server, name):
            id_ = dispatch.id
            if serves(id_):
                continue
            requests += 1
            is_there, is_wanted = await _look_for(server, name, dispatch)
            if is_there:
                room.seen.add(id_)
            if is_wanted and not is_there:
                room.missing[id_] = missing.get(id_, 0) + 1
                if room.missing[id_] >= MISSING_LOOKS:
                    # The server does not list a job that was taken too slowly for it.
                    has_died = bool(dispatch.state.jobs) or id_ in room.seen
                    await self._take_over(server, name, dispatch, has_died=has_died)
        if not room.missing:
            room.due_s = now_s + room.pause_s * random.uniform(0.8, 1.2)
            room.pause_s = min(2 * room.pause_s, RECHECK_S)
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
            order = parse_metadata(dispatch.metadata)
        except BadInputError:
            metadata = dispatch.metadata  # whoever gets it refuses it in the proper way
        else:
            if has_died and order.takeovers >= MAX_TAKEOVERS:
                text = "Something went wrong on our side, again and again. Please call later."
                await self._dismiss(server, room, dispatch.id, "internal", text)
                return
            renewed = order.model_copy(update={"takeovers": order.takeovers + has_died})
            metadata = renewed.model_dump_json(exclude_defaults=True)
        await _finish(self._renew(server, dispatch.id, _order(dispatch.agent_name, room, metadata)))

    async def _renew(
        self, server: api.LiveKitAPI, dispatch_id: str, order: api.CreateAgentDispatchRequest
    ) -> None:
        if not await _delete(server, order.room, dispatch_id):
            return  # another worker was faster
        _log.warning("room %s has lost its avatar or never got one; asking again", order.room)
        if not await _make(server, order):
            _log.warning("room %s cannot be given its order yet; trying on", order.room)
            self._unmade.append(order)

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
    order = _order(settings.agent_name, room, metadata)

    async def renew(server: api.LiveKitAPI) -> None:
        if await _delete(server, room, dispatch_id) and not await _make(server, order):
            _log.warning("room %s has lost its order: it could not be made anew", room)

    async with open_api(settings) as server:
        try:
            await _finish(renew(server))
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
        except DecodeError:
            _log.warning("%s answers, but not as a LiveKit server does", settings.url)
        except (aiohttp.ClientError, TimeoutError) as error:
            _log.warning("%s cannot be reached yet: %s", settings.url, error)


def _state(room: api.Room) -> tuple[str, int, int]:
    """Return what changes when a person or an avatar comes or goes.

    The server does not count agents among the participants, but among those who publish.
    """
    return room.sid, room.num_participants, room.num_publishers


async def _look_for(
    server: api.LiveKitAPI, room: str, dispatch: api.AgentDispatch
) -> tuple[bool, bool]:
    """Return whether a dispatch's avatar is in the room, and whether somebody waits for it."""
    listed = await server.room.list_participants(api.ListParticipantsRequest(room=room))
    people = {one.identity: one for one in listed.participants}
    is_there = any(one.attributes.get(ATTRIBUTE_DISPATCH) == dispatch.id for one in people.values())
    try:
        order = parse_metadata(dispatch.metadata)
    except BadInputError:
        order = JobMetadata()
    if waiting := order.avatar_of or order.caller:
        return is_there, waiting in people
    return is_there, any(int(one.kind) in _PERSONS for one in people.values())


async def _finish(work: Awaitable[None]) -> None:
    """Do something to its end, also when whoever waits for it is cancelled meanwhile."""
    is_done = asyncio.Event()

    async def run() -> None:
        try:
            await work
        finally:
            is_done.set()

    try:
        await asyncio.shield(run())
    except asyncio.CancelledError:
        await is_done.wait()
        raise


def _order(agent_name: str, room: str, metadata: str) -> api.CreateAgentDispatchRequest:
    return api.CreateAgentDispatchRequest(agent_name=agent_name, room=room, metadata=metadata)


async def _make(server: api.LiveKitAPI, order: api.CreateAgentDispatchRequest) -> bool:
    """Make a dispatch, trying for up to ``MAKE_S``; return whether that is settled."""
    is_retry = False
    with suppress(TimeoutError):
        async with asyncio.timeout(MAKE_S):
            while not await _try_to_make(server, order, is_retry=is_retry):
                is_retry = True
                await asyncio.sleep(MAKE_AGAIN_S)
            return True
    return False


async def _try_to_make(
    server: api.LiveKitAPI, order: api.CreateAgentDispatchRequest, *, is_retry: bool
) -> bool:
    """Try once to make a dispatch; return whether that is settled."""
    try:
        if not is_retry or await _is_missing(server, order):
            await server.agent_dispatch.create_dispatch(order)
    except API_ERRORS as error:
        _log.debug("room %s cannot be given its order yet: %s", order.room, error)
        return False
    return True


async def _is_missing(server: api.LiveKitAPI, order: api.CreateAgentDispatchRequest) -> bool:
    """Return whether a room still needs a dispatch that seemed not to be made.

    It may have been: an answer can be lost on its way. And a room that is gone needs none.
    """
    try:
        there = await server.agent_dispatch.list_dispatch(order.room)
    except api.TwirpError as error:
        if error.code not in _GONE:
            raise
        if error.code == api.TwirpErrorCode.UNAVAILABLE:
            named = api.ListRoomsRequest(names=[order.room])
            if (await server.room.list_rooms(named)).rooms:
                raise  # the room is there: it was just not answered for
        return False
    return all(
        (one.agent_name, one.metadata) != (order.agent_name, order.metadata) for one in there
    )


async def _delete(server: api.LiveKitAPI, room: str, dispatch_id: str) -> bool:
    """Delete a dispatch; return False when somebody else has, or the room is gone."""
    try:
        await server.agent_dispatch.delete_dispatch(dispatch_id, room)
    except api.TwirpError as error:
        if error.code in _GONE:
            return False
        raise
    return True
