"""A spoken call without a browser: real server, real engines, a real WebRTC peer, recordings."""

import asyncio

import aiohttp
import numpy as np
import pytest

from benchmarks.peer.bad_line import impair
from benchmarks.peer.caller import Caller
from tests.calls.conftest import recording

pytestmark = pytest.mark.network

AUDIBLE = 0.005 * 32768
QUESTION = "librivox-0880"
INTERRUPTION = "librivox-0890"


def audible_after(caller: Caller, at_s: float) -> list[float]:
    return [
        at
        for at, block in zip(caller.sound_at_s, caller.sound, strict=False)
        if at > at_s and np.abs(block).max() > AUDIBLE
    ]


@pytest.fixture(scope="module")
def address(start_server) -> str:
    return start_server("--avatar.greeting", "false").address


async def test_a_spoken_sentence_is_recognised_and_answered_in_voice_and_picture(address):
    async with aiohttp.ClientSession() as http, Caller(address, http, has_camera=True) as caller:
        await caller.call()
        _, end_s = caller.microphone.play(recording(QUESTION))
        heard = await caller.wait_for("caption", role="caller", final=True)
        said = await caller.wait_for("caption", role="avatar", final=True)
        trace = await caller.wait_for("trace")
    assert "young man" in heard["text"].lower()
    assert len(said["text"].split()) >= 4
    assert len(audible_after(caller, end_s)) * 0.02 > 0.15 * len(said["text"].split())
    assert trace["interrupted_at_ms"] is None
    assert caller.pictures > 50


async def test_who_speaks_over_the_reply_silences_it_and_is_answered_instead(address):
    loop = asyncio.get_running_loop()
    async with aiohttp.ClientSession() as http, Caller(address, http) as caller:
        await caller.call()
        caller.send({"type": "text", "text": "Please tell me who you are and what you can do."})
        await caller.wait_for("state", state="speaking")
        await asyncio.sleep(1.5)  # some words of the reply
        onset_s, end_s = caller.microphone.play(recording(INTERRUPTION))
        trace = await caller.wait_for("trace")
        cut = await caller.wait_for("caption", role="avatar", final=True, turn=1)
        await caller.wait_for("caption", role="caller", final=True, turn=2)
        await caller.wait_for("state", state="speaking", turn=2)
        await asyncio.sleep(max(0.0, end_s - loop.time()))
    assert trace["interrupted_at_ms"] is not None
    over = [at for at in audible_after(caller, onset_s) if at < end_s]
    # Generous, as timing is measured elsewhere: silent for most of what the caller says.
    assert len(over) * 0.02 < 0.4 * (end_s - onset_s)
    assert 0 < len(cut["text"].split()) < 25


async def test_a_call_lives_through_loss_and_jitter(address):
    async with aiohttp.ClientSession() as http, Caller(address, http) as caller:
        await caller.call()
        impair(caller, loss=0.10, jitter_s=0.100)
        caller.microphone.play(recording(QUESTION))
        await caller.wait_for("caption", role="caller", final=True)
        await caller.wait_for("caption", role="avatar", final=True)
        before = caller.pictures
        await caller.until(lambda: caller.pictures > before + 25)
