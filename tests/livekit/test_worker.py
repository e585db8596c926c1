"""The worker and its server: orders nobody can do, full workers, lost lines, keys."""

import asyncio
import json
import socket
from dataclasses import replace

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.config.settings import LlmSettings
from rt_avatar.errors import SetupError
from rt_avatar.signaling.livekit.names import RPC_HANG_UP
from rt_avatar.signaling.livekit.worker import run_worker
from tests.livekit.line import Line
from tests.livekit.rooms import Caller
from tests.livekit.workers import (
    avatar_in,
    notices,
    running_worker,
    worker_settings,
)

pytestmark = pytest.mark.realtime


async def test_an_order_that_nobody_can_do_is_refused_and_the_room_is_told_why(livekit, room_name):
    async with running_worker(livekit) as worker, Caller(livekit, room_name) as caller:
        for metadata, reason, told in (
            ('{"profil": "leo"}', "bad_order", "profil: expected no such field"),
            ('{"persona": "eve"}', "unknown_persona", "expected one of ava"),
        ):
            await worker.dispatch_raw(room_name, metadata)
            await caller.until(
                lambda reason=reason: reason in [one["reason"] for one in notices(caller, "bye")]
            )
            assert told in notices(caller, "bye")[-1]["text"]
            await worker.until_dispatches(room_name, 0)
        assert not caller.room.remote_participants
        await worker.dispatch(room_name)  # the worker lives on
        await avatar_in(caller)


async def test_an_avatar_that_is_removed_from_the_room_does_not_come_back(livekit, room_name):
    async with running_worker(livekit) as worker, Caller(livekit, room_name) as caller:
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.until(lambda: bool(caller.attributes))
        await worker.remove(room_name, avatar)
        await caller.until(lambda: not caller.room.remote_participants)
        await worker.until_dispatches(room_name, 0)
        assert not caller.room.remote_participants


async def test_a_room_that_is_over_gives_back_what_its_event_loop_held_of_the_voice(
    livekit, room_name
):
    async with running_worker(livekit) as worker, Caller(livekit, room_name) as caller:
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.wait_for_picture(avatar)
        assert not worker.engines.speech.closed.acquire(blocking=False)
        await caller.room.local_participant.perform_rpc(
            destination_identity=avatar, method=RPC_HANG_UP, payload=""
        )
        assert await asyncio.to_thread(worker.engines.speech.closed.acquire, timeout=20)


async def test_a_full_worker_takes_no_more_until_there_is_room_again(livekit, room_name, watchful):
    other_name = f"{room_name}-other"
    async with (
        running_worker(livekit, max_sessions=1) as worker,
        Caller(livekit, room_name) as first,
        Caller(livekit, other_name) as second,
    ):
        await worker.dispatch(room_name)
        avatar = await avatar_in(first)
        await worker.dispatch(other_name)
        await worker.until_unassigned(other_name)
        status, health = await worker.page("healthz")
        assert status == 200
        assert json.loads(health)["sessions"] == 1
        assert not second.room.remote_participants
        await first.room.local_participant.perform_rpc(
            destination_identity=avatar, method=RPC_HANG_UP, payload=""
        )
        avatar = await avatar_in(second, timeout_s=60)
        await second.type("hello")
        await second.until(lambda: second.said(avatar) == ["Ava hears hello."])
        (taken,) = await worker.dispatches(other_name)
        assert "takeovers" not in taken.metadata  # nobody has died


async def test_calls_that_outlast_the_drain_go_on_at_another_worker(livekit, room_name):
    async with (
        Caller(livekit, room_name) as caller,
        running_worker(livekit, drain_s=0.2) as closing,
    ):
        await closing.dispatch(room_name, persona="leo")
        first = await avatar_in(caller)
        await caller.until(lambda: bool(caller.attributes))
        settings = worker_settings(livekit, closing.agent_name)
        async with running_worker(livekit, settings=settings) as heir:
            closing.stop()
            await caller.until(lambda: bool(notices(caller, "bye")))
            await caller.until(lambda: first not in caller.room.remote_participants)
            avatar = await avatar_in(caller)
            await caller.type("hello")
            await caller.until(lambda: caller.said(avatar) == ["Leo hears hello."])
            (dispatch,) = await heir.dispatches(room_name)
            assert "takeovers" not in dispatch.metadata  # nobody has died
    assert notices(caller, "bye")[0]["reason"] == "draining"


