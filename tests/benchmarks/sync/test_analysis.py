"""The meter of skew, on claps and flashes whose skew and drift are known."""

import numpy as np
import pytest

from rt_avatar.benchmarks.sync.analysis import (
    EARLIEST_MS,
    LATEST_MS,
    drift,
    find_claps,
    find_flashes,
    pair,
    share_within,
)

pytestmark = pytest.mark.unit

BLOCK_S = 128 / 48_000
CLAP_S = 0.04


def sound(onsets_s: np.ndarray, length_s: float) -> tuple[np.ndarray, np.ndarray]:
    """RMS of 128-sample blocks of claps at those times, over a little noise."""
    rate = 48_000
    pcm = np.random.default_rng(1).normal(0, 0.0005, int(length_s * rate) // 128 * 128)
    for onset_s in onsets_s:
        begin = round(onset_s * rate)
        length = min(round(CLAP_S * rate), len(pcm) - begin)
        pcm[begin : begin + length] += 0.5 * np.sin(2 * np.pi * 1000 / rate * np.arange(length))
    rms = np.sqrt(np.mean(pcm.reshape(-1, 128) ** 2, axis=1))
    return np.arange(len(rms)) * BLOCK_S, rms


def test_the_onset_of_a_clap_is_found_to_a_tenth_of_a_block():
    true_s = 1 + np.arange(20) * 1.00037
    found_s = find_claps(*sound(true_s, 22), BLOCK_S)
    assert len(found_s) == len(true_s)
    assert np.abs(found_s - true_s).max() < 0.3e-3


def test_a_clap_that_the_recording_cuts_is_left_out():
    found_s = find_claps(*sound(np.array([0.001, 1.0, 1.98]), 2.0), BLOCK_S)
    assert found_s == pytest.approx([1.0], abs=1e-3)
    assert len(find_claps(np.arange(10) * BLOCK_S, np.zeros(10), BLOCK_S)) == 0


def test_a_clap_with_a_gap_in_its_readings_is_left_out():
    at_s, rms = sound(np.array([1.0, 2.0]), 3.0)
    gap = int(2.0 / BLOCK_S) + 1
    found_s = find_claps(np.delete(at_s, [gap]), np.delete(rms, [gap]), BLOCK_S)
    assert found_s == pytest.approx([1.0], abs=1e-3)


def test_a_flash_is_the_first_white_picture_even_if_it_is_shown_twice():
    at_s = np.arange(10) * 0.04
    brightness = np.array([235, 18, 18, 200, 210, 18, 18, 18, 235, 18.0])
    assert find_flashes(at_s, brightness) == pytest.approx([0.12, 0.32])


@pytest.mark.parametrize("skew_ms", [-400, -80, 0, 45, 400])
def test_a_known_skew_is_reported_with_its_sign(skew_ms):
    flashes_s = 5 + np.cumsum(np.tile([1.04, 1.04, 1.04, 1.04, 0.84], 4))
    pairs = pair(flashes_s + skew_ms / 1000, flashes_s)
    assert pairs.skew_ms == pytest.approx(np.full(20, skew_ms))
    assert pairs.at_s == pytest.approx(flashes_s)
    assert (pairs.lone_claps, pairs.lone_flashes) == (0, 0)


def test_a_lost_flash_or_clap_is_counted_and_moves_no_other_pair():
    flashes_s = np.arange(1, 11.0)
    claps_s = np.delete(flashes_s + 0.03, [4])
    pairs = pair(claps_s, np.delete(flashes_s, [7]))
    assert pairs.skew_ms == pytest.approx(np.full(8, 30))
    assert (pairs.lone_claps, pairs.lone_flashes) == (1, 1)
    nothing = pair(np.zeros(0), flashes_s)
    assert (len(nothing.skew_ms), nothing.lone_flashes) == (0, 10)


@pytest.mark.parametrize("ms_per_hour", [-40, 0, 12])
def test_a_known_drift_is_reported_within_1_ms_an_hour_whatever_the_noise(ms_per_hour):
    dice = np.random.default_rng(3)
    at_s = np.arange(3600.0)
    skew_ms = 20 + ms_per_hour * at_s / 3600 + dice.normal(0, 4, 3600)
    skew_ms[dice.integers(0, 3600, 100)] += 300  # some pictures came much too late
    found = drift(at_s, skew_ms)
    assert found.ms_per_hour == pytest.approx(ms_per_hour, abs=1)
    assert found.low < ms_per_hour < found.high
    assert found.high - found.low < 5


def test_a_drift_of_too_little_is_not_a_number():
    assert np.isnan(drift(np.array([1.0, 2.0]), np.array([3.0, 4.0])).ms_per_hour)
    assert np.isnan(drift(np.zeros(0), np.zeros(0)).low)


def test_a_picture_grid_of_40_ms_does_not_hide_a_skew():
    """What a screen shows late by up to a period, on the average half of it, is still found."""
    flashes_s = 10 + np.arange(600) * 1.0007
    shown_s = np.ceil(flashes_s / 0.04) * 0.04
    pairs = pair(flashes_s + 0.06, shown_s)
    assert np.median(pairs.skew_ms) == pytest.approx(60 - 20, abs=2)
    assert drift(pairs.at_s, pairs.skew_ms).low < 0 < drift(pairs.at_s, pairs.skew_ms).high


def test_the_window_of_bt_1359_is_wider_for_late_sound_than_for_early():
    assert (EARLIEST_MS, LATEST_MS) == (-45, 125)
    skew_ms = np.array([-60, -45, 0, 125, 140.0])
    assert share_within(skew_ms) == pytest.approx(0.6)
    assert np.isnan(share_within(np.zeros(0)))
