"""Figures of turns are what they are called."""

import pytest

from rt_avatar.benchmarks.turn.outcome import Turn
from rt_avatar.benchmarks.turn.report import summary, waterfall

pytestmark = pytest.mark.unit

MARKS = {
    "plan": 180.0, "first_clause": 182.0, "first_chunk": 187.0, "first_frame": 190.0,
    "end_of_turn": 388.0, "transcript_final": 393.0, "audio_released": 417.0,
}  # fmt: skip


def answered(sound_ms: float, variant: str = "plain", **more) -> Turn:
    fields = {"sound_ms": sound_ms, "eye_ms": sound_ms + 20, "line_ms": 30.0, "marks_ms": MARKS}
    return Turn("a", variant, "answered", **(fields | {"preemptive_used": True} | more))


TURNS = [
    *(answered(float(ms)) for ms in range(400, 600, 10)),
    answered(900.0, "pink-10", preemptive_used=False),
    answered(500.0, "pause-600", released_early=True),
    Turn("b", "pause-600", "early", released_early=True),
    Turn("c", "babble-10", "unanswered"),
    Turn("d", "babble-10", "unanswered"),
]


def test_the_last_line_begins_with_what_is_promised() -> None:
    keys = list(summary("turn", TURNS).figures)
    assert keys[:4] == ["p50_ms", "p95_ms", "eye_p50_ms", "eye_p95_ms"]


def test_times_are_of_answered_turns_only() -> None:
    figures = summary("turn", TURNS).figures
    assert figures["p50_ms"] == pytest.approx(500)
    assert figures["eye_p50_ms"] == pytest.approx(520)
    assert figures["line_median_ms"] == pytest.approx(30)


def test_plain_sentences_have_their_own_times() -> None:
    turns = [*(answered(ms) for ms in (400, 500, 600)), answered(900, "pause-600")]
    result = summary("turn", turns)
    assert result.figures["plain_p50_ms"] == pytest.approx(500)
    assert result.figures["plain_p95_ms"] < result.figures["p95_ms"]
    assert result.samples["first sound, plain sentences (ms)"] == [400, 500, 600]


def test_shares_are_of_all_turns() -> None:
    figures = summary("turn", TURNS).figures
    assert figures["turns"] == 25
    assert figures["early_percent"] == pytest.approx(100 / 25)
    assert figures["discarded_percent"] == pytest.approx(100 / 25)
    assert figures["late_percent"] == pytest.approx(100 * 3 / 25)
    assert figures["unanswered_percent"] == pytest.approx(100 * 2 / 25)
    assert figures["preemptive_used_percent"] == pytest.approx(100 * 21 / 22)


def test_each_variant_has_its_own_shares() -> None:
    rows = {row[0].strip(): list(row) for row in summary("turn", TURNS).rows}
    assert rows["pause-600"][1:] == ["1", "500", "500", "500", "1 of 2", "0 of 2"]
    assert rows["babble-10"][1:] == ["0", "–", "–", "–", "0 of 2", "2 of 2"]
    assert rows["plain"][-2:] == ["0 of 20", "0 of 20"]


def test_samples_hold_every_time_behind_the_percentiles() -> None:
    samples = summary("turn", TURNS).samples
    assert len(samples["first sound (ms)"]) == len(samples["first mouth motion, eye (ms)"]) == 22


def test_the_plot_tells_how_many_turns_are_answered_within_what_time() -> None:
    (plot,) = summary("turn", TURNS).plots
    share, slowest_ms = plot.lines["first sound"][-1]
    assert (share, slowest_ms, plot.limit) == (100, 900, 800)


def test_stages_wait_for_what_they_need() -> None:
    spans = waterfall([answered(449.0)])
    assert spans["first sound made"] == (182, 187)
    assert spans["words final"] == (388, 393)
    assert spans["sound released"] == (393, 417)  # the preemptive reply was ready long before
    assert spans["line, buffer: heard"] == (417, 449)


def test_without_any_answer_nothing_is_claimed() -> None:
    result = summary("turn", [Turn("a", "plain", "unanswered")])
    assert result.figures["late_percent"] == 100
    assert str(result.figures["p50_ms"]) == "nan"