async def test_a_worker_whose_network_is_away_for_three_seconds_goes_on(
    livekit, room_name, watchful
):
    async with Line(livekit) as line, Caller(livekit, room_name) as caller:
        settings = worker_settings(livekit)
        settings = replace(settings, livekit=replace(settings.livekit, url=line.url))
        async with running_worker(livekit, settings=settings) as worker:
            await worker.dispatch(room_name)
            avatar = await avatar_in(caller)
            await caller.type("first")
            await caller.until(lambda: caller.said(avatar) == ["Ava hears first."])
            await line.cut_for(3.0)
            back_s = asyncio.get_running_loop().time()
            await caller.wait_for_picture(avatar, after_s=back_s)
            await caller.type("second")
            await caller.until(lambda: caller.said(avatar)[-1] == "Ava hears second.")
            await caller.wait_for_sound(avatar, after_s=back_s)
            await worker.dispatch(f"{room_name}-other")  # it is a worker again, too
            async with Caller(livekit, f"{room_name}-other") as other:
                await avatar_in(other)
    assert [one["reason"] for one in notices(caller, "bye")] == ["draining"]


async def test_a_worker_that_no_room_can_reach_says_so_in_its_health(livekit):
    async with Line(livekit) as line:
        settings = worker_settings(livekit)
        settings = replace(settings, livekit=replace(settings.livekit, url=line.url))
        async with running_worker(livekit, settings=settings) as worker:
            assert (await worker.page("healthz"))[0] == 200
            line.cut()
            await worker.until_health("starting")
            assert (await worker.page("healthz"))[0] == 503
            line.mend()
            await worker.until_health("ok")
            assert (await worker.page("healthz"))[0] == 200


async def test_keys_that_the_server_does_not_know_are_told_in_one_line(livekit):
    settings = worker_settings(livekit)
    wrong = replace(settings, livekit=replace(settings.livekit, api_secret="x" * 32))
    with pytest.raises(SetupError, match=r"livekit\.api_key.*refuses"):
        await run_worker(wrong, lambda _url: None)


@pytest.mark.parametrize("section", ["server", "metrics"])
async def test_a_port_that_is_taken_is_told_before_the_server_is_asked(livekit, section):
    settings = worker_settings(livekit)
    wrong = replace(settings, livekit=replace(settings.livekit, api_secret="x" * 32))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        there = replace(getattr(wrong, section), host="127.0.0.1", port=taken.getsockname()[1])
        with pytest.raises(SetupError, match=rf"{section}\.port: expected a free address"):
            await run_worker(replace(wrong, **{section: there}), lambda _url: None)


async def test_a_reasoner_that_no_room_could_have_is_told_before_any_room_asks(livekit):
    settings = replace(worker_settings(livekit), llm=LlmSettings(kind="e3rg"))
    with pytest.raises(SetupError, match=r"llm\.base_url"):
        async with asyncio.timeout(60):
            await run_worker(settings, lambda _url: None)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "livekit.url: expected the address of a LiveKit server"),
        (["--livekit.url", "rooms.example"], "got 'rooms.example'"),
        (["--livekit.url", "ws://127.0.0.1:9"], "livekit.api_key: expected one of the keys"),
        (
            ["--livekit.url", "ws://127.0.0.1:9", "--livekit.api_key", "a"],
            "livekit.api_secret: expected one of the keys",
        ),
    ],
)
def test_what_is_missing_is_told_in_one_line(flags, message, capsys, monkeypatch):
    for name in ("LIVEKIT_URL", "LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"):
        monkeypatch.delenv(name, raising=False)
    assert main(["livekit", *flags]) == 2
    text = capsys.readouterr().err
    assert message in text
    assert "Traceback" not in text
