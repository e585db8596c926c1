"""Dispatch an avatar by agent name, and explain what became of the dispatch.

The order in the dispatch says whose face is wanted. LiveKit chooses among the workers of that name
by their load. Knows nothing of the agent's session.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from google.protobuf.message import DecodeError
from livekit import api
from livekit.agents.types import NotGivenOr
from livekit.agents.utils import is_given
from livekit.protocol.agent import JobStatus

from rt_avatar.signaling.livekit.job_metadata import JobMetadata

from .log import logger

AGAIN_S: Final = 2.0  # between two tries to ask for an avatar that was lost
_ERRORS = (api.TwirpError, aiohttp.ClientError, TimeoutError, DecodeError)


class AvatarJoinError(RuntimeError):
    """No avatar has joined the room; says what was expected, what came, and how to mend it."""


class Dispatcher:
    """The dispatches of one room for one avatar. At most one of ours is there at a time."""

    def __init__(
        self,
        room: str,
        agent_name: str,
        order: JobMetadata,
        url: NotGivenOr[str],
        api_key: NotGivenOr[str],
        api_secret: NotGivenOr[str],
    ) -> None:
        self._room = room
        self._agent_name = agent_name
        self._url = _given("livekit_url", "LIVEKIT_URL", url)
        self._key = _given("livekit_api_key", "LIVEKIT_API_KEY", api_key)
        self._secret = _given("livekit_api_secret", "LIVEKIT_API_SECRET", api_secret)
        self._metadata = order.model_dump_json(exclude_defaults=True)
        self._dispatch_id = ""

    async def ask(self) -> None:
        """Ask for the avatar.

        Raises:
            AvatarJoinError: LiveKit does not take the request.
        """
        request = api.CreateAgentDispatchRequest(
            agent_name=self._agent_name, room=self._room, metadata=self._metadata
        )
        try:
            async with self._api() as server:
                self._dispatch_id = (await server.agent_dispatch.create_dispatch(request)).id
        except _ERRORS as error:
            raise AvatarJoinError(
                f"avatar: expected {self._url} to take a dispatch for {self._agent_name!r}, got "
                f"{error!r}; check LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET"
            ) from error

    async def ask_again(self) -> None:
        """Ask anew for an avatar that was lost, unless a worker is about to or it was given up.

        A lasting dispatch is also watched by the workers themselves: who deletes it makes it anew,
        and tries until that is done, as nobody else would.
        """
        try:
            if not await self._delete():
                return
        except _ERRORS as error:
            logger.warning("the avatar was lost, and its dispatch could not be renewed: %s", error)
            return
        while True:
            try:
                if not await self._is_asked_for():
                    await self.ask()
                return
            except (*_ERRORS, AvatarJoinError) as error:
                logger.warning("the avatar was lost and cannot be asked for again yet: %s", error)
                await asyncio.sleep(AGAIN_S)

    async def cancel(self) -> None:
        """Want the avatar no more: nobody will take the dispatch over."""
        try:
            await self._delete()
        except _ERRORS as error:
            logger.warning("the avatar's dispatch could not be deleted: %s", error)

    async def send_away(self, identity: str) -> None:
        """Let the avatar leave the room; call ``cancel`` before, or another comes."""
        try:
            async with self._api() as server:
                await server.room.remove_participant(
                    api.RoomParticipantIdentity(room=self._room, identity=identity)
                )
        except _ERRORS as error:
            if not (isinstance(error, api.TwirpError) and error.code == "not_found"):
                logger.warning("the avatar could not be sent away: %s", error)

    async def explain(self) -> str:
        """Say in words what has become of the dispatch."""
        try:
            async with self._api() as server:
                found = await server.agent_dispatch.get_dispatch(self._dispatch_id, self._room)
        except _ERRORS as error:
            return f"and LiveKit does not say why ({error!r})"
        if found is None:
            return "and the dispatch was given up by a worker; its log says why"
        jobs = [job.state for job in found.state.jobs]
        if not jobs:
            return (
                f"and no worker has taken the dispatch; is `rt-avatar livekit` running with agent "
                f"name {self._agent_name!r} on {self._url}, with a free place?"
            )
        last = jobs[-1]
        status = JobStatus.Name(last.status)
        return f"though a worker took it ({status} {last.error}".rstrip() + "); its log says more"

    async def _delete(self) -> bool:
        """Delete the dispatch; return False when somebody else has."""
        if not self._dispatch_id:
            return False
        is_ours = True
        async with self._api() as server:
            try:
                await server.agent_dispatch.delete_dispatch(self._dispatch_id, self._room)
            except api.TwirpError as error:
                if error.code != "not_found":
                    raise
                is_ours = False
        self._dispatch_id = ""
        return is_ours

    async def _is_asked_for(self) -> bool:
        """Whether the order is there, though the answer to it was lost on its way."""
        async with self._api() as server:
            for one in await server.agent_dispatch.list_dispatch(self._room):
                if (one.agent_name, one.metadata) == (self._agent_name, self._metadata):
                    self._dispatch_id = one.id
                    return True
        return False

    @asynccontextmanager
    async def _api(self) -> AsyncIterator[api.LiveKitAPI]:
        async with api.LiveKitAPI(self._url, self._key, self._secret) as server:
            yield server


def _given(argument: str, variable: str, value: NotGivenOr[str]) -> str:
    """Return an argument or what the environment says.

    Raises:
        AvatarJoinError: Neither says anything.
    """
    found = value if is_given(value) else os.environ.get(variable, "")
    if not found:
        raise AvatarJoinError(
            f"avatar: expected {argument}, got none; pass it to start() or set {variable}"
        )
    return found
