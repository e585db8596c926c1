"""Which wall time a media time stamp was: reports with noise, wraps and gaps."""

import numpy as np
import pytest

from rt_avatar.benchmarks.sync.clock import SenderClock

pytestmark = pytest.mark.unit

RATE = 90_000
WRAP = 1 << 32
BEGIN_S = 3_970_000_000.0  # of NTP's era, seconds since 1900


def ntp(wall_s: float) -> int:
    return round(wall_s * WRAP)


def test_stamps_go_on_rising_over_a_wrap_and_reports_may_be_older():
    clock = SenderClock(RATE)
    assert clock.map(WRAP - 3600) == WRAP - 3600
    assert clock.map(0) == WRAP
    assert clock.map(3600) == WRAP + 3600
    assert clock.map(WRAP - 1) == WRAP - 1
    assert clock.map(7200) == WRAP + 7200


def test_wall_times_are_right_on_both_sides_of_a_wrap_whatever_single_reports_say():
    clock = SenderClock(RATE)
    dice = np.random.default_rng(5)
    origin = WRAP - 30 * RATE  # wraps after half a minute
    stamps = [clock.map((origin + n * 3600) % WRAP) for n in range(25)]
    for second in range(60):
        late_s = 0.5 if second % 10 == 3 else dice.normal(0, 0.001)
        at = (origin + second * RATE) % WRAP
        clock.report(ntp(BEGIN_S + second + late_s), at)
        stamps += [clock.map((at + n * 3600) % WRAP) for n in range(25)]
    true_s = BEGIN_S + (np.array(stamps, float) - origin) / RATE
    assert clock.wall_s(np.array(stamps, float)) == pytest.approx(true_s, abs=1e-3)


def test_a_clock_that_was_set_is_followed():
    clock = SenderClock(RATE)
    for second in range(100):
        clock.report(ntp(BEGIN_S + second + (2.0 if second >= 50 else 0.0)), second * RATE)
    got = clock.wall_s(np.array([10.0, 90.0]) * RATE)
    assert got == pytest.approx([BEGIN_S + 10, BEGIN_S + 92], abs=1e-3)


def test_what_a_sender_reports_before_it_sends_counts_for_nothing():
    clock = SenderClock(RATE)
    clock.report(0, 0)
    assert np.isnan(clock.wall_s(np.array([1.0]))).all()
