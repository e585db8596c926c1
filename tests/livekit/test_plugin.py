"""Upstream's own agent session speaks through the plug-in: heard, seen, interrupted, left alone."""

import asyncio

import pytest
from livekit.agents import AgentSession
from livekit.plugins import rt_avatar

from rt_avatar.signaling.livekit_plugin.output import FallbackAudio
from tests.livekit.agents import agent_program
from tests.livekit.rooms import Caller
from tests.livekit.workers import LOUD, running_worker

pytestmark = pytest.mark.realtime

COUNTING = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen."


def words(text: str) -> list[str]:
    return text.lower().replace(".", "").replace(",", "").split()


async def test_an_agent_speaks_through_the_avatar_and_is_interrupted(livekit, room_name):
    async with (
        running_worker(livekit) as worker,
        Caller(livekit, room_name) as caller,
        agent_program(livekit, room_name, worker.agent_name) as agent,
    ):
        avatar = agent.avatar.avatar_identity
        await caller.wait_for_picture(avatar)
        joined = caller.room.remote_participants[avatar]
        assert joined.attributes["lk.publish_on_behalf"] == "agent"
        tracks = {one.name for one in joined.track_publications.values()}
        assert tracks == {"avatar_audio", "avatar_video"}

        saying = agent.session.say("Hello there.")
        await caller.wait_for_sound(avatar)
        await saying
        assert agent.history() == [("assistant", "Hello there.", False)]
        assert not caller.sounds["agent"]  # the voice comes with the face alone

        before_s = caller.heard_s(avatar)
        saying = agent.session.say(COUNTING)
        await caller.until(lambda: caller.heard_s(avatar) > before_s + 1.5)
        agent.session.interrupt()
        await saying
        _, text, was_interrupted = agent.history()[-1]
        assert was_interrupted
        said = words(text)
        assert said == words(COUNTING)[: len(said)]
        assert 2 <= len(said) <= 10
        # Captions do not run ahead of the voice by more than the word that was begun.
        await caller.until(lambda: len(caller.said("agent")) == 2)
        shown = words(caller.said("agent")[-1])
        assert len(shown) <= len(said) + 1

        await agent.session.say("And that is all.")  # the next turn is as the first
        assert agent.history()[-1] == ("assistant", "And that is all.", False)


@pytest.mark.parametrize("timeout_s", [2.0, None])  # of clear_buffer: waited for or not
async def test_who_speaks_over_the_agent_silences_it_and_is_answered(livekit, room_name, timeout_s):
    async with (
        running_worker(livekit) as worker,
        Caller(livekit, room_name) as caller,
        agent_program(
            livekit, room_name, worker.agent_name, COUNTING, "You said stop.",
            hears=("please count", "stop it"), clear_buffer_timeout=timeout_s,
        ) as agent,
    ):  # fmt: skip
        is_changed = asyncio.Event()
        agent.session.on("conversation_item_added", lambda _item: is_changed.set())
        avatar = agent.avatar.avatar_identity
        await caller.publish_microphone()
        await caller.wait_for_picture(avatar)
        await caller.speak(LOUD)
        await caller.until(lambda: caller.heard_s(avatar) > 1.0)
        await caller.speak(LOUD)
        async with asyncio.timeout(30):
            while ("assistant", "You said stop.", False) not in agent.history():
                is_changed.clear()
                await is_changed.wait()
        assert agent.history()[0] == ("user", "please count", False)
        _, text, was_interrupted = agent.history()[1]
        assert was_interrupted
        said = words(text)
        assert said == words(COUNTING)[: len(said)]
        assert len(said) < len(words(COUNTING))
        assert agent.history()[2:] == [
            ("user", "stop it", False),
            ("assistant", "You said stop.", False),
        ]


async def test_a_voice_of_its_own_that_is_no_longer_needed_is_never_left_behind(livekit, room_name):
    """The avatar may be back while the agent's own track is still on its way to the server."""
    async with (
        Caller(livekit, room_name) as listener,
        Caller(livekit, room_name, "agent") as agent,
    ):
        await listener.wait_for_participant("agent")
        voice = FallbackAudio(agent.room)
        await asyncio.sleep(0)  # now it is on its way
        await voice.aclose()
        marker = await agent.publish_microphone()

        def names() -> set[str]:
            there = listener.room.remote_participants["agent"].track_publications
            return {one.name for one in there.values()}

        # That it came may be known before that the other went.
        await listener.until(lambda: marker.name in names())
        await listener.until(lambda: names() == {marker.name})


async def test_without_a_worker_the_program_is_told_how_to_mend_it(livekit, room_name):
    with pytest.raises(rt_avatar.AvatarJoinError, match=r"rt-avatar livekit.*'nobody'"):
        async with agent_program(livekit, room_name, "nobody", join_timeout_s=0.5):
            pass


async def test_an_order_that_is_refused_is_an_error_that_says_why(livekit, room_name):
    async with running_worker(livekit) as worker:
        with pytest.raises(rt_avatar.AvatarJoinError, match=r"refused.*expected one of ava"):
            async with agent_program(livekit, room_name, worker.agent_name, persona="eve"):
                pass
        await worker.until_dispatches(room_name, 0)


async def test_a_wrong_key_is_an_error_that_names_it(livekit, room_name):
    async with Caller(livekit, room_name) as caller:
        avatar = rt_avatar.AvatarSession()
        with pytest.raises(rt_avatar.AvatarJoinError, match="LIVEKIT_API_KEY"):
            await avatar.start(
                AgentSession(), caller.room, livekit_url=livekit.url,
                livekit_api_key="wrong", livekit_api_secret="w" * 32,
            )  # fmt: skip


async def test_a_room_that_is_not_joined_is_an_error(livekit, monkeypatch):
    monkeypatch.delenv("LIVEKIT_URL", raising=False)
    async with Caller(livekit, "a-room") as caller:
        with pytest.raises(rt_avatar.AvatarJoinError, match="livekit_url"):
            await rt_avatar.AvatarSession().start(AgentSession(), caller.room)
    with pytest.raises(rt_avatar.AvatarJoinError, match="joined"):
        await rt_avatar.AvatarSession().start(AgentSession(), caller.room)


async def test_an_agent_that_leaves_takes_its_avatar_along(livekit, room_name):
    async with running_worker(livekit) as worker, Caller(livekit, room_name) as caller:
        async with agent_program(livekit, room_name, worker.agent_name) as agent:
            await caller.wait_for_picture(agent.avatar.avatar_identity)
        await caller.until(lambda: not caller.room.remote_participants)
        await worker.until_dispatches(room_name, 0)
