"""The places of a worker's rooms, whatever becomes of their jobs."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from aiohttp import web
from livekit import api

from rt_avatar.config.server_settings import LiveKitSettings, ServerSettings
from rt_avatar.config.settings import Settings
from rt_avatar.errors import SetupError
from rt_avatar.signaling.livekit.dispatches import Dispatches
from rt_avatar.signaling.livekit.jobs import RoomJobs
from rt_avatar.telemetry.metrics import Metrics
from tests.fakes.in_process_server import ServerEngines

pytestmark = pytest.mark.unit

# Nobody listens there: what the end of a job would ask of the server is refused at once.
LIVEKIT = LiveKitSettings("ws://127.0.0.1:9", "key", "a secret of 32 bytes or more, of nobody")
SETTINGS = Settings(server=ServerSettings(max_sessions=1), livekit=LIVEKIT)


class Request:
    """What LiveKit asks a worker, and then runs."""

    def __init__(self) -> None:
        self.id = "AJ_1"
        self.room = SimpleNamespace(name="room")
        self.job = SimpleNamespace(id=self.id, dispatch_id="AD_1", metadata="", room=self.room)
        self.shut_down = []

    async def accept(self, **_arguments):
        pass

    def init_recording(self, _options):
        pass

    def shutdown(self, reason):
        self.shut_down.append(reason)


async def test_a_room_whose_job_fails_before_it_joins_is_told():
    told = []

    async def answer(request):
        if request.path.endswith("/SendData"):
            told.append(api.SendDataRequest.FromString(await request.read()))
        return web.Response()

    app = web.Application()
    app.router.add_post("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    livekit = replace(LIVEKIT, url=f"ws://127.0.0.1:{runner.addresses[0][1]}")

    def fail():
        raise SetupError("llm.base_url: expected an endpoint, got none")

    settings = replace(SETTINGS, livekit=livekit)
    jobs = RoomJobs(settings, ServerEngines(), fail, Metrics(), Dispatches(livekit))
    request = Request()
    await jobs.on_request(request)
    with pytest.raises(SetupError):
        await jobs.run_job(request)
    await runner.cleanup()
    (notice,) = told
    assert (notice.room, notice.topic) == ("room", "rt_avatar.notice")
    assert json.loads(notice.data) == {
        "code": "bye",
        "text": "Something went wrong on our side. Please call again.",
        "reason": "internal",
    }


async def test_a_job_that_fails_before_it_joins_gives_its_place_back():
    def fail():
        raise SetupError("llm.base_url: expected an endpoint, got none")

    metrics = Metrics()
    jobs = RoomJobs(SETTINGS, ServerEngines(), fail, metrics, Dispatches(LIVEKIT))
    request = Request()
    await jobs.on_request(request)
    assert jobs.count == 1
    with pytest.raises(SetupError):
        await jobs.run_job(request)
    assert jobs.count == 0
    assert request.shut_down == ["internal"]
    assert b'sessions_ended_total{reason="internal"} 1.0' in metrics.exposition()
