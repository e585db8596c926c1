"""A spoken call without a browser: real server, real engines, a real WebRTC peer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import numpy as np
import pytest

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.peer.impairment import impair
from rt_avatar.benchmarks.server import Server
from tests.media import Speaker, spoken

pytestmark = pytest.mark.realtime

AUDIBLE = 0.005 * 32768


def audible_after(caller: Caller, at_s: float) -> list[float]:
    return [
        at
        for at, block in zip(caller.sound_at_s, caller.sound, strict=False)
        if at > at_s and np.abs(block).max() > AUDIBLE
    ]


@asynccontextmanager
async def in_call(server: Server, *, has_camera: bool = False) -> AsyncIterator[Caller]:
    """Somebody who calls, and hangs up in the end."""
    async with (
        aiohttp.ClientSession() as http,
        Caller(server.address, http, has_camera=has_camera) as caller,
    ):
        await caller.call()
        yield caller
        assert await caller.delete() == 204  # over HTTP: the line may be bad


async def test_a_spoken_sentence_is_recognised_and_answered_in_voice_and_picture(
    quiet_server, speaker: Speaker
):
    async with in_call(quiet_server, has_camera=True) as caller:
        _, end_s = caller.microphone.play(spoken(speaker.question).pcm)
        heard = await caller.wait_for("caption", role="caller", final=True)
        said = await caller.wait_for("caption", role="avatar", final=True, turn=1)
        trace = await caller.wait_for("trace", turn=1)
        # An answer may be of two words ("How exciting!"): that more are spoken, a question shows.
        caller.send({"type": "text", "text": "Please tell me who you are and what you can do."})
        more = await caller.wait_for("caption", role="avatar", final=True, turn=2)
        await caller.wait_for("trace", turn=2)
    assert speaker.question_words in heard["text"].lower()
    assert said["text"]
    assert len(more["text"].split()) >= 4
    words = len(said["text"].split()) + len(more["text"].split())
    assert len(audible_after(caller, end_s)) * 0.02 > 0.15 * words
    assert trace["interrupted_at_ms"] is None
    assert caller.pictures > 50


async def test_who_speaks_over_the_reply_silences_it_and_is_answered_instead(
    quiet_server, speaker: Speaker
):
    async with in_call(quiet_server) as caller:
        caller.send({"type": "text", "text": "Please tell me who you are and what you can do."})
        await caller.until(lambda: len(words_of_turn(caller, 1)) >= 5)
        onset_s, end_s = caller.microphone.play(spoken(speaker.interruption).pcm)
        trace = await caller.wait_for("trace")
        cut = await caller.wait_for("caption", role="avatar", final=True, turn=1)
        await caller.wait_for("caption", role="caller", final=True, turn=2)
        await caller.wait_for("state", state="speaking", turn=2)
        await caller.until(lambda: caller.sound_at_s[-1] > end_s)
    assert trace["interrupted_at_ms"] is not None
    over = [at for at in audible_after(caller, onset_s) if at < end_s]
    # Generous, as timing is measured elsewhere: silent for most of what the caller says.
    assert len(over) * 0.02 < 0.4 * (end_s - onset_s)
    assert 0 < len(cut["text"].split()) < 25


def words_of_turn(caller: Caller, turn: int) -> list[str]:
    """What the avatar is known to have said so far."""
    captions = [one for one in caller.messages if one["type"] == "caption"]
    said = [one for one in captions if (one["role"], one["turn"]) == ("avatar", turn)]
    return said[-1]["text"].split() if said else []


async def test_a_call_lives_through_loss_and_jitter(quiet_server, speaker: Speaker):
    async with in_call(quiet_server) as caller:
        impair(caller, loss=0.10, jitter_s=0.100)
        _, end_s = caller.microphone.play(spoken(speaker.question).pcm)
        await caller.wait_for("caption", role="caller", final=True)
        await caller.wait_for("caption", role="avatar")
        # What was made of the sentence may be answered with less than half a second ("Go on.").
        caller.send({"type": "text", "text": "Please tell me who you are and what you can do."})
        await caller.until(lambda: len(audible_after(caller, end_s)) * 0.02 > 0.5)
        before = caller.pictures
        await caller.until(lambda: caller.pictures > before + 25)


async def test_a_microphone_that_is_taken_away_after_a_sentence_leaves_nobody_waiting(
    quiet_server, speaker: Speaker
):
    async with in_call(quiet_server) as caller:
        _, end_s = caller.microphone.play(spoken(speaker.question).pcm)
        await caller.until(lambda: bool(caller.sound_at_s) and caller.sound_at_s[-1] > end_s)
        microphone = next(one for one in caller.pc.getSenders() if one.kind == "audio")
        microphone.replaceTrack(None)  # no packet more, so no silence either
        await caller.wait_for("caption", role="caller", final=True)
        await caller.wait_for("caption", role="avatar", final=True)
