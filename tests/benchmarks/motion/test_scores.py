"""A face that moves as the person does scores full; late, frozen or babbling ones do not."""

import numpy as np
import pytest

from rt_avatar.benchmarks.motion.benchmark import follow_loudness
from rt_avatar.benchmarks.motion.scores import closures, count_blinks, count_nods, score
from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.training.lipsync.clips import Speech
from rt_avatar.engines.training.lipsync.people import TrackedClip
from rt_avatar.engines.types import MOTION_SIZE, Phoneme

pytestmark = pytest.mark.unit

FRAMES = 75
M = Phoneme("m", 30 * 960, 32 * 960, 0)
SOUNDS = (Phoneme("ɑ", 10 * 960, 30 * 960, 0), M, Phoneme("ɑ", 32 * 960, 60 * 960, 0))


def person() -> TrackedClip:
    """Jaw and lips that open and close, shut at the m."""
    jaw = 0.2 + 0.1 * np.sin(np.arange(FRAMES) / 2.3)
    jaw[29:33] = 0
    shapes = np.zeros((FRAMES, 52), np.float32)
    shapes[:, rows_of(("jawOpen",))] = jaw[:, None]
    speech = Speech(np.zeros(FRAMES * 960, np.float32), SOUNDS)
    return TrackedClip("one", speech, FRAMES, shapes, jaw.astype(np.float32), np.zeros((75, 3)))


def motion_of(clip: TrackedClip, late: int = 0) -> np.ndarray:
    motion = np.zeros((FRAMES, MOTION_SIZE), np.float32)
    motion[:, :52] = np.roll(clip.shapes, late, axis=0)
    return motion


@pytest.mark.parametrize("late", [-2, 0, 3])
def test_the_shift_against_the_person_is_found(late):
    clip = person()
    one = score([clip], [motion_of(clip, late)])
    assert one.jaw_best_r == pytest.approx(1, abs=1e-3)
    assert one.offset_ms == pytest.approx(40 * late, abs=10)
    assert (one.jaw_r > 0.99) == (late == 0)


def test_a_frozen_face_follows_nobody_and_closes_nothing_right():
    one = score([person()], [np.zeros((FRAMES, MOTION_SIZE), np.float32)])
    assert (one.jaw_r, one.jaw_travel, one.nods_a_minute) == (0, 0, 0)
    assert one.closure_recall == 1
    assert one.closure_precision == 1
    wide = np.full((FRAMES, MOTION_SIZE), 0.5, np.float32)
    assert score([person()], [wide]).closure_f1 == 0


def test_closures_count_where_the_person_shuts_and_within_one_frame():
    theirs = np.zeros(FRAMES, bool)
    theirs[30:32] = True
    one_early, two_early, elsewhere = (np.zeros(FRAMES, bool) for _ in range(3))
    one_early[29] = two_early[28] = elsewhere[50] = True
    assert closures([(one_early, theirs, SOUNDS)]) == (1, 1, 1)
    assert closures([(two_early, theirs, SOUNDS)])[1:] == (0, 0)
    assert closures([(one_early | elsewhere, theirs, SOUNDS)])[1:] == (1, 0.5)
    # Outside of speech lips may do as they like.
    outside = np.arange(FRAMES) > 70
    assert closures([(one_early | outside, theirs, SOUNDS)]) == (1, 1, 1)


def test_blinks_and_nods_are_counted_by_the_minute():
    lids = np.zeros(1500)
    lids[[100, 101, 500, 900]] = 0.9
    assert count_blinks([lids]) == 3
    pitch = np.zeros(1500)
    pitch[200:210] = np.radians(2)
    pitch[600:610] = np.radians(0.5)  # too small to be seen
    assert count_nods([pitch]) == 1


def test_loudness_opens_the_jaw_where_it_is_loud():
    pcm = np.zeros(9600, np.float32)
    pcm[4800:] = 0.1 * np.sin(np.arange(4800) / 10)
    jaw = follow_loudness(Speech(pcm, ()))[:, rows_of(("jawOpen",))[0]]
    assert jaw[:5].max() == 0
    assert jaw[5:].min() > 0.9
