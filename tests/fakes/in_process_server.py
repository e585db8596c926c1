"""A real edge on a free loopback port, with real sessions on scripted engines."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import fields, replace

import aiohttp
import numpy as np
from aiohttp import web

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.config.server_settings import MetricsSettings, ServerSettings
from rt_avatar.config.settings import AvatarSettings, Settings
from rt_avatar.engines.types import MOTION_SIZE
from rt_avatar.services.interfaces import Renderer
from rt_avatar.services.worker import EngineWorker
from rt_avatar.signaling.app import make_app
from rt_avatar.signaling.handlers import REGISTRY, SIGNER
from rt_avatar.signaling.process import of_this_process, serving_metrics
from rt_avatar.signaling.refusals import METRICS
from rt_avatar.signaling.registry import Registry
from rt_avatar.signaling.tokens import Ticket, TokenSigner, new_session_id
from tests.fakes.engines import (
    LoudnessVad,
    ScriptedEngines,
    ScriptedReasoner,
    ScriptedRecogniser,
    StillMotion,
)

# The tests' machine may be as busy as it likes; nobody is greeted, so silence means silence.
SETTINGS = Settings(
    server=ServerSettings(port=0, max_load=1.0, max_sessions=2, reconnect_s=20),
    avatar=AvatarSettings(greeting=False),
)


class SmallPictures(StillMotion):
    """64 × 64 pictures, bright while speaking: large enough for every codec."""

    def push(self, item):
        if hasattr(item, "chunk"):
            return [np.ones((5, MOTION_SIZE), np.float32)]
        if hasattr(item, "speech"):
            return [np.zeros(MOTION_SIZE, np.float32) if item.speech is None else item.speech]
        picture = np.full((96, 64), 128, np.uint8)
        picture[:64] = 200 if item[0] > 0 else 50
        return [picture]


class Fresh:
    """An engine whose streams share nothing: calls run side by side here."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.open = make


class ServerEngines(ScriptedEngines):
    """Scripted engines with what the edge tells of them."""

    recogniser_name = "script"
    recogniser_hint = "It hears only what was written."

    def __init__(self, *heard: str) -> None:
        super().__init__(*heard)
        self.articulator = self.presence = self.rig = SmallPictures()
        self.vad = Fresh(LoudnessVad)
        self.recogniser = Fresh(lambda: ScriptedRecogniser(*heard))

    def workers(self) -> tuple[EngineWorker, ...]:
        return (self.audio_worker, self.face_worker)

    def portrait_png(self, look: str) -> bytes:
        return b"\x89PNG\r\n\x1a\n" + look.encode()


class InProcessServer:
    """What a test needs of it."""

    def __init__(
        self, url: str, metrics: str, app: web.Application, http: aiohttp.ClientSession
    ) -> None:
        self.url = url
        self.metrics = metrics
        self.http = http
        self.registry: Registry = app[REGISTRY]
        self._signer: TokenSigner = app[SIGNER]

    def caller(self, **options: object) -> Caller:
        return Caller(self.url, self.http, **options)

    def ticket(self) -> tuple[str, str]:
        """Return a session's id and token, without asking for them over HTTP."""
        session = new_session_id()
        return session, self._signer.sign(Ticket(session, "ava", 9_999_999_999))

    async def metric(self, name: str) -> float:
        """Return one sample of the metrics; 0 when it is not there yet."""
        async with self.http.get(self.metrics) as response:
            for line in (await response.text()).splitlines():
                if line.startswith(f"{name} "):
                    return float(line.rsplit(" ", 1)[1])
        return 0.0


def names_settings(text: str) -> list[str]:
    """Return the settings that a text names: words for the operator, not for a caller."""
    sections = [(one.name, getattr(Settings(), one.name)) for one in fields(Settings)]
    keys = [f"{name}.{key.name}" for name, section in sections for key in fields(section)]
    return [key for key in keys if key in text]


@asynccontextmanager
async def in_process_server(
    *replies: str,
    heard: tuple[str, ...] = (),
    settings: Settings = SETTINGS,
    renderer: Renderer | None = None,
    **server: object,
) -> AsyncIterator[InProcessServer]:
    """Serve; ``renderer`` draws for real, ``server`` changes single server settings."""
    settings = replace(settings, server=replace(settings.server, **server))
    reasoner = ScriptedReasoner(list(replies) or ["I hear you."])
    engines = ServerEngines(*heard)
    engines.rig = renderer or engines.rig
    app = make_app(settings, engines, reasoner)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with (
            serving_metrics(MetricsSettings(port=0), of_this_process(app[METRICS])) as metrics,
            aiohttp.ClientSession() as http,
        ):
            yield InProcessServer(url, metrics, app, http)
    finally:
        await runner.cleanup()


async def asked(response) -> tuple[int, str]:
    """Return status and reason; every refusal has the same shape and no traces of our code."""
    text = await response.text()
    error = json.loads(text)["error"]
    assert set(error) == {"reason", "text"}
    assert "Traceback" not in text
    assert not names_settings(error["text"])
    assert "/" not in error["text"].replace("/api/sessions", "").replace(
        "docs/protocol.md", ""
    ).replace("application/", "").replace("text/plain", "").replace("://", "")
    return response.status, error["reason"]
