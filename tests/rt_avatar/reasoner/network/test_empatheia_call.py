"""A call with a network that hears and sees: what reaches it, and what the caller gets."""

import asyncio
from contextlib import asynccontextmanager

import numpy as np
import pytest

from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.messages import Caption, Notice, Plan, StateChanged, Trace
from rt_avatar.reasoner.network.empatheia import EmpatheiaReasoner
from rt_avatar.services.worker import EngineWorker
from tests.fakes.network import REPLY, ScriptedNetwork
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

OPTIONS = EmpatheiaOptions(chain_tokens=300, reply_tokens=300)
HEARD = "my boss told me that i lost my job"


@asynccontextmanager
async def calling_network(loop, *heard: str, network: ScriptedNetwork | None = None):
    worker = EngineWorker("llm")
    reasoner = EmpatheiaReasoner(network or ScriptedNetwork(), OPTIONS, worker)
    try:
        async with calling(loop, reasoner, *heard) as call:
            yield call
    finally:
        worker.close()


async def camera(call) -> None:
    """Show a face, another one four times a second."""
    level = 0
    while True:
        level = (level + 7) % 256
        call.session.media_input.push_image_nowait(np.full((24, 32, 3), level, np.uint8))
        await asyncio.sleep(0.25)


def said(call, role: str) -> list[str]:
    return [c.text for c in call.of(Caption) if c.role == role and c.is_final]


def test_what_is_spoken_is_heard_seen_and_answered():
    async def main(loop):
        network = ScriptedNetwork()
        async with calling_network(loop, HEARD, network=network) as call:
            shown = asyncio.ensure_future(camera(call))
            await call.speak(3.0)
            await call.until(Trace)
            shown.cancel()
            return call, network

    call, network = run_virtual(main)
    assert said(call, "caller") == [HEARD]
    assert said(call, "avatar") == [REPLY]
    plan = call.of(Plan)[0]
    assert (plan.chain.scenario, plan.user_emotion) == ("lost a job", "sad")
    assert plan.voice.vector is not None
    assert call.loud_after(0)
    # 3 s of sound, and what came before the voice was noticed: a window of 2 s, and the rest.
    assert len(network.heard) == 2
    assert 8 <= network.seen <= 16
    prompt = network.newest_prompt()
    assert prompt[:, 1].astype(bool).sum() == prompt[:, 2].astype(bool).sum() == 4


def test_the_chain_is_thought_before_the_end_of_the_turn():
    async def main(loop):
        network = ScriptedNetwork()
        async with calling_network(loop, HEARD, network=network) as call:
            await call.speak(1.5)
            thought = network.decoded
            await call.until(Trace)
            return network.decoded, thought

    decoded, thought = run_virtual(main)
    assert 0 < thought < decoded


def test_what_is_typed_is_answered_with_what_was_heard_before_it():
    async def main(loop):
        network = ScriptedNetwork()
        async with calling_network(loop, HEARD, network=network) as call:
            await call.speak(1.5)
            await call.until(Trace, turn=1)
            call.session.send_text("it was so sudden")
            await call.until(Trace, turn=2)
            return call, network

    call, network = run_virtual(main)
    assert said(call, "caller") == [HEARD, "it was so sudden"]
    assert said(call, "avatar") == [REPLY, REPLY]
    assert network.newest_text() == (
        f"<user>{HEARD}<avatar>{REPLY}<end><user>it was so sudden<avatar>"
    )
    assert network.newest_prompt()[:, 1].astype(bool).sum() == 1  # of the first utterance


def test_an_utterance_that_goes_on_is_heard_as_one():
    async def main(loop):
        network = ScriptedNetwork()
        async with calling_network(loop, "i went home", "and it was dark", network=network) as call:
            voice = call.session._speech
            speak = voice.speak

            async def later(*args):
                await asyncio.sleep(3)  # so that the reply has not begun when they go on
                await speak(*args)

            voice.speak = later
            await call.speak(1.5)
            await call.until(StateChanged, state="thinking")
            await asyncio.sleep(0.3)
            await call.speak(1.5)
            await call.until(Trace)
            return call, network

    call, network = run_virtual(main)
    assert said(call, "caller")[-1] == "i went home and it was dark"
    # 1.5 s + 1.5 s and what is kept before each: more than a window of 2.2 s, heard in one.
    assert max(network.heard) > 2.2 * 16_000
    assert network.newest_text() == "<user>i went home and it was dark<avatar>"


def test_a_preemptive_reply_that_is_discarded_is_not_remembered():
    async def main(loop):
        network = ScriptedNetwork()
        async with calling_network(loop, "and then i", network=network) as call:
            await call.speak(1.0)
            await asyncio.sleep(0.24)  # long enough for a preemptive reply, not for an end
            await call.speak(1.0)
            await call.until(Trace)
            call.session.send_text("that is all there is")
            await call.until(Trace, turn=2)
            return call, network

    call, network = run_virtual(main)
    assert said(call, "avatar") == [REPLY, REPLY]
    assert network.newest_text() == (
        f"<user>and then i<avatar>{REPLY}<end><user>that is all there is<avatar>"
    )


def test_a_network_that_fails_gets_an_apology_and_the_avatar_listens_on():
    async def main(loop):
        network = ScriptedNetwork()
        async with calling_network(loop, HEARD, HEARD, network=network) as call:
            network.language.fails = True
            await call.speak(1.5)
            await call.until(Trace, turn=1)
            network.language.fails = False
            await call.speak(1.5)
            await call.until(Caption, role="avatar", text=REPLY, is_final=True)
            return call

    call = run_virtual(main)
    assert said(call, "avatar")[0].startswith("I'm sorry")
    assert [notice.code for notice in call.of(Notice)] == ["reply_failed"]
