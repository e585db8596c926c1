"""The table, the figures and the plot say what was found, with its sign."""

import argparse
from datetime import UTC, datetime

import numpy as np
import pytest

from rt_avatar.benchmarks.result import load, record, save
from rt_avatar.benchmarks.sync import benchmark as sync
from rt_avatar.benchmarks.sync.analysis import Pairs
from rt_avatar.benchmarks.sync.flow import Flow
from rt_avatar.benchmarks.sync.result import DRIFT_S, Found, make_result
from rt_avatar.benchmarks.sync.speech import SpeechSkew

pytestmark = pytest.mark.unit


def claps(length_s: float) -> Pairs:
    at_s = 1e9 + np.arange(0, length_s, 1.0)
    skew_ms = np.where(np.arange(len(at_s)) % 20, 30.0, -60.0) + (at_s - at_s[0]) / 360
    return Pairs(at_s, skew_ms, lone_claps=2, lone_flashes=1)


def test_late_sound_is_positive_and_a_twentieth_of_early_sound_is_outside():
    figures = make_result(Found(claps(60), {"video": 3.0})).figures
    assert figures["skew_p50_ms"] == pytest.approx(30, abs=1)
    assert figures["within_percent"] == pytest.approx(95)
    assert figures["abs_skew_p95_ms"] >= figures["skew_p95_ms"]
    assert (figures["claps"], figures["lone_claps"], figures["lone_flashes"]) == (60, 2, 1)
    assert (figures["skipped_pictures"], figures["skipped_sound_blocks"]) == (3, 0)


def test_what_the_browser_does_not_know_of_is_the_skew_beyond_its_estimate():
    call = claps(60)
    known = Found(
        call, {}, estimates_ms=call.skew_ms[::2] - 12, estimated_at_s=call.at_s[::2] + 0.0
    )
    assert np.median(make_result(known).samples["beyond_estimate_ms"]) == pytest.approx(12, abs=1)


def test_a_drift_is_given_of_a_long_call_only():
    long = make_result(Found(claps(DRIFT_S + 60), {})).figures
    assert long["drift_ms_per_h"] == pytest.approx(10, abs=0.5)
    assert long["drift_low_ms_per_h"] <= 10 <= long["drift_high_ms_per_h"]
    assert np.isnan(make_result(Found(claps(60), {})).figures["drift_ms_per_h"])


def test_nothing_found_is_not_a_number_and_no_error():
    nothing = Pairs(np.zeros(0), np.zeros(0), 0, 4)
    result = make_result(Found(nothing, {}, flow=Flow(0, 0, 0, 0, 0, np.nan), replies=3))
    assert np.isnan(result.figures["abs_skew_p95_ms"])
    assert np.isnan(result.figures["speech_skew_p50_ms"])
    assert result.figures["replies_found"] == 0
    assert "skew_ms" not in result.samples


def test_the_plot_has_both_thresholds_and_begins_at_zero():
    speech = [SpeechSkew(50.0, -4.0, 30.0, 34.0), SpeechSkew(110.0, -6.0, 30.0, 36.0)]
    (plot,) = make_result(Found(claps(180), {}, speech=speech, replies=2)).plots
    levels = {y for label in plot.lines if "noticed" in label for _, y in plot.lines[label]}
    assert levels == {-45, 125}
    assert plot.lines["claps"][0][0] == 0
    assert plot.lines["speech"] == [(0, -4), (1, -6)]


def test_a_result_can_be_kept(tmp_path):
    result = make_result(Found(claps(30), {}))
    path = save(record(result, datetime.now(UTC), 1.0, {"minutes": 0.5}), tmp_path)
    assert load(path).result.figures["claps"] == 30


def test_what_can_be_chosen_has_the_promised_half_hour_as_its_default():
    parser = argparse.ArgumentParser()
    sync.add_arguments(parser)
    assert parser.parse_args([]).minutes == 30
    assert not parser.parse_args([]).peer
