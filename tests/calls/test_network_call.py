"""A call in which the network thinks, speaks and draws: its exported graphs, a real WebRTC peer.

Its weights are random, so what it says means nothing; that it is heard, seen and told counts.
"""

import aiohttp
import numpy as np
import pytest

from rt_avatar.benchmarks.engines.exported import export_nano, why_not
from rt_avatar.benchmarks.engines.inputs import camera
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.engines.types import EMOTIONS
from tests.calls.test_voice_call import audible_after
from tests.media import spoken

pytestmark = pytest.mark.realtime


@pytest.fixture(scope="module")
def address(start_server) -> str:
    if why_not():
        pytest.skip(why_not())
    return start_server(
        *("--llm.kind", "empatheia", "--tts.kind", "empatheia"),
        *("--avatar.face", "empatheia", "--avatar.greeting", "false"),
        *("--network.folder", str(export_nano())),
    ).address


def roughness(picture: np.ndarray) -> float:
    """How much neighbouring pixels differ."""
    return float(np.abs(np.diff(picture.astype(int), axis=1)).mean())


def words_of(caller: Caller) -> str:
    """What the avatar has said so far."""
    captions = [one["text"] for one in caller.messages if one["type"] == "caption"
                and one["role"] == "avatar"]  # fmt: skip
    return captions[-1] if captions else ""


async def test_who_speaks_to_the_network_gets_its_words_its_voice_and_its_face(address, speaker):
    async with aiohttp.ClientSession() as http, Caller(address, http, has_camera=True) as caller:
        await caller.call()
        _, end_s = caller.microphone.play(spoken(speaker.question).pcm)
        heard = await caller.wait_for("caption", role="caller", final=True)
        plan = await caller.wait_for("plan", turn=1)
        await caller.until(lambda: len(audible_after(caller, end_s)) * 0.02 > 1.0)
        await caller.until(lambda: bool(words_of(caller)), timeout_s=60)  # a hum of 0.5 s a sound
        caller.send({"type": "interrupt"})  # random words may go on for minutes
        trace = await caller.wait_for("trace", turn=1)
    assert speaker.question_words in heard["text"].lower()
    assert plan["user_emotion"] in EMOTIONS
    assert trace["interrupted_at_ms"] is not None
    # What the rig draws is smooth; a renderer that has learnt nothing weaves.
    drawn = camera("", 1, 1)[0]
    assert roughness(caller.picture) > 2 * roughness(drawn)
