"""The process behind ``rt-avatar livekit``: a worker of a LiveKit server. Start reading here.

It registers with the server under ``livekit.agent_name`` and is given jobs: dispatches of that name
(explicit dispatch: an avatar comes only where it is asked for). Every job runs in a thread of this
process, so that all rooms share the engines. On ``server.host`` and ``server.port`` it answers
``/healthz``, on ``metrics.host`` and ``metrics.port`` ``/metrics``, as the web transport does.
"""

import asyncio
import atexit
import logging
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from aiohttp import web
from livekit import agents

from rt_avatar.config.server_settings import LiveKitSettings
from rt_avatar.config.settings import Settings
from rt_avatar.errors import SetupError
from rt_avatar.memory import trim_often
from rt_avatar.reasoner import Reasoner
from rt_avatar.reasoner.factory import check_model, make_reasoner
from rt_avatar.services.engines import Engines, load_engines
from rt_avatar.signaling.livekit.agents_private import end_thread, is_connecting, watch_terminations
from rt_avatar.signaling.livekit.dispatches import Dispatches, check_keys
from rt_avatar.signaling.livekit.jobs import RoomJobs
from rt_avatar.signaling.process import (
    check_free,
    keep_loaded,
    listening,
    of_this_process,
    serving_metrics,
    stop_signals,
)

_log = logging.getLogger(__name__)

# The first thread of a process loads all of livekit-agents: two seconds, on a busy machine ten.
THREAD_START_S: Final = 60.0
# Threads that wait for a job: one for the next, one for whoever comes with it.
IDLE_THREADS: Final = 2
GOODBYE_S: Final = 10.0  # after the end of the drain: farewells, and what calls put away
# A callback of the SDK takes under a millisecond; on a busy machine it may wait for its turn.
LAST_CALLBACKS_S: Final = 0.5


