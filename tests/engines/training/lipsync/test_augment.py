"""A voice in disguise says the same at the same times."""

import numpy as np
import pytest

from rt_avatar.engines.training.lipsync.augment import disguise
from rt_avatar.engines.types import SPEECH_RATE_HZ

pytestmark = pytest.mark.unit


def bursts() -> np.ndarray:
    """Ten bursts of a buzz, 200 ms in every half second: (samples,)."""
    time = np.arange(5 * SPEECH_RATE_HZ) / SPEECH_RATE_HZ
    buzz = sum(np.sin(2 * np.pi * 130 * n * time) / n for n in range(1, 30))
    return (0.1 * buzz * ((time % 0.5) < 0.2)).astype(np.float32)


@pytest.mark.parametrize("seed", range(12))
def test_it_stays_sound_of_the_same_length_and_time(seed: int):
    pcm = bursts()
    changed = disguise(pcm, pcm[::-1].copy(), np.random.default_rng(seed))
    assert changed.shape == pcm.shape
    assert changed.dtype == np.float32
    assert np.isfinite(changed).all()
    assert np.abs(changed).max() <= 1.0
    # The envelopes of 10 ms agree best without a shift of more than one of them.
    before, after = (np.log(np.std(s.reshape(-1, 240), axis=1) + 1e-4) for s in (pcm, changed))
    before, after = before - before.mean(), after - after.mean()
    agreement = [float(np.roll(before, shift) @ after) for shift in range(-12, 13)]
    assert abs(int(np.argmax(agreement)) - 12) <= 2


def test_the_same_seed_gives_the_same_disguise():
    pcm = bursts()
    one, same, other = (disguise(pcm, pcm, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
