"""Noise belongs to (seed, frame): no chunking changes it, and it is normal."""

import numpy as np
import pytest

from rt_avatar.engines.keyed_noise import keyed_noise

pytestmark = pytest.mark.unit


def test_any_chunking_gives_the_same_bits():
    whole = keyed_noise(7, 0, 23, 64)
    parts = [keyed_noise(7, first, min(4, 23 - first), 64) for first in range(0, 23, 4)]
    assert np.array_equal(np.concatenate(parts), whole)
    assert whole.dtype == np.float32


def test_the_bits_are_fixed_for_all_time():
    """A session can be made again by another version of numpy."""
    drawn = keyed_noise(1234, 25 * 3600, 1, 4)
    np.testing.assert_allclose(drawn, [[-1.6390599, 0.66694921, 1.6252064, 0.71576351]], rtol=1e-6)


def test_seeds_frames_and_channels_are_independent_and_normal():
    drawn = keyed_noise(3, 0, 2000, 64).astype(np.float64)
    assert abs(drawn.mean()) < 4 / np.sqrt(drawn.size)
    assert abs(drawn.var() - 1) < 4 * np.sqrt(2 / drawn.size)
    assert abs(np.mean(drawn**4) - 3) < 0.1
    correlation = np.corrcoef(drawn.T) - np.eye(64)
    assert np.abs(correlation).max() < 5 / np.sqrt(2000)
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 0.02
    other = keyed_noise(4, 0, 2000, 64)
    assert abs(np.corrcoef(drawn.ravel(), other.ravel())[0, 1]) < 0.02


def test_hours_and_large_seeds_are_no_limit():
    far = keyed_noise(2**64 - 1, 2**62, 2, 64)
    assert np.isfinite(far).all()
    assert not np.array_equal(far[0], far[1])


def test_noise_belongs_to_its_sample_and_not_to_its_window():
    whole = keyed_noise(7, 0, 1000, 9)
    for first, count in ((0, 3), (1, 10), (333, 333), (999, 1)):
        assert np.array_equal(keyed_noise(7, first, count, 9), whole[first : first + count])
    assert not np.array_equal(keyed_noise(8, 0, 1000, 9), whole)


def test_billions_of_rows_and_an_odd_number_of_channels_are_no_limit():
    noise = keyed_noise(1, 10**9, 100_000, 9)
    assert np.abs(noise.mean(axis=0)).max() < 0.02
    assert np.abs(noise.std(axis=0) - 1).max() < 0.02
    assert np.abs(np.corrcoef(noise.T) - np.eye(9)).max() < 0.02
    assert np.abs(noise).max() < 7
    assert np.mean(np.abs(noise) < 1) == pytest.approx(0.6827, abs=0.005)
