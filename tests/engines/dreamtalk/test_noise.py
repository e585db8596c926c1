"""Noise belongs to (seed, frame): no chunking changes it, and it is normal."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.noise import frame_noise

pytestmark = pytest.mark.unit


def test_any_chunking_gives_the_same_bits():
    whole = frame_noise(7, 0, 23, 64)
    parts = [frame_noise(7, first, min(4, 23 - first), 64) for first in range(0, 23, 4)]
    assert np.array_equal(np.concatenate(parts), whole)
    assert whole.dtype == np.float32


def test_the_bits_are_fixed_for_all_time():
    """A session can be made again by another version of numpy."""
    drawn = frame_noise(1234, 25 * 3600, 1, 4)
    np.testing.assert_allclose(drawn, [[-0.6299202, -1.2068632, 0.8538686, 2.367431]], rtol=1e-6)


def test_seeds_frames_and_channels_are_independent_and_normal():
    drawn = frame_noise(3, 0, 2000, 64).astype(np.float64)
    assert abs(drawn.mean()) < 4 / np.sqrt(drawn.size)
    assert abs(drawn.var() - 1) < 4 * np.sqrt(2 / drawn.size)
    assert abs(np.mean(drawn**4) - 3) < 0.1
    correlation = np.corrcoef(drawn.T) - np.eye(64)
    assert np.abs(correlation).max() < 5 / np.sqrt(2000)
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 0.02
    other = frame_noise(4, 0, 2000, 64)
    assert abs(np.corrcoef(drawn.ravel(), other.ravel())[0, 1]) < 0.02


def test_hours_and_large_seeds_are_no_limit():
    far = frame_noise(2**64 - 1, 2**62, 2, 64)
    assert np.isfinite(far).all()
    assert not np.array_equal(far[0], far[1])
