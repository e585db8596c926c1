"""Workers for tests: in this process on scripted engines, and whole processes on real ones."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from uuid import uuid4

import aiohttp
import numpy as np
import psutil
import pytest
from livekit import api

from rt_avatar.benchmarks.server import running_worker as run_process
from rt_avatar.config.server_settings import LiveKitSettings, MetricsSettings, ServerSettings
from rt_avatar.config.settings import AvatarSettings, Settings
from rt_avatar.engines.types import SpeechChunk
from rt_avatar.messages import Clause
from rt_avatar.signaling.livekit.worker import Worker
from tests.conftest import BUSY
from tests.fakes.engines import ScriptedReasoner, ToneSpeech
from tests.fakes.in_process_server import ServerEngines
from tests.livekit.rooms import WAIT_S, Caller
from tests.livekit.server import LiveKitServer

TONES_HZ = {"young_female": 500, "young_male": 1500}  # of the voices of ava and leo
LOUD = (np.random.default_rng(7).normal(0, 6000, 48_000)).astype(
    np.int16
)  # 1 s that counts as speech


class VoiceTones(ToneSpeech):
    """Every voice has a tone of its own. ``closed`` counts the event loops that let go of it."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = threading.Semaphore(0)

    async def aclose(self) -> None:
        self.closed.release()

    async def speak(self, voice, style, clauses, chunks, clock=None) -> None:
        await super().speak(voice, style, clauses, _Tuned(chunks, TONES_HZ.get(voice, 800)), clock)


class _Tuned:
    """Puts chunks with another tone."""

    def __init__(self, chunks, tone_hz: int) -> None:
        self._chunks, self._tone_hz = chunks, tone_hz

    async def put(self, item) -> None:
        if isinstance(item, SpeechChunk):
            at = (item.start + np.arange(item.pcm.size)) / 24_000
            tone = 0.3 * np.sin(2 * np.pi * self._tone_hz * at)
            item = replace(item, pcm=tone.astype(np.float32))
        await self._chunks.put(item)


class NamedReasoner(ScriptedReasoner):
    """Says the script, with ``NAME`` for who answers and ``HEARD`` for what was said."""

    async def reply(self, request):
        async for part in super().reply(request):
            if isinstance(part, Clause):
                heard = request.transcript.text or "nothing"
                text = part.text.replace("NAME", request.persona.label).replace("HEARD", heard)
                part = replace(part, text=text)
            yield part


class RoomEngines(ServerEngines):
    """Scripted engines for several rooms at once."""

    def __init__(self, *heard: str) -> None:
        super().__init__(*heard)
        self.speech = VoiceTones()

    def close(self) -> None:
        for worker in self.workers():
            worker.close()


@dataclass
class RunningWorker:
    """What a test needs of one. ``stop`` releases as a signal would."""

    livekit: LiveKitServer
    agent_name: str
    stop: Callable[[], None] = lambda: None
    process: psutil.Process | None = None
    worker: Worker | None = None
    engines: RoomEngines | None = None

    async def dispatch(self, room: str, **order: str) -> str:
        """Ask for the avatar in a room; return the dispatch's id."""
        return await self.dispatch_raw(room, json.dumps(order) if order else "")

    async def dispatch_raw(self, room: str, metadata: str) -> str:
        """The same with any metadata."""
        request = api.CreateAgentDispatchRequest(
            agent_name=self.agent_name, room=room, metadata=metadata
        )
        async with self._api() as server:
            return (await server.agent_dispatch.create_dispatch(request)).id

    async def delete(self, room: str, dispatch_id: str) -> None:
        """Delete a dispatch, as an application does."""
        async with self._api() as server:
            await server.agent_dispatch.delete_dispatch(dispatch_id, room)

    async def remove(self, room: str, identity: str) -> None:
        """Throw somebody out of a room."""
        async with self._api() as server:
            await server.room.remove_participant(
                api.RoomParticipantIdentity(room=room, identity=identity)
            )

    async def dispatches(self, room: str) -> list[api.AgentDispatch]:
        """Return the dispatches of a room that ask for this worker."""
        async with self._api() as server:
            found = await server.agent_dispatch.list_dispatch(room)
        return [one for one in found if one.agent_name == self.agent_name]

    async def page(self, name: str) -> tuple[int, str]:
        """Return status and text of one of a worker's pages (in this process only)."""
        async with (
            aiohttp.ClientSession() as http,
            http.get(f"{self.worker.address}{name}") as response,
        ):
            return response.status, await response.text()

    async def until_health(self, status: str) -> None:
        """Wait until the worker says so of itself; there is no event for it."""
        async with asyncio.timeout(WAIT_S):
            while json.loads((await self.page("healthz"))[1])["status"] != status:  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    async def until_unassigned(self, room: str) -> None:
        """Wait until the server has found nobody for a room; only its log tells."""
        async with asyncio.timeout(WAIT_S):
            while not any(  # noqa: ASYNC110
                room in line and "no worker available" in line
                for line in self.livekit.log().splitlines()
            ):
                await asyncio.sleep(0.1)

    async def until_dispatches(self, room: str, number: int) -> None:
        """Wait until a room has so many of them; there is no event for it."""
        async with asyncio.timeout(WAIT_S):
            while len(await self.dispatches(room)) != number:  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    def _api(self) -> api.LiveKitAPI:
        return api.LiveKitAPI(self.livekit.url, self.livekit.api_key, self.livekit.api_secret)


