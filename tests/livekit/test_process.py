"""The worker as a process of its own, with real engines: it answers, ends in peace, and dies."""

import asyncio
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from rt_avatar.signaling.livekit.names import RPC_HANG_UP
from tests.livekit.agents import AgentProgram, agent_program
from tests.livekit.rooms import Caller
from tests.livekit.workers import (
    RunningWorker,
    avatar_in,
    notices,
    running_worker,
    worker_process,
    worker_settings,
)
from tests.media import Speaker, spoken

pytestmark = pytest.mark.realtime

COUNTING = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen."


@pytest.fixture(scope="module")
def worker(livekit) -> Iterator[RunningWorker]:
    with worker_process(livekit, "--avatar.greeting", "no", "--server.drain_s", "60") as worker:
        yield worker


async def test_a_caller_is_answered_by_the_real_avatar(
    livekit, room_name, worker, speaker: Speaker
):
    async with Caller(livekit, room_name) as caller:
        await caller.publish_microphone()
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        seen = await caller.wait_for_picture(avatar)
        assert seen.luma.shape == (512, 512)
        _, end_s = await caller.speak(spoken(speaker.question).pcm)
        await caller.wait_for_sound(avatar, after_s=end_s, timeout_s=30)
        await caller.until(lambda: bool(caller.said(avatar)), 30)
        # An answer may be of a word or two ("Wow."): that more are spoken, a question shows.
        answered = len(" ".join(caller.said(avatar)).split())
        await caller.type("Please tell me who you are and what you can do.")
        await caller.until(lambda: len(" ".join(caller.said(avatar)).split()) > answered + 2, 30)
        own = [one for one in caller.captions if one.identity == "caller"]
        assert any(one.is_final and one.text.split() for one in own)
        pictures = [one.luma.astype(int) for one in caller.pictures[avatar]]
    moving = [np.abs(a - b).max() for a, b in pairwise(pictures)]
    assert max(moving) > 20


async def test_a_signal_lets_calls_end_in_peace_and_takes_no_more(livekit, room_name, worker):
    """The last of the tests with this process."""
    other_name = f"{room_name}-other"
    async with Caller(livekit, room_name) as caller:
        await worker.dispatch(room_name)
        avatar = await avatar_in(caller)
        await caller.wait_for_picture(avatar)
        worker.stop()
        await caller.until(lambda: bool(notices(caller, "draining")))
        await worker.dispatch(other_name)
        await caller.room.local_participant.perform_rpc(
            destination_identity=avatar, method=RPC_HANG_UP, payload=""
        )
        assert await asyncio.to_thread(worker.process.wait, 30) == 0
        (waiting,) = await worker.dispatches(other_name)
        assert not waiting.state.jobs
    assert [one["reason"] for one in notices(caller, "bye")] == ["hang_up"]


async def test_rooms_and_agents_outlive_a_worker_that_dies_and_get_another(
    livekit, room_name, watchful
):
    # Together, as the server takes 20 s to miss who has died.
    agents_room = f"{room_name}-agent"
    with worker_process(livekit, "--avatar.size_px", "256") as dying:
        async with (
            Caller(livekit, room_name) as caller,
            Caller(livekit, agents_room) as listener,
            agent_program(
                livekit, agents_room, dying.agent_name, clear_buffer_timeout=None
            ) as agent,
        ):
            await dying.dispatch(room_name, persona="leo")
            dead = await avatar_in(caller)
            await caller.wait_for_sound(dead)
            saying = agent.session.say(COUNTING * 3)
            await listener.wait_for_sound(agent.avatar.avatar_identity)
            dying.process.kill()
            async with asyncio.timeout(90):
                await saying  # ends, though nobody answers for it
            await agent_goes_on_alone(agent, listener)
            await caller.until(lambda: dead not in caller.room.remote_participants, 90)
            settings = worker_settings(livekit, dying.agent_name)
            async with running_worker(livekit, settings=settings) as heir:
                await room_goes_on(caller, heir)
                await agent_has_a_face_again(agent, listener)


async def agent_goes_on_alone(agent: AgentProgram, listener: Caller) -> None:
    _, text, was_interrupted = agent.history()[0]
    assert was_interrupted
    assert len(text.split()) < len((COUNTING * 3).split())
    saying = agent.session.say("I am still here.")
    await listener.wait_for_sound("agent")
    await saying
    assert agent.history()[-1] == ("assistant", "I am still here.", False)


async def room_goes_on(caller: Caller, heir: RunningWorker) -> None:
    avatar = await avatar_in(caller, timeout_s=90)
    await caller.type("are you there")
    await caller.until(lambda: caller.said(avatar) == ["Leo hears are you there."])
    await caller.wait_for_sound(avatar)
    (dispatch,) = await heir.dispatches(caller.room.name)
    assert '"takeovers":1' in dispatch.metadata


async def agent_has_a_face_again(agent: AgentProgram, listener: Caller) -> None:
    avatar = agent.avatar.avatar_identity
    agent_there = listener.room.remote_participants["agent"]
    await listener.until(lambda: not agent_there.track_publications, 60)
    begin_s = asyncio.get_running_loop().time()
    await listener.wait_for_picture(avatar, begin_s, timeout_s=60)
    await agent.session.say("Now you see me again.")
    await listener.wait_for_sound(avatar, begin_s)
    assert agent.history()[-1][1] == "Now you see me again."
