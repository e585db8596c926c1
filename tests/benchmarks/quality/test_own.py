"""The parts that measure the avatar itself, each on as little of it as can be."""

from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.image import luma_of, ssim
from rt_avatar.benchmarks.metrics.lips import (
    MOTION_CLOSED,
    is_bilabial,
    is_wide_vowel,
    motion_opening,
)
from rt_avatar.benchmarks.quality.asr import recordings
from rt_avatar.benchmarks.quality.lips import _Seen
from rt_avatar.benchmarks.quality.picture import send
from rt_avatar.benchmarks.quality.take import Studio, Take
from rt_avatar.benchmarks.quality.voice import speak
from rt_avatar.engines.types import BLENDSHAPE
from rt_avatar.errors import BadInputError
from rt_avatar.files.clip_writer import open_clip

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


@pytest.fixture(scope="module")
def take(studio) -> Take:
    return studio.say("ava", "Maybe my mother bought a big pumpkin.")


def test_a_take_has_a_picture_for_every_moment_of_its_sound(take):
    assert len(take.pcm) == 960 * len(take.motion)
    assert take.times_s[0] == pytest.approx(0.02)
    assert len(take.spans_s(is_bilabial)) == 9  # m b, m, m, b, b, p m p
    assert all(begin < end for begin, end in take.spans_s(is_wide_vowel))


def share(take: Take, **shapes: float) -> tuple[float, float]:
    """Return how many bilabials shut and vowels open when these shapes, and no others, are held."""
    motion = take.motion.copy()
    if shapes:
        motion[:] = 0
    for name, weight in shapes.items():
        motion[:, BLENDSHAPE[name]] = weight
    seen = _Seen()
    opening = motion_opening(motion) + 1e-3 * take.times_s
    seen.add(replace(take, motion=motion), opening, MOTION_CLOSED)
    return float(np.mean(seen.shut)), float(np.mean(seen.open))


def test_lips_that_never_meet_and_lips_that_never_part_are_both_found(take):
    assert share(take, jawOpen=0.4, mouthClose=0) == (0, 1)
    assert share(take, jawOpen=0, mouthClose=0)[1] == 0
    assert share(take) == (1, 1)


def test_pictures_survive_the_coding_of_a_call(studio, take):
    drawn = list(studio.pictures(take, every=6))
    received = send(drawn)
    assert len(received) == len(drawn)
    assert 0.9 < ssim(luma_of(drawn[-1]), luma_of(received[-1])) < 1


def test_a_sad_voice_is_lower_slower_and_softer_than_a_happy_one(studio):
    text = "we walked along the river until it got dark"
    sad, happy = (speak(studio, "ava", text, name, 1.0)[1] for name in ("sad", "happy"))
    assert (sad.row()[[0, 2, 3]] < happy.row()[[0, 2, 3]]).all()


class ScriptedEar:
    name = "scripted"

    def words(self, pcm: np.ndarray) -> str:
        return "the cat sat" if len(pcm) > 8000 else ""

    def words_of_regular(self, pcm: np.ndarray) -> str:
        return "the cat sat down"


def test_recordings_are_judged_by_the_words_beside_them(tmp_path):
    with open_clip(tmp_path / "a.mp4", 64) as writer:
        for _ in range(20):
            writer.write([np.full((96, 64), 90, np.uint8)], np.zeros(960, np.float32))
    (tmp_path / "a.txt").write_text("The cat sat down.")
    (tmp_path / "lonely.txt").write_text("nothing beside me")
    found = recordings(tmp_path, ScriptedEar())
    assert found.figures == {
        "recordings_word_error_new": 0.25,
        "recordings_word_error_known": 0,
        "recordings_words": 4,
    }


def test_a_folder_without_recordings_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="beside each"):
        recordings(tmp_path, ScriptedEar())
    (tmp_path / "a.wav").write_text("no sound")
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(BadInputError, match="sound file"):
        recordings(tmp_path, ScriptedEar())
