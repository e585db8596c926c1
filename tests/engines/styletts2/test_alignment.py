"""Durations are rounded as torch rounds; indices are the dense alignment."""

import numpy as np
import pytest

from rt_avatar.engines.styletts2.alignment import FRAME_SAMPLES, align, durations, frame_tokens

pytestmark = pytest.mark.unit


def logits(*values):
    """Logits of 50 bins whose sigmoids add up to each value."""
    rows = []
    for value in values:
        share = np.full(50, value / 50)
        rows.append(np.log(share / (1 - share)))
    return np.array(rows)


def test_the_sum_of_sigmoids_is_rounded_half_to_even_and_at_least_one():
    assert durations(logits(0.2, 1.4, 2.6, 30.0)).tolist() == [1, 1, 3, 30]
    big = np.full((2, 50), -100.0)
    big[0, :2], big[0, 2] = 100.0, 0.0  # 2.5
    big[1, :3], big[1, 3] = 100.0, 0.0  # 3.5
    assert durations(big).tolist() == [2, 4]


def test_speed_divides_before_rounding_and_the_last_token_may_be_longer():
    assert durations(logits(3.0, 4.4), speed=2.0).tolist() == [2, 2]
    assert durations(logits(3.0, 4.4), last_token_frames=5).tolist() == [3, 9]


def test_indices_are_the_product_with_the_dense_matrix():
    frames = np.array([2, 1, 3])
    dense = np.zeros((3, 6), np.float32)
    dense[0, :2] = dense[1, 2] = dense[2, 3:] = 1
    of_tokens = np.random.default_rng(0).standard_normal((1, 4, 3)).astype(np.float32)
    got = align(of_tokens, frame_tokens(frames))
    np.testing.assert_array_equal(got, of_tokens @ dense)
    assert got.flags.c_contiguous
    assert FRAME_SAMPLES * got.shape[2] == 3600


def test_hifigan_s_shift_repeats_the_first_frame_and_loses_the_last():
    frames = np.array([2, 1, 3])
    of_tokens = np.arange(3, dtype=np.float32)[None, None]
    plain = align(of_tokens, frame_tokens(frames))[0, 0]
    shifted = align(of_tokens, frame_tokens(frames, shifted=1))[0, 0]
    assert plain.tolist() == [0, 0, 1, 2, 2, 2]
    assert shifted.tolist() == [0, *plain[:-1]]


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan"), float("inf")])
def test_a_speed_that_is_none_is_told(speed):
    with pytest.raises(ValueError, match="speed: expected a finite number above 0"):
        durations(logits(3.0), speed=speed)


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_logits_that_are_no_numbers_are_told_and_not_rounded(broken):
    given = logits(3.0, 4.0)
    given[1, 7] = broken
    with pytest.raises(RuntimeError, match="expected finite logits"):
        durations(given)


def test_hardly_likely_and_certain_bins_are_no_trouble():
    """As far out as half precision goes."""
    far = np.full((2, 50), -65504.0, np.float32)
    far[1] = 65504.0
    assert durations(far).tolist() == [1, 50]


@pytest.mark.parametrize("shifted", [0, 1])
def test_one_frame_is_a_sentence_too(shifted):
    assert frame_tokens(np.array([1]), shifted).tolist() == [0]
