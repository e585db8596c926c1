"""Comparing two results: what is called changed has changed, and what is doubtful is said."""

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.benchmarks import compare as compare_module
from rt_avatar.benchmarks.compare import Change, compare, differences, pairs
from rt_avatar.benchmarks.result import Result, Run, percentile, record, save
from rt_avatar.commands.cli import main
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit

WHEN = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def measured(minute: int = 0, samples: Mapping[str, object] | None = None, **figures: float) -> Run:
    result = Result(
        "turn", ("what",), [], figures, ("fps",), ("turns",), samples=samples or {}
    )  # fmt: skip
    return record(result, WHEN.replace(minute=minute), 60, {"quick": True})


def turns(scale: float, count: int = 40, seed: int = 0, minute: int = 0) -> Run:
    """A run whose turns take 300 to 600 ms, times a known factor."""
    values = np.random.default_rng(seed).uniform(300, 600, count) * scale
    return measured(
        minute,
        {"end of speech → first sound": values, "barge-in": values * 0.2},
        p50_ms=percentile(values, 50),
        p95_ms=percentile(values, 95),
        barge_in_p95_ms=percentile(values * 0.2, 95),
    )


def verdicts(before: Run, after: Run) -> dict[str, str]:
    return {change.figure: change.verdict for change in compare(before, after)}


def only(before: Run, after: Run) -> Change:
    [change] = compare(before, after)
    return change


# --- with samples -------------------------------------------------------------------------------
def test_another_run_of_the_same_is_called_the_same():
    assert set(verdicts(turns(1, seed=1), turns(1, seed=2)).values()) == {"same"}


def test_a_change_beyond_the_spread_is_called_by_its_direction():
    assert set(verdicts(turns(1, seed=1), turns(1.5, seed=2)).values()) == {"worse"}
    assert set(verdicts(turns(1.5, seed=1), turns(1, seed=2)).values()) == {"better"}


def test_the_interval_holds_the_ratio_that_was_put_in():
    for change in compare(turns(1, 200, seed=1), turns(1.3, 200, seed=2)):
        low, high = change.interval or (0, 0)
        assert low < 1.3 < high
        assert change.is_spread_known


def test_a_difference_inside_the_spread_is_no_change_even_above_five_percent():
    before, after = turns(1, 10, seed=1), turns(1.08, 10, seed=1)
    assert only_of(compare(before, after), "p50_ms").verdict == "same"


def only_of(changes: list[Change], figure: str) -> Change:
    return next(change for change in changes if change.figure == figure)


def test_a_sure_but_tiny_difference_is_no_change():
    values = np.full(50, 100.0)
    before = measured(samples={"frame": values}, frame_p50_ms=100)
    after = measured(samples={"frame": values * 1.005}, frame_p50_ms=100.5)
    assert only(before, after).verdict == "same"


def test_of_too_few_samples_no_spread_is_claimed():
    change = only_of(compare(turns(1, 19), turns(1, 19)), "p95_ms")
    assert not change.is_spread_known
    assert only_of(compare(turns(1, 20), turns(1, 20)), "p95_ms").is_spread_known


def test_values_that_lean_on_their_neighbours_are_not_taken_for_as_many_witnesses():
    def wandering(seed: int) -> Run:
        steps = np.random.default_rng(seed).normal(size=400)
        values = np.empty(400)
        level = 0.0
        for index, step in enumerate(steps):
            level = 0.9 * level + step
            values[index] = 100 + 5 * level
        return measured(samples={"delay": values}, delay_mean_ms=float(values.mean()))

    called = [only(wandering(seed), wandering(seed + 100)).verdict for seed in range(20)]
    assert called.count("same") >= 15  # 8 when each is drawn alone


def test_a_skew_is_better_the_nearer_it_is_to_zero():
    def skewed(by_ms: float) -> Run:
        values = np.random.default_rng(3).normal(by_ms, 2, 50)
        return measured(samples={"skew": values}, skew_p50_ms=percentile(values, 50))

    assert only(skewed(-40), skewed(10)).verdict == "better"
    assert only(skewed(10), skewed(-40)).verdict == "worse"


def test_a_magnitude_finds_its_signed_samples():
    values = np.random.default_rng(3).normal(0, 9, 200)
    run = measured(samples={"skew": values}, skew_p95_ms=percentile(np.abs(values), 95))
    assert only(run, run).is_spread_known


def test_it_is_the_same_answer_every_time():
    assert compare(turns(1), turns(1.1, seed=4)) == compare(turns(1), turns(1.1, seed=4))


# --- without samples ----------------------------------------------------------------------------
def test_without_samples_five_percent_decide():
    assert only(measured(rest_mib=100), measured(rest_mib=104)).verdict == "same"
    assert only(measured(rest_mib=100), measured(rest_mib=106)).verdict == "worse"
    assert not only(measured(rest_mib=100), measured(rest_mib=106)).is_spread_known


