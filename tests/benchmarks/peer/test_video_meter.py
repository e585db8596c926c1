"""The eye sees lips part, and nothing that a listening face does besides."""

import asyncio

import numpy as np
import pytest
from av import VideoFrame

from rt_avatar.benchmarks.peer.video_meter import MOVED, RestingMouth, Seen, VideoMeter, mouth_of
from rt_avatar.engines.motion import CallerCue, PresenceEngine, PresenceInput
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE, PITCH, FaceStyle
from tests.benchmarks.scripted_caller import ScriptedTrack, make_caller
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

PICTURE_S = 0.04


@pytest.fixture(scope="module")
def face(rig_512):
    return rig_512.open("ava")


def picture(face, jaw: float = 0.0, pitch: float = 0.0, smile: float = 0.0) -> VideoFrame:
    motion = np.zeros(MOTION_SIZE, np.float32)
    motion[BLENDSHAPE["jawOpen"]] = jaw
    motion[BLENDSHAPE["mouthSmileLeft"]] = motion[BLENDSHAPE["mouthSmileRight"]] = smile
    motion[PITCH] = pitch
    return draw(face, motion)


def draw(face, motion: np.ndarray) -> VideoFrame:
    (planes,) = face.push(motion)
    return VideoFrame.from_ndarray(planes, format="yuv420p")


def watching(pictures: list[VideoFrame], work):
    """Run ``work(video_meter, begin_s)`` while those pictures come, 40 ms apart."""

    async def main(loop):
        async with make_caller() as caller:
            begin_s = loop.time() + 0.1
            arrivals = [(begin_s + i * PICTURE_S, p) for i, p in enumerate(pictures)]
            video_meter = VideoMeter(caller)
            caller.start(caller._keep_pictures(ScriptedTrack("video", arrivals)))
            return await work(video_meter, begin_s)

    return run_virtual(main)


@pytest.mark.parametrize("delay", [6, 11, 19])
def test_lips_that_part_after_a_known_delay_are_seen_in_that_picture(face, delay: int) -> None:
    still, open_ = picture(face), picture(face, jaw=0.25)

    async def work(video_meter: VideoMeter, begin_s: float) -> float:
        rest_s = begin_s + 4 * PICTURE_S + 0.001
        await asyncio.sleep(rest_s - asyncio.get_running_loop().time())
        return await video_meter.moves_after(rest_s) - begin_s

    moved_s = watching([still] * delay + [open_] * 9, work)
    assert moved_s == pytest.approx(delay * PICTURE_S, abs=0.001)


def test_a_nod_is_no_speech(face) -> None:
    nod = [picture(face, pitch=float(p)) for p in 0.12 * np.sin(np.linspace(0, np.pi, 10))]

    async def work(video_meter: VideoMeter, begin_s: float) -> float | None:
        await asyncio.sleep(0.25)
        return await video_meter.moves_after(begin_s + 4.5 * PICTURE_S, timeout_s=1.0)

    assert watching([picture(face)] * 6 + nod + [picture(face)] * 5, work) is None


def test_an_opening_within_a_nod_is_seen(face) -> None:
    pitches = 0.12 * np.sin(np.linspace(0, np.pi, 10))
    nod = [picture(face, 0.3 if i >= 5 else 0.0, float(p)) for i, p in enumerate(pitches)]

    async def work(video_meter: VideoMeter, begin_s: float) -> float:
        await asyncio.sleep(0.25)
        return await video_meter.moves_after(begin_s + 4.5 * PICTURE_S) - begin_s

    assert watching([picture(face)] * 6 + nod, work) == pytest.approx(11 * PICTURE_S, abs=0.001)


@pytest.mark.parametrize("look", ["leo", "zuri"])  # those whose idle face leaves most over
def test_a_face_that_listens_and_thinks_does_not_speak(rig_512, look: str) -> None:
    face, presence = rig_512.open(look), PresenceEngine().open(7)
    seen = []
    for index in range(85):
        cue = CallerCue(index < 50, index == 55, 0.7 if index > 20 else 0.0, 0.3, index > 30, True)
        state = "listening" if index < 70 else "thinking"
        (motion,) = presence.push(PresenceInput(state, None, FaceStyle(), cue))
        if index >= 50 and index % 2 == 0:
            seen.append(Seen(index * PICTURE_S, mouth_of(draw(face, motion))))
    rest = RestingMouth(seen[0])
    assert max(rest.change(one) for one in seen) < MOVED


def test_a_mouth_that_closes_after_a_known_delay_is_seen_in_that_picture(face) -> None:
    talk = [picture(face, jaw) for jaw in (0.3, 0.5, 0.2, 0.4)]
    still = picture(face, smile=0.2)  # another face than before the reply

    async def work(video_meter: VideoMeter, begin_s: float) -> float:
        await asyncio.sleep(2.0)
        return video_meter.closed_after(begin_s + 8 * PICTURE_S) - begin_s

    pictures = [picture(face)] * 4 + talk * 3 + [still] * 12
    assert watching(pictures, work) == pytest.approx(16 * PICTURE_S, abs=0.001)


def test_a_mouth_that_was_closed_before_has_no_closing(face) -> None:
    async def work(video_meter: VideoMeter, begin_s: float) -> float | None:
        await asyncio.sleep(2.0)
        return video_meter.closed_after(begin_s + 8 * PICTURE_S)

    pictures = [picture(face, jaw=0.4)] * 4 + [picture(face)] * 16
    assert watching(pictures, work) is None


def test_smaller_pictures_are_read_alike(face) -> None:
    def halved(frame: VideoFrame) -> Seen:
        return Seen(0.0, mouth_of(frame.reformat(width=256, height=256)))

    rest = RestingMouth(halved(picture(face)))
    assert rest.change(halved(picture(face, pitch=0.08))) < MOVED
    assert rest.change(halved(picture(face, jaw=0.25))) > MOVED
