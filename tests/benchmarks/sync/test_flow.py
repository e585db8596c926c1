"""Pictures that are missing, late or unseen are counted as what they are."""

import numpy as np
import pytest

from rt_avatar.benchmarks.sync.flow import PERIOD, flow, left_out, screen_times

pytestmark = pytest.mark.unit

COUNT = 500


def even() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """20 s at 25 a second, wrapping, on a screen of 60 Hz whose clock is 1 % fast."""
    number = np.arange(COUNT)
    at_s = np.ceil(number * 0.0404 * 60) / 60
    return at_s, (2**32 - 100 * PERIOD + number * PERIOD) % 2**32.0, number + 7.0


def test_an_even_call_has_nothing_late_or_missing():
    found = flow(*even())
    assert (found.due, found.shown, found.missing, found.late, found.unseen) == (500, 500, 0, 0, 0)
    assert found.uneven == 0
    assert found.step_ms == pytest.approx(1000 / 30, abs=0.1)


def test_pictures_that_never_came_are_missing():
    at_s, rtp, _ = even()
    kept = np.delete(np.arange(COUNT), [50, 51, 300])
    found = flow(at_s[kept], rtp[kept], np.arange(len(kept), dtype=float))
    assert (found.due, found.shown, found.missing, found.unseen) == (500, 497, 3, 0)
    assert found.uneven == pytest.approx(3 / 500)


def test_pictures_of_which_the_meter_was_not_told_are_not_missing():
    at_s, rtp, count = even()
    kept = np.delete(np.arange(COUNT), [50, 51, 300])
    found = flow(at_s[kept], rtp[kept], count[kept])
    assert (found.shown, found.missing, found.unseen) == (500, 0, 3)


def test_a_picture_more_than_a_period_late_is_late_and_a_larger_buffer_is_not():
    at_s, rtp, count = even()
    at_s[100] += 0.06
    at_s[200] += 0.02
    at_s[250:] += 0.1  # the receiver buffers more from here on
    found = flow(at_s, rtp, count)
    assert found.late == 1


def test_without_pictures_or_stamps_there_is_nothing_to_say():
    empty = np.zeros(0)
    assert flow(empty, empty, empty).due == 0
    at_s, rtp, count = even()
    assert np.isnan(flow(at_s, rtp * 0 - 1, count).uneven)


def test_a_picture_that_was_not_painted_counts_between_its_neighbours():
    stamps = np.arange(10) * float(PERIOD)
    at_s = 5 + np.arange(10) * 0.04
    painted = [0, 1, 3, 4, 9]
    found = screen_times(stamps[[1, 2, 6]], stamps[painted], at_s[painted])
    assert found[:2] == pytest.approx([5.04, 5.08])
    assert found[2] == pytest.approx(5.24)  # 0.2 s apart: still neighbours
    painted = [0, 1, 8, 9]
    found = screen_times(stamps[[4, 9]], stamps[painted], at_s[painted])
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(5.36)
    assert np.isnan(screen_times(stamps[[4]] + 1e6, stamps, at_s)).all()
    assert np.isnan(screen_times(stamps[[4]], stamps[:1], at_s[:1])).all()


def test_what_a_sender_left_out_is_counted_in_periods():
    assert left_out(np.array([0, 960, 1920, 4800, 5760.0]), 960) == 2
    assert left_out(np.array([5.0]), 960) == 0
