"""Callers in their own processes talk to a real server, and tell what happened."""

import asyncio
from collections.abc import Awaitable, Callable

import aiohttp
import pytest

from rt_avatar.benchmarks.callers.callers import (
    CallerProcess,
    CallRefusedError,
    caller_process,
    job_for,
    with_impairment,
)
from rt_avatar.benchmarks.callers.record import Record
from rt_avatar.benchmarks.load.busy import ask
from rt_avatar.benchmarks.load.step import Plan, measure_step
from rt_avatar.benchmarks.server import Server
from tests.fakes.in_process_server import in_process_server

pytestmark = pytest.mark.realtime


async def until(reported: Callable[[], Awaitable[Record]], is_enough: Callable[[Record], bool]):
    """Collect reports until they hold enough."""
    total = Record()
    async with asyncio.timeout(30):
        while not is_enough(total):
            await asyncio.sleep(0.2)
            total.add(await reported())
    return total


async def talk_for_a_moment(talker: CallerProcess, typist: CallerProcess) -> None:
    await talker.call()
    await typist.call()
    await talker.talk()
    await typist.type(period_s=0.5, spoken_every=0)
    spoken = await until(talker.report, lambda one: bool(one.spoken_ms) and one.soundings > 5)
    assert spoken.pictures > 10
    assert spoken.video.due > 10
    assert spoken.audio.due > 2 * spoken.video.due * 0.8
    assert spoken.packets == 0, "its line is good"
    typed = await until(typist.report, lambda one: len(one.typed_ms) >= 2)
    assert typed.soundings > 0
    assert typed.reconnects == 0
    assert typed.packets_lost > 0, "its line is bad"
    assert not spoken.typed_ms
    assert not typed.spoken_ms


def errors(server: Server) -> list[str]:
    """Its problems without warnings, which tell that a machine under load is late."""
    return [line for line in server.problems() if "WARNING" not in line]


async def test_two_callers_are_answered_and_tell_so_and_their_work_is_told_from_the_servers(
    quiet_server,
) -> None:
    server = quiet_server
    jobs = [job_for(server.address, number, None, None) for number in range(2)]
    jobs[1] = with_impairment(jobs[1], loss=0.03, jitter_s=0.01)
    before = errors(server)
    async with (
        aiohttp.ClientSession() as http,
        caller_process(jobs[0]) as talker,
        caller_process(jobs[1]) as typist,
    ):
        await talk_for_a_moment(talker, typist)
        plan = Plan(settle_s=0.0, least_s=2.0, most_s=2.0, turns=0)
        step = await measure_step(server, http, [talker, typist], plan)
        assert step.callers == len(step.each) == 2
        assert step.cores.server > step.cores.loop > 0
        assert step.cores.callers > 0
        assert set(step.busy()) == {"audio", "recogniser", "vision", "voice", "face"}
        assert 0 < step.busy()["face"] < 1
        assert step.lag_p99_ms() > 0
        await talker.rest()
        await talker.hang_up()
        await talker.call()  # one process can call again
        for caller in (talker, typist):
            await caller.rest()
            await caller.hang_up()
    assert errors(server) == before


async def test_who_is_refused_is_told_so_and_a_busy_answer_is_known_as_one() -> None:
    async with in_process_server(max_load=0.5) as edge, edge.caller() as caller:
        await caller.call()
        assert (await ask(edge.http, edge.url)).status == 201
        for _ in range(50):
            edge.registry.load_meter.note_cpu(1.0)
        answer = await ask(edge.http, edge.url)
        assert answer.is_busy
        assert answer.took_ms > 0
        async with caller_process(job_for(edge.url, 0, None, None)) as other:
            with pytest.raises(CallRefusedError, match="overloaded"):
                await other.call()
