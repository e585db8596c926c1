"""A call in which the network thinks, speaks and draws: its exported graphs, a real WebRTC peer.

Its voice and motion are random, and its language model is small: what it says means little; that it
is heard, seen and told counts. Its face has learnt.
"""

import aiohttp
import cv2
import numpy as np
import pytest

from rt_avatar.benchmarks.engines.exported import export_nano, why_not
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.rig import RigEngine
from rt_avatar.engines.types import EMOTIONS, MOTION_SIZE
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


def detail(picture: np.ndarray) -> float:
    """How much of a picture, in levels, is lost where it is halved and enlarged again."""
    height, width = picture.shape[:2]
    half = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    return float(cv2.absdiff(picture, cv2.resize(half, (width, height))).mean())


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
    # The network draws 256 pixels: a face, without what the rig's 512 have beside.
    drawn = RigEngine(512).open("ava").rgb(np.zeros(MOTION_SIZE, np.float32))
    assert detail(caller.picture) < 0.7 * detail(drawn)
    find_landmarks(caller.picture)  # raises where there is no face
