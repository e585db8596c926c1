"""Known sounds and pictures, delivered late and unevenly: the meter finds them."""

import numpy as np
import pytest

from rt_avatar.benchmarks.livekit.analysis import (
    audible_until,
    falls_silent,
    first_sound,
    heard_at,
    heard_of,
    late_share,
    less_buffers,
    rate_hz,
    skew,
)
from rt_avatar.benchmarks.livekit.room import BLOCK_S, BLOCK_SAMPLES, AudioMeter, Leads, VideoMeter
from rt_avatar.benchmarks.peer.video_meter import closed_after
from rt_avatar.benchmarks.sync.analysis import Pairs
from rt_avatar.engines.rig import RigEngine
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE

pytestmark = pytest.mark.unit

BEGIN_S = 1000.0
RATE_HZ = 48_000


def ear_of(pcm: np.ndarray, late_s: float = 0.04) -> AudioMeter:
    """Blocks that come up to ``late_s`` late, in order."""
    audio = AudioMeter()
    dice = np.random.default_rng(0)
    came_s = 0.0
    for index, block in enumerate(pcm.reshape(-1, BLOCK_SAMPLES)):
        late = dice.uniform(0, late_s) if index % 7 else 0.0
        came_s = max(came_s, BEGIN_S + index * BLOCK_S + late)
        audio.take(came_s, block.astype(np.int16))
    return audio


def sound(seconds: float, *spans: tuple[float, float]) -> np.ndarray:
    """Silence with a tone of 1 kHz in the spans, (samples,) int16."""
    at_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    loud = np.zeros_like(at_s, bool)
    for begin_s, end_s in spans:
        loud |= (at_s >= begin_s) & (at_s < end_s)
    return np.where(loud, 16_000 * np.sin(2 * np.pi * 1000 * at_s), 0).astype(np.int16)


def test_late_blocks_do_not_move_the_time_line():
    audio = ear_of(sound(12))
    ideal = BEGIN_S + BLOCK_S * np.arange(1200)
    assert np.abs(heard_at(np.array(audio.came_s)) - ideal).max() < 0.001


def test_the_first_sound_after_a_moment_is_found():
    audio = ear_of(sound(6, (1, 2), (4, 5)))
    assert first_sound(audio, BEGIN_S + 0.5) == pytest.approx(BEGIN_S + 1, abs=0.011)
    assert first_sound(audio, BEGIN_S + 2.5) == pytest.approx(BEGIN_S + 4, abs=0.011)
    assert first_sound(audio, BEGIN_S + 5.5) is None


def test_silence_begins_where_the_reply_ends_and_not_at_a_breath_in_it():
    audio = ear_of(sound(6, (1, 2), (2.4, 3), (5, 5.5)))
    assert falls_silent(audio, BEGIN_S + 1.5) == pytest.approx(BEGIN_S + 3, abs=0.011)


def test_a_reply_that_sounds_to_the_end_does_not_fall_silent():
    assert falls_silent(ear_of(sound(4, (1, 4))), BEGIN_S + 2) is None
    assert falls_silent(ear_of(sound(4)), BEGIN_S + 2) is None


@pytest.mark.parametrize("skew_ms", [-120, 0, 45, 200])
def test_a_known_skew_is_found(skew_ms):
    claps = [(1 + n, 1 + n + 0.04) for n in range(8)]
    audio = ear_of(sound(10, *claps))
    video = VideoMeter()
    for index in range(250):
        at_s = index / 25
        is_flash = any(
            begin_s - skew_ms / 1000 <= at_s + 1e-9 < begin_s - skew_ms / 1000 + 0.04
            for begin_s, _ in claps
        )
        video.came_s.append(BEGIN_S + at_s)
        video.luma.append(235.0 if is_flash else 20.0)
    found = skew(audio, video)
    shown_s = np.ceil(np.round((1 - skew_ms / 1000) * 25, 6)) / 25  # a flash is on a picture
    assert len(found.skew_ms) == 8
    assert np.median(found.skew_ms) == pytest.approx(1000 * (1 - shown_s), abs=3)


def test_pictures_a_second_are_counted_between_two_moments():
    assert rate_hz([n / 25 for n in range(100)], 1.0, 3.0) == pytest.approx(25)


def test_a_mouth_shuts_in_the_first_picture_of_its_rest():
    stream, pictures = RigEngine(256).open("ava"), []
    for jaw in (0.0, 0.4):
        motion = np.zeros(MOTION_SIZE, np.float32)
        motion[BLENDSHAPE["jawOpen"]] = jaw
        pictures += [planes[:256] for planes in stream.push(motion)]
    shut, open_ = pictures
    video = VideoMeter()
    for index in range(150):
        is_open = 25 <= index < 50 or 55 <= index < 75  # the pause is a sound that shuts it
        video.take(BEGIN_S + index / 25, open_ if is_open else shut)
    assert closed_after(video.mouths, BEGIN_S + 1.5) == pytest.approx(BEGIN_S + 3)
    assert closed_after(video.mouths, BEGIN_S + 3.5) is None  # nothing moved after that


@pytest.mark.parametrize("error_ms", [-200, 0, 35, 400])
def test_a_position_that_is_told_wrong_by_so_much_is_found(error_ms):
    reply = sound(4, (0.25, 4))[::2]  # at 24 kHz; a quarter of a second of silence comes first
    stopped_s = 2.0
    audio = ear_of(sound(6, (1.25, 1 + stopped_s)))
    began_s, silent_s = first_sound(audio, BEGIN_S), falls_silent(audio, BEGIN_S + 2)
    told_s = audible_until(reply, stopped_s + error_ms / 1000)
    found_ms = 1000 * (told_s - heard_of(reply, silent_s - began_s))
    assert found_ms == pytest.approx(error_ms, abs=12)  # blocks of 10 ms


def test_a_position_in_a_pause_counts_from_the_last_sound():
    reply = sound(4, (0, 1), (2, 3))[::2]
    assert audible_until(reply, 1.5) == pytest.approx(1, abs=0.001)
    assert audible_until(reply, 0) == 0


def test_pictures_that_are_late_or_missing_are_counted_once_each():
    at_s = [n / 25 for n in range(200)]
    assert late_share(at_s, 1.0, 5.0) == 0
    uneven = [one + 0.02 * (index % 2) for index, one in enumerate(at_s)]
    assert late_share(uneven, 1.0, 5.0) == 0
    late = [one + (0.035 if index == 50 else 0) for index, one in enumerate(at_s)]
    assert late_share(late, 1.0, 5.0) == pytest.approx(1 / 100)
    missing = [one for index, one in enumerate(at_s) if index not in (40, 60, 61)]
    assert late_share(missing, 1.0, 5.0) == pytest.approx(3 / 100)
    assert late_share([], 1.0, 5.0) == pytest.approx(1, abs=0.02)


def test_what_the_receivers_buffers_add_is_taken_off_where_it_is_known():
    at_s = np.array([10.0, 20.0, 30.0, 40.0])
    leads = Leads([9.5, 19.9, 30.2], [40.0, 90.0, -10.0])
    pairs = Pairs(at_s, 150 + np.array([40.0, 90.0, -10.0, 70.0]), 0, 0)
    assert less_buffers(pairs, leads).tolist() == [150, 150, 150]
    assert not len(less_buffers(pairs, Leads()))