async def run_worker(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Load, register, call ``on_ready`` with the server's address; end gently on SIGTERM or SIGINT.

    On the first signal no more jobs are taken, the rooms are told, and calls get
    ``server.drain_s`` to end; on a second they are ended at once.

    Raises:
        SetupError: It cannot start as configured, or the server cannot be reached for minutes.
    """
    outlive_callbacks()
    check_settings(settings.livekit)
    check_free(settings.metrics.host, settings.metrics.port, "metrics")
    check_free(settings.server.host, settings.server.port, "server")
    check_model(settings.llm)
    await check_keys(settings.livekit)
    engines = await asyncio.to_thread(load_engines, settings)
    try:
        new_reasoner = partial(make_reasoner, settings.llm, engines.metrics, engines.network_llm)
        # Now: what is missing is told, what is slow is loaded, before a room waits for it.
        await (await asyncio.to_thread(new_reasoner)).aclose()
        worker = Worker(settings, engines, new_reasoner)
        keep_loaded()
        await worker.run(stop_signals(), on_ready)
    finally:
        engines.close()


@cache
def outlive_callbacks() -> None:
    """Let the SDK's last callbacks end before the interpreter does; call before the SDK is used.

    The SDK registers its own end with ``atexit`` when it is first used, so that runs before this
    and no callback begins any more. One that is under way then would be killed with its thread when
    it asks for the interpreter again (CPython before 3.14), which Rust answers with an abort: exit
    status 134 and a core dump, in 1 of 20 runs on a busy machine.
    """
    atexit.register(time.sleep, LAST_CALLBACKS_S)


def check_settings(settings: LiveKitSettings) -> None:
    """Raise ``SetupError`` unless they name a server and a key."""
    url = urlsplit(settings.url)
    if url.scheme not in ("ws", "wss", "http", "https") or not url.hostname:
        got = repr(settings.url) if settings.url else "nothing"
        raise SetupError(
            "livekit.url: expected the address of a LiveKit server like wss://livekit.example.org; "
            f"got {got}. Set it, or LIVEKIT_URL"
        )
    for name in ("api_key", "api_secret"):
        if not getattr(settings, name):
            raise SetupError(
                f"livekit.{name}: expected one of the keys of {settings.url}; got none. Set it, or "
                f"LIVEKIT_{name.upper()}"
            )


class Worker:
    """One registration with a LiveKit server and the rooms it serves. Made in a running loop."""

    def __init__(
        self, settings: Settings, engines: Engines, new_reasoner: Callable[[], Reasoner]
    ) -> None:
        self._settings = settings
        self._metrics = engines.metrics
        self._dispatches = Dispatches(settings.livekit)
        self._jobs = RoomJobs(settings, engines, new_reasoner, self._metrics, self._dispatches)
        self._is_registered = False
        self.address = ""  # of its health, once it runs
        self._server = self._make_server()

    async def run(self, stop: asyncio.Semaphore, on_ready: Callable[[str], None]) -> None:
        """Serve rooms until it is asked to stop.

        Raises:
            SetupError: The server cannot be reached, or the address is taken.
        """

        def on_registered(_id: str, _info: object) -> None:
            if not self._is_registered:
                self._is_registered = True
                on_ready(self._settings.livekit.url)

        self._server.on("worker_registered", on_registered)
        where = self._settings.server
        failure = ""
        async with (
            serving_metrics(self._settings.metrics, of_this_process(self._metrics)),
            listening(self._make_pages(), where.host, where.port) as self.address,
        ):
            _log.info("health at %s", self.address)
            async with asyncio.TaskGroup() as group:
                side = [
                    group.create_task(self._jobs.load_meter.run()),
                    group.create_task(trim_often()),
                    group.create_task(
                        self._dispatches.run(lambda: self._jobs.load() < 1, self._jobs.serves)
                    ),
                ]
                serving = group.create_task(self._serve())
                stopping = group.create_task(stop.acquire())
                try:
                    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
                    if serving.done():
                        failure = serving.result()
                    else:
                        await self._drain(stop)
                finally:
                    # However this ends: a job's thread that goes on would keep the process alive.
                    self._jobs.end_all("draining")
                    await self._server.aclose()
                    for task in (*side, stopping):
                        task.cancel()
        if failure:
            raise SetupError(failure)

    # --- parts --------------------------------------------------------------------------------
    def _make_server(self) -> agents.AgentServer:
        livekit = self._settings.livekit
        server = agents.AgentServer(
            job_executor_type=agents.JobExecutorType.THREAD,
            load_fnc=self._jobs.load,
            # Whether there is room decides ``RoomJobs``, as at the web transport; the library's own
            # rule would refuse the second of two rooms that begin together.
            load_threshold=float("inf"),
            num_idle_processes=min(IDLE_THREADS, self._settings.server.max_sessions),
            initialize_process_timeout=THREAD_START_S,
            shutdown_process_timeout=GOODBYE_S,
            ws_url=livekit.url,
            api_key=livekit.api_key,
            api_secret=livekit.api_secret,
            host="127.0.0.1",  # the library's own health page; ours is where the settings say
            port=0,
            http_proxy=_proxy_for(livekit.url),
        )
        watch_terminations(server, self._jobs.dismiss)  # who is ended says goodbye first
        self._jobs.on_given_up = partial(end_thread, server)
        server.rtc_session(
            self._jobs.run_job, agent_name=livekit.agent_name, on_request=self._jobs.on_request
        )
        return server

    async def _serve(self) -> str:
        """Be a worker; return why it cannot be one any more, "" when it was closed."""
        try:
            await self._server.run()
        except RuntimeError as error:  # so many attempts have failed
            return (
                f"livekit.url: expected a LiveKit server at {self._settings.livekit.url}, but "
                f"{error}; look whether it runs and can be reached"
            )
        return ""

    async def _drain(self, stop: asyncio.Semaphore) -> None:
        """Wait for the calls to end, or for a second wish to stop; then end them."""
        seconds = self._settings.server.drain_s
        self._jobs.drain(seconds)
        async with asyncio.TaskGroup() as group:
            idle = group.create_task(self._jobs.idle())
            leaving = group.create_task(self._server.drain(None))
            hurry = group.create_task(stop.acquire())
            await asyncio.wait({idle, hurry}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            self._jobs.end_all("draining")
            await asyncio.wait({idle}, timeout=GOODBYE_S)
            for task in (idle, leaving, hurry):
                task.cancel()

    # --- pages --------------------------------------------------------------------------------
    def _make_pages(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/healthz", self._health)
        return app

    async def _health(self, _request: web.Request) -> web.Response:
        jobs = self._jobs
        can_be_asked = self._is_registered and not is_connecting(self._server)
        status = "draining" if jobs.is_draining else "ok" if can_be_asked else "starting"
        body = {
            "status": status,
            "sessions": jobs.count,
            "max_sessions": self._settings.server.max_sessions,
            "load": round(jobs.load_meter.load, 3),
            "loop_lag_ms": round(jobs.load_meter.lag_s * 1000, 2),
        }
        return web.json_response(body, status=200 if status == "ok" else 503)


def _proxy_for(url: str) -> str | None:
    """Return the environment's proxy for an address; none for what it says to reach directly."""
    parts = urlsplit(url)
    if proxy_bypass(parts.hostname or ""):
        return None
    return getproxies().get("https" if parts.scheme in ("wss", "https") else "http")