def worker_settings(livekit: LiveKitServer, agent_name: str = "", **server: object) -> Settings:
    """Return settings for a busy test machine; nobody is greeted, so silence means silence."""
    return Settings(
        server=ServerSettings(**{"port": 0, "max_load": 1.0, "drain_s": 0.5, **server}),
        livekit=LiveKitSettings(
            livekit.url, livekit.api_key, livekit.api_secret,
            agent_name or f"avatar-{uuid4().hex[:8]}",
        ),
        avatar=AvatarSettings(greeting=False),
        metrics=MetricsSettings(port=0),
    )  # fmt: skip


@asynccontextmanager
async def running_worker(
    livekit: LiveKitServer,
    *replies: str,
    heard: tuple[str, ...] = (),
    settings: Settings | None = None,
    **server: object,
) -> AsyncIterator[RunningWorker]:
    """Run a worker in this process, on scripted engines; ``server`` changes server settings."""
    settings = settings or worker_settings(livekit, **server)
    engines = RoomEngines(*heard)
    script = list(replies) or ["NAME hears HEARD."]
    stop, ready = asyncio.Semaphore(0), asyncio.Event()
    # The library writes the server's address into the environment.
    with pytest.MonkeyPatch.context() as environment:
        for name in ("LIVEKIT_URL", "LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"):
            environment.setenv(name, "")
        try:
            async with asyncio.TaskGroup() as group:
                worker = Worker(settings, engines, lambda: NamedReasoner(list(script)))
                group.create_task(worker.run(stop, lambda _url: ready.set()))
                async with asyncio.timeout(60):
                    await ready.wait()
                yield RunningWorker(
                    livekit,
                    settings.livekit.agent_name,
                    stop.release,
                    worker=worker,
                    engines=engines,
                )
                stop.release()
                stop.release()
        finally:
            engines.close()


@contextmanager
def worker_process(livekit: LiveKitServer, *flags: str) -> Iterator[RunningWorker]:
    """Run ``rt-avatar livekit`` with real engines in a process of its own."""
    name = f"avatar-{uuid4().hex[:8]}"
    keys = (livekit.url, livekit.api_key, livekit.api_secret)
    with run_process(*keys, *BUSY, "--livekit.agent_name", name, *flags) as worker:
        yield RunningWorker(livekit, name, worker.process.terminate, worker.process)


async def avatar_in(caller: Caller, timeout_s: float = WAIT_S) -> str:
    """Wait for an avatar in the caller's room; return its identity."""

    def found() -> str:
        people = caller.room.remote_participants
        return next((name for name in people if name.startswith("agent-")), "")

    await caller.until(lambda: bool(found()), timeout_s)
    return found()


def notices(caller: Caller, code: str) -> list[dict[str, str]]:
    """Return the notices of a code that have come so far."""
    return [one for text in caller.notices if (one := json.loads(text))["code"] == code]
