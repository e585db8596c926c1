"""Brows, blinks and heads are measured as they were made."""

import numpy as np
import pytest

from rt_avatar.benchmarks.motion.life import blink_halves, life_of_people
from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.training.lipsync.clips import Speech
from rt_avatar.engines.training.lipsync.people import TrackedClip

pytestmark = pytest.mark.unit

FRAMES = 250


def clip(pitch: np.ndarray, brow: np.ndarray, pcm: np.ndarray) -> TrackedClip:
    shapes = np.zeros((FRAMES, 52), np.float32)
    shapes[:, rows_of(("browInnerUp",))] = brow[:, None]
    pose = np.zeros((FRAMES, 3), np.float32)
    pose[:, 0] = np.radians(pitch)
    return TrackedClip(
        "one", Speech(pcm.astype(np.float32), ()), FRAMES, shapes, np.zeros(FRAMES), pose
    )


def test_a_blink_is_timed_from_half_way_down_to_half_way_up():
    lid = np.zeros(FRAMES)
    lid[100:105] = 0.5, 1.0, 0.75, 0.5, 0.25  # 80 ms down, 160 ms up, even
    ((down, up),) = blink_halves(lid)
    assert down == pytest.approx(40)
    assert up == pytest.approx(80)


def test_lids_that_tremble_or_stay_half_shut_do_not_blink():
    assert blink_halves(0.3 * np.abs(np.sin(np.arange(FRAMES)))) == []
    assert blink_halves(np.full(FRAMES, 0.6)) == []


def test_slow_and_quick_movement_of_the_head_are_told_apart():
    at_s = np.arange(FRAMES) / 25
    silence, still = np.zeros(FRAMES * 960), np.zeros(FRAMES)
    slow = life_of_people([clip(2 * np.sin(2 * np.pi * 0.6 * at_s), still, silence)])
    quick = life_of_people([clip(2 * np.sin(2 * np.pi * 2.5 * at_s), still, silence)])
    assert slow.head_slow == pytest.approx(2**0.5, rel=0.05)
    assert slow.head_quick < 0.1
    assert quick.head_quick == pytest.approx(2**0.5, rel=0.05)
    assert quick.head_slow < 0.1


def test_a_head_that_moves_after_loud_sounds_follows_the_voice():
    dice = np.random.default_rng(1)
    loud = np.repeat(dice.random(FRAMES // 10) > 0.5, 10)
    pcm = 0.1 * np.repeat(loud, 960) * dice.standard_normal(FRAMES * 960)
    moves = np.roll(loud, 4) * dice.choice([-1.0, 1.0], FRAMES)
    brow = 0.2 * np.roll(loud, 4)
    follows = life_of_people([clip(np.cumsum(moves), brow, pcm)])
    assert follows.head_voice_r > 0.5
    assert follows.brow_range == pytest.approx(0.2)
    before = life_of_people([clip(np.cumsum(moves), brow, np.roll(pcm, 20 * 960))])
    assert before.head_voice_r < 0.3
