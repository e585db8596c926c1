"""Trials come out of the table and the last line as what they were."""

import math

import numpy as np
import pytest

from rt_avatar.benchmarks.bargein.figures import Trial, result
from rt_avatar.benchmarks.bargein.talk import Event
from rt_avatar.benchmarks.bargein.verdict import USUAL_S, Timeline

pytestmark = pytest.mark.unit


def trial(condition: str, what: str, ms: float = 0.0, name: str = "", is_first=False) -> Trial:
    """A reply that began at 10 s, with something over it at 12 s, that ended or paused it."""
    last_s = 12.0 + ms / 1000
    timelines = {
        "stopped": Timeline(10.0, 12.0, last_s, last_s + 0.3, None, True,
                            last_s - 10 - USUAL_S, last_s + 0.06),
        "stopped before": Timeline(10.0, None, 11.0, 11.3, None, True, 1.0),
        "paused": Timeline(10.0, 12.0, 14.0, 14.02, 14.0, True, 4.0 - USUAL_S - ms / 1000),
        "left": Timeline(10.0, 12.0, 14.0, 14.02, 14.0, True, 4.0 - USUAL_S),
        "finished": Timeline(10.0, 12.0, 13.0, 13.02, None, False),
        "ignored": Timeline(10.0, 12.0, 14.5, 14.52, None, False),
        "hidden": Timeline(10.0, 12.0, 12.02, 12.5, None, True, 2.3),
    }  # fmt: skip
    event = Event(condition, name, np.zeros(0, np.int16), 2.0, 1.0)
    return Trial(event, timelines.get(what), is_first)


TRIALS = [
    *(trial("interruption", "stopped", ms, "recorded a") for ms in (100, 110, 120, 130)),
    *(trial("interruption", "stopped", ms, "child_male", ms == 250) for ms in (140, 250)),
    trial("interruption", "stopped", 1200, "slowpoke"),
    trial("interruption", "paused", 500, "whisperer"),
    trial("interruption", "hidden"),
    trial("interruption", "finished"),
    trial("interruption", "no reply"),
    trial("backchannel yeah", "stopped", 300),
    trial("backchannel yeah", "paused", 400),
    trial("backchannel mm-hm", "left"),
    trial("backchannel mm-hm", "left"),
    trial("cough", "paused", 600),
    trial("pink 20 dB", "left"),
    trial("echo -10 dB 20 ms", "left"),
    trial("echo -10 dB 20 ms", "stopped before"),
    trial("echo -20 dB 20 ms", "left"),
    trial("interruption over echo", "stopped before"),
    trial("interruption over echo", "stopped", 180),
    trial("interruption over echo", "left"),
    trial("nothing", "left"),
]


def test_promised_figures_come_first_and_are_those_of_the_trials():
    found = result(TRIALS, [])
    figures = found.figures
    assert list(figures)[:9] == [
        "p50_ms", "p95_ms", "max_ms", "mouth_p95_ms", "missed", "false_backchannel_percent",
        "false_noise_percent", "false_echo_percent", "n",
    ]  # fmt: skip
    assert figures["p50_ms"] == pytest.approx(130)
    assert figures["max_ms"] == pytest.approx(1200)
    assert found.samples["silence_ms"] == pytest.approx([100, 110, 120, 130, 140, 250, 1200])
    assert found.samples["mouth_ms"] == pytest.approx([160, 170, 180, 190, 200, 310, 1260])
    assert figures["missed"] == 2  # the one that took too long, and the one that was only paused
    assert figures["slow"] == 2
    assert figures["n"] == 9
    assert figures["hidden"] == 1
    assert figures["unmeasured"] == 2


def test_false_interruptions_are_shares_of_their_events():
    figures = result(TRIALS, []).figures
    assert figures["false_backchannel_percent"] == 25
    assert figures["paused_backchannel_percent"] == 25
    assert figures["false_noise_percent"] == 0
    assert figures["paused_noise_percent"] == 50
    # Three replies left to their echo, and one that it stopped before it could be interrupted.
    assert figures["echo_replies"] == 4
    assert figures["false_echo_percent"] == 50
    assert figures["over_echo"] == 2
    assert figures["over_echo_missed"] == 1
    assert figures["over_echo_p95_ms"] == pytest.approx(180)
    assert figures["lost_max_ms"] == pytest.approx(600)


def test_shares_have_samples_of_which_they_are_the_mean():
    found = result(TRIALS, [])
    for name in ("backchannel", "noise", "echo"):
        for word in ("false", "paused"):
            share = found.figures[f"{word}_{name}_percent"]
            assert np.mean(found.samples[f"{word}_{name}"]) == pytest.approx(share)


def test_the_table_has_one_row_a_condition_with_its_counts():
    rows = {row[0].strip(): row for row in result(TRIALS, []).rows}
    assert rows["interruption → silence"][1:5] == ["9", "8", "1", "0"]
    assert rows["recorded voices"][1] == "4"
    assert rows["the caller's first words"][5] == "250"
    assert rows["backchannel yeah"][1:5] == ["2", "1", "1", "0"]
    assert rows["cough"][-1] == "600–600"
    assert rows["echo -10 dB 20 ms"][1:5] == ["2", "1", "0", "1"]
    assert rows["nothing"][1:5] == ["1", "0", "0", "1"]


def test_an_interruption_that_was_talked_down_is_missed_and_a_cough_is_not():
    figures = result([trial("interruption", "ignored"), trial("cough", "ignored")], []).figures
    assert figures["missed"] == figures["n"] == 1
    assert figures["noises"] == 0
    assert math.isnan(figures["p95_ms"])


def test_who_was_slow_or_missed_is_named():
    notes = " ".join(result(TRIALS, ["WARNING late"]).notes)
    assert "child_male 250 ms" in notes
    assert "slowpoke (stopped)" in notes
    assert "whisperer (paused)" in notes
    assert "1 warnings; the first: WARNING late" in notes


def test_nothing_measured_is_not_nothing_found():
    figures = result([trial("interruption", "no reply")], []).figures
    assert math.isnan(figures["p95_ms"])
    assert math.isnan(figures["false_noise_percent"])
    assert figures["unmeasured"] == 1


def test_every_plot_has_the_promise_or_bars():
    delays, bars = result(TRIALS, []).plots
    assert delays.limit == 200
    assert [y for _, y in delays.lines["silence"]] == sorted(y for _, y in delays.lines["silence"])
    assert bars.lines["backchannel yeah"][0][1] == 50
