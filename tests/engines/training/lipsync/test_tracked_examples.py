"""Examples from people: jaw and lips are the tracked ones, all else the teacher's, all in time."""

import numpy as np
import pytest

from rt_avatar.engines.lipsync.channels import LIPS, OUTPUTS, SHAPE_NAMES
from rt_avatar.engines.lipsync.network import Network
from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.training.lipsync.clips import CLIP_CHUNKS, Speech
from rt_avatar.engines.training.lipsync.people import TrackedClip
from rt_avatar.engines.training.lipsync.tracked_examples import (
    draw_examples,
    reader_source,
    teach_by_network,
    teach_tracked,
    tracked_source,
)
from rt_avatar.engines.types import Phoneme

pytestmark = pytest.mark.unit

JAW = SHAPE_NAMES.index("jawOpen")
FRAMES = 75


def clip() -> TrackedClip:
    """A tone as long as the jaw is open, and lips that are shut in an m and once beside it."""
    jaw = np.zeros(FRAMES, np.float32)
    jaw[20:30] = jaw[34:50] = 0.5
    gap = jaw.copy()
    gap[60:64] = 0.5
    shapes = np.zeros((FRAMES, 52), np.float32)
    shapes[:, rows_of(("jawOpen",))[0]] = jaw
    pcm = np.repeat(jaw, 960) * np.sin(np.arange(FRAMES * 960) / 8).astype(np.float32)
    sounds = (Phoneme("ɑ", 20 * 960, 30 * 960, 2), Phoneme("m", 30 * 960, 34 * 960, 0),
              Phoneme("ɑ", 34 * 960, 50 * 960, 2))  # fmt: skip
    return TrackedClip("one", Speech(pcm, sounds), FRAMES, shapes, gap, np.zeros((FRAMES, 3)))


def test_jaw_and_closed_lips_are_the_persons():
    asked = teach_tracked(clip())
    assert asked.shape == (FRAMES, OUTPUTS)
    assert np.corrcoef(asked[:, JAW], clip().shapes[:, rows_of(("jawOpen",))[0]])[0, 1] > 0.999
    assert asked[30:34, LIPS].min() == 1
    # Lips of a face at rest touch, too; only those at p, b and m are asked for.
    assert asked[:25, LIPS].max() == 0
    assert asked[64:, LIPS].max() == 0


def test_at_another_speed_sound_and_mouth_stay_together():
    pcm, asked = tracked_source([clip()])(np.random.default_rng(3))
    assert pcm.shape == (CLIP_CHUNKS * 4800,)
    assert asked.shape == (CLIP_CHUNKS * 5, OUTPUTS)
    level = np.sqrt(np.mean(pcm.reshape(-1, 960) ** 2, axis=1))
    by_shift = [np.corrcoef(np.roll(level, k), asked[:, JAW])[0, 1] for k in range(-3, 4)]
    assert int(np.argmax(by_shift)) == 3
    assert max(by_shift) > 0.95


def test_a_reader_is_taught_by_the_network_in_as_many_frames():
    sound = np.random.default_rng(1).normal(0, 0.1, 4800 * 10).astype(np.float32)
    assert teach_by_network(Network(), sound).shape == (50, OUTPUTS)
    made = draw_examples(reader_source([lambda: sound], Network()), 1, 1)
    assert made.heard.shape[:2] == (1, CLIP_CHUNKS * 20)
    assert made.asked.shape == (1, CLIP_CHUNKS * 5, OUTPUTS)