def test_an_equal_value_of_other_samples_is_not_taken_for_the_spread():
    run = measured(samples={"sync_test": np.zeros(50)}, late_percent=0)
    assert not only(run, run).is_spread_known


def test_of_some_figures_more_is_better_and_some_are_neither():
    assert only(measured(fps=25), measured(fps=20)).verdict == "worse"
    assert only(measured(fps=20), measured(fps=25)).verdict == "better"
    assert only(measured(turns=20), measured(turns=40)).verdict == "differs"


def test_from_nothing_to_something_is_a_change():
    assert only(measured(late_percent=0), measured(late_percent=2)).verdict == "worse"
    assert only(measured(late_percent=0), measured(late_percent=0)).verdict == "same"


def test_what_one_run_did_not_measure_is_said():
    before, after = measured(p50_ms=1, old_ms=1), measured(p50_ms=math.nan, new_ms=2)
    assert verdicts(before, after) == {
        "p50_ms": "only before",
        "new_ms": "only after",
        "old_ms": "only before",
    }


def test_what_can_no_longer_be_measured_is_as_bad_as_can_be_and_what_was_given_up_is_not():
    before, after = measured(p50_ms=1, old_ms=1), measured(p50_ms=math.nan)
    percents = {each.figure: each.percent for each in compare(before, after)}
    assert percents == {"p50_ms": math.inf, "old_ms": 0}


def test_two_benchmarks_cannot_be_compared():
    other = measured(p50_ms=1)
    other = replace(other, result=replace(other.result, name="sync"))
    with pytest.raises(BadInputError, match="turn and sync"):
        compare(measured(p50_ms=1), other)


# --- doubts -------------------------------------------------------------------------------------
def test_another_machine_other_arguments_and_other_versions_are_told():
    before = measured(p50_ms=1)
    after = replace(
        before,
        machine={**before.machine, "cores": 64, "busy_before_percent": 40.0},
        arguments={"turns": "9"},
        versions={**before.versions, "aiortc": "9.9", "rt-avatar": "7"},
    )
    told = "\n".join(differences(before, after))
    assert f"cores {before.machine['cores']} → 64" in told
    assert "quick True → –, turns – → 9" in told
    assert "→ 9.9" in told
    assert "40 % busy already before the later run" in told
    assert "rt-avatar" not in told  # that it differs is why one compares
    assert differences(before, before) == []


# --- which two ----------------------------------------------------------------------------------
@pytest.fixture
def published(monkeypatch, tmp_path) -> Path:
    folder = tmp_path / "published"
    folder.mkdir()
    monkeypatch.setattr(compare_module, "PUBLISHED", folder)
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_name_takes_the_newest_and_the_one_before(published, tmp_path):
    for minute in (5, 15, 10):
        save(turns(1, minute=minute), tmp_path)
    [(before, after)] = pairs(["turn"], tmp_path)
    assert (before.started[14:16], after.started[14:16]) == ("10", "15")
    assert pairs([], tmp_path) == [(before, after)]


def test_a_single_result_is_compared_with_the_published_one(published, tmp_path):
    file = save(turns(1, minute=9), tmp_path)
    with pytest.raises(BadInputError, match="alone; measure once more"):
        pairs(["turn"], tmp_path)
    save(turns(2), published).rename(published / "turn.json")
    for words in (["turn"], [], [str(file)]):
        [(before, after)] = pairs(words, tmp_path)
        assert before.result.figures["p50_ms"] > after.result.figures["p50_ms"]


def test_nothing_to_compare_is_told(published, tmp_path):
    with pytest.raises(BadInputError, match="measure twice"):
        pairs([], tmp_path)
    with pytest.raises(BadInputError, match="got 'trn'"):
        pairs(["trn"], tmp_path)
    with pytest.raises(BadInputError, match="at most two"):
        pairs(["a", "b", "c"], tmp_path)


# --- the command --------------------------------------------------------------------------------
def test_the_command_prints_a_verdict_a_figure_and_fails_only_when_asked(
    published, tmp_path, capsys
):
    save(turns(1, minute=1), tmp_path)
    save(turns(1.5, seed=2, minute=2), tmp_path)
    words = ["bench", "compare", "turn", "--results", str(tmp_path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "compare turn better=0 worse=3 same=0"
    assert main([*words, "--fail-worse", "200"]) == 0
    assert main([*words, "--fail-worse", "10"]) == 1


def test_two_files_can_be_named_and_a_foreign_one_is_refused_in_one_line(
    published, tmp_path, capsys
):
    one = save(measured(1, rest_mib=100), tmp_path)
    two = save(measured(2, rest_mib=200), tmp_path)
    assert main(["bench", "compare", str(two), str(one)]) == 0
    assert "better (no spread known)" in capsys.readouterr().out
    one.write_text("{}")
    assert main(["bench", "compare", str(two), str(one)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
