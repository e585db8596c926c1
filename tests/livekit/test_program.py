"""The benchmark's agent program, a process of its own, does as it is told and tells what came."""

import asyncio

import pytest

from rt_avatar.benchmarks.livekit.program import running_program
from rt_avatar.benchmarks.livekit.server import LiveKitAccess
from tests.livekit.rooms import Caller
from tests.livekit.workers import running_worker

pytestmark = pytest.mark.realtime

COUNTING = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen."


async def test_an_agent_in_its_own_process_speaks_and_is_interrupted_when_told(livekit, room_name):
    async with (
        running_worker(livekit) as worker,
        Caller(livekit, room_name) as caller,
        running_program(livekit, room_name, worker.agent_name) as program,
    ):
        loop = asyncio.get_running_loop()
        assert 0 < program.asked_s < loop.time()
        avatar = next(name for name in caller.room.remote_participants if name != "agent")
        await program.say("Hello there.")
        (whole_s,) = program.played_s
        assert whole_s > 0.4
        before_s = caller.heard_s(avatar)
        saying = program.say(COUNTING)
        await caller.until(lambda: caller.heard_s(avatar) > before_s + 0.5)
        program.interrupt()
        await saying
        await program.quiet()
        assert program.process.returncode is None
        assert len(program.played_s) == 2
    assert program.process.returncode == 0


async def test_a_program_that_cannot_begin_is_told_of(livekit, room_name):
    wrong = LiveKitAccess(livekit.url, "nobody", "0" * 64)
    with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="expected it to begin, got")):
        async with running_program(wrong, room_name, "nobody"):
            pass
