"""A call in which the network thinks, speaks and draws: its exported graphs, a real WebRTC peer.

Its language model is small: what it says means little; that it is understood, seen and told counts.
"""

from itertools import pairwise

import aiohttp
import cv2
import numpy as np
import pytest
import soxr

from rt_avatar.benchmarks.engines.exported import export_nano, why_not
from rt_avatar.benchmarks.metrics.voice import word_error
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.quality.asr import PatientListener
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.rig.engine import draw_portrait
from rt_avatar.engines.types import EMOTIONS, INPUT_RATE_HZ, Image
from tests.media import spoken

CALL_RATE_HZ = 48_000
TYPED = ("My grandmother died in the spring.", "I start a new job on Monday.", "Who are you?")
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


def sound_between(caller: Caller, from_s: float, until_s: float) -> np.ndarray:
    """What was heard (samples,) at 16 kHz."""
    blocks = [
        block
        for at, block in zip(caller.sound_at_s, caller.sound, strict=False)
        if from_s < at <= until_s
    ]
    return soxr.resample(np.concatenate(blocks) / 32768, CALL_RATE_HZ, INPUT_RATE_HZ)


def words_of(caller: Caller) -> str:
    """What the avatar has said so far."""
    captions = [one["text"] for one in caller.messages if one["type"] == "caption"
                and one["role"] == "avatar"]  # fmt: skip
    return captions[-1] if captions else ""


async def reply_of(caller: Caller, turn: int) -> str:
    """What the avatar said in a turn, when all of it has been heard."""
    caption = await caller.wait_for("caption", role="avatar", final=True, turn=turn)
    await caller.wait_for("trace", turn=turn)
    return str(caption["text"])


def shows_face(picture: Image) -> bool:
    """Whether a face is found, with all its points: not in every picture of one that speaks."""
    try:
        find_landmarks(picture)
    except PortraitError:
        return False
    return True


async def test_who_speaks_to_the_network_gets_its_words_its_voice_and_its_face(address, speaker):
    async with aiohttp.ClientSession() as http, Caller(address, http, has_camera=True) as caller:
        await caller.call()
        _, begin_s = caller.microphone.play(spoken(speaker.question).pcm)
        heard = await caller.wait_for("caption", role="caller", final=True)
        plan = await caller.wait_for("plan", turn=1)
        trace = await caller.wait_for("trace", turn=1)
        await caller.until(lambda: shows_face(caller.picture))
        # A reply may be of three words, of which one that is misheard says little.
        said, begins_s = [await reply_of(caller, 1)], [begin_s]
        for turn, text in enumerate(TYPED, 2):
            begins_s.append(caller.sound_at_s[-1])
            caller.send({"type": "text", "text": text})
            said.append(await reply_of(caller, turn))
        begins_s.append(caller.sound_at_s[-1])
    assert speaker.question_words in heard["text"].lower()
    assert plan["user_emotion"] in EMOTIONS
    assert trace["interrupted_at_ms"] is None
    # A recogniser that takes its time misses one word in four of people.
    ear = PatientListener()
    understood = [ear.words(sound_between(caller, *span)) for span in pairwise(begins_s)]
    assert word_error(said, understood) < 0.6, (said, understood)
    # The network draws 256 pixels: a face, without what the rig's 512 have beside.
    drawn = draw_portrait("ava", 512)
    assert detail(caller.picture) < 0.7 * detail(drawn)
