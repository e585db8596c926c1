"""The places of a worker's rooms, whatever becomes of their jobs."""

import asyncio
import json
import tempfile
from dataclasses import replace
from types import SimpleNamespace

import pytest
from aiohttp import web
from livekit import api
from livekit.agents import JobExecutorType, JobRequest
from livekit.agents.ipc.proc_pool import ProcPool
from livekit.agents.job import RunningJobInfo
from livekit.protocol import agent, models

from rt_avatar.config.server_settings import LiveKitSettings, ServerSettings
from rt_avatar.config.settings import Settings
from rt_avatar.errors import SetupError
from rt_avatar.signaling.livekit.agents_private import end_thread
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


async def test_a_job_that_the_library_cannot_start_gives_its_place_and_its_thread_back(
    monkeypatch, tmp_path
):
    monkeypatch.setattr("rt_avatar.signaling.livekit.jobs.BEGIN_S", 0.5)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))  # as where a disk is full
    jobs = RoomJobs(SETTINGS, ServerEngines(), lambda: None, Metrics(), Dispatches(LIVEKIT))
    pool = ProcPool(
        initialize_process_fnc=lambda _process: None,
        job_entrypoint_fnc=jobs.run_job,
        session_end_fnc=None,
        simulation_end_fnc=None,
        num_idle_processes=1,
        initialize_timeout=60,
        close_timeout=1,
        session_end_timeout=1,
        inference_executor=None,
        job_executor_type=JobExecutorType.THREAD,
        mp_ctx=None,
        memory_warn_mb=0,
        memory_limit_mb=0,
        http_proxy=None,
        loop=asyncio.get_running_loop(),
    )
    ended: asyncio.Queue[object] = asyncio.Queue()
    pool.on("process_closed", ended.put_nowait)
    jobs.on_given_up = lambda job_id: end_thread(SimpleNamespace(_proc_pool=pool), job_id)
    job = agent.Job(id="AJ_1", dispatch_id="AD_1", room=models.Room(name="room"))

    async def accept(arguments):
        await pool.launch_job(
            RunningJobInfo(
                accept_arguments=arguments, job=job, url="ws://127.0.0.1:9", token="-",
                worker_id="AW_1", fake_job=False,
            )
        )  # fmt: skip

    async with asyncio.timeout(60):
        await pool.start()
        await jobs.on_request(JobRequest(job=job, on_reject=None, on_accept=accept))
        assert (jobs.count, jobs.serves("AD_1")) == (1, True)
        await jobs.idle()
        assert (jobs.count, jobs.serves("AD_1")) == (0, False)
        await ended.get()
        await pool.aclose()
