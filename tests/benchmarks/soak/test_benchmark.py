"""What leaks is found by how much it leaks; what only swings or peaks is not called a leak."""

import math

import numpy as np
import pytest

from rt_avatar.benchmarks.callers.record import Record
from rt_avatar.benchmarks.server import Census
from rt_avatar.benchmarks.soak.report import report, warmed_up
from rt_avatar.benchmarks.soak.run import Length, Reading, Soak
from rt_avatar.benchmarks.soak.series import ends, fit_line, floor_growth, growth_percent

pytestmark = pytest.mark.unit

HALF_HOUR = np.arange(1, 181) * 10.0  # a reading every ten seconds
FORK_MIB = 24.0  # what an utterance adds for as long as it lasts


def swings(seed: int = 1, size: float = FORK_MIB) -> np.ndarray:
    """Memory and counts as they swing with who speaks: up or not, in no order."""
    return size * np.random.default_rng(seed).integers(0, 3, len(HALF_HOUR))


# --- memory -------------------------------------------------------------------------------------
@pytest.mark.parametrize("leak_mib", [0.0, 10.0, 17.5, 60.0])
def test_a_known_leak_of_memory_is_the_leak_reported(leak_mib: float) -> None:
    memory = 350 + leak_mib * HALF_HOUR / HALF_HOUR[-1]
    span = (HALF_HOUR[-1] - HALF_HOUR[0]) / HALF_HOUR[-1]
    expected = 100 * leak_mib * span / memory[0]
    assert growth_percent(HALF_HOUR, memory) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_a_leak_is_told_from_the_swinging_of_forks(seed: int) -> None:
    flat = growth_percent(HALF_HOUR, 350 + swings(seed))
    leaking = growth_percent(HALF_HOUR, 350 + swings(seed) + 40 * HALF_HOUR / HALF_HOUR[-1])
    assert abs(flat) < 3
    assert 40 / 400 * 100 - 3 < leaking < 40 / 350 * 100 + 3


def test_single_peaks_are_no_growth() -> None:
    memory = np.full(len(HALF_HOUR), 350.0)
    memory[-20:] = 900.0  # one reading in nine
    assert growth_percent(HALF_HOUR, memory) == 0


def test_what_shrinks_is_told_as_shrinking() -> None:
    assert growth_percent(HALF_HOUR, 400 - HALF_HOUR / 100) < -4


def test_a_line_is_fitted_through_what_lies_on_it_and_of_one_point_there_is_none() -> None:
    line = fit_line([0, 1, 2, 5], [3, 5, 7, 13])
    assert (line.slope, line.level, line.at(10)) == (2, 3, 23)
    assert math.isnan(fit_line([1], [1]).slope)
    assert math.isnan(growth_percent([], []))


# --- counts -------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(5))
def test_counts_that_swing_over_one_floor_have_not_grown(seed: int) -> None:
    assert floor_growth(list(47 + swings(seed, 5))) == 0


@pytest.mark.parametrize("leaked", [3, 30])
def test_a_leak_of_tasks_shows_by_two_thirds_under_any_swinging(leaked: int) -> None:
    counts = 47 + np.floor(leaked * HALF_HOUR / HALF_HOUR[-1]) + swings(2, 5)
    assert floor_growth(list(counts)) == pytest.approx(leaked * 2 / 3, abs=1 + leaked / 30)


def test_too_few_counts_tell_nothing() -> None:
    assert math.isnan(floor_growth([1, 2]))


def test_the_ends_are_a_tenth_each() -> None:
    assert ends(list(range(100))) == (list(range(10)), list(range(90, 100)))
    assert ends([7.0]) == ([7.0], [7.0])
    assert ends([]) == ([], [])


# --- the run ------------------------------------------------------------------------------------
def soak(
    *, leak_mib: float = 0.0, leaked_tasks: int = 0, slower_ms: float = 0.0, left_files: int = 0
) -> Soak:
    """Return half an hour with known faults; before the 50th turn memory rises by 50 MiB."""
    run = Soak(Length(1800.0, 1000), Reading(0.0, 0, 3, Census(260, 2, 20, 23)))
    for index, at_s in enumerate(HALF_HOUR):
        share = at_s / HALF_HOUR[-1]
        warm = min(1.0, 6 * index / 50)  # six turns between two readings
        reading = Reading(
            at_s=float(at_s),
            turns=6 * index,
            tasks=47 + int(leaked_tasks * share) + index % 4,
            census=Census(300 + 50 * warm + leak_mib * share + 24 * (index % 2), 3, 40, 30),
            spoken_ms=[600.0 + slower_ms * share],
            typed_ms=[100.0 + slower_ms * share] * 5,
        )
        run.readings.append(reading)
        run.talker.add(Record(spoken_ms=list(reading.spoken_ms), packets=1000, packets_lost=30))
        run.typist.add(Record(typed_ms=list(reading.typed_ms)))
    run.after = Reading(1810.0, 1074, 3, Census(290, 2, 20, 23 + left_files))
    return run


def test_a_run_without_faults_is_flat_and_warming_up_is_not_its_fault() -> None:
    result = report(soak())
    figures = result.figures
    assert abs(figures["memory_growth_percent"]) < 0.5
    assert [figures[f"grown_{name}"] for name in ("tasks", "threads", "files")] == [0, 0, 0]
    assert [figures[f"left_{name}"] for name in ("tasks", "threads", "files")] == [0, 0, 0]
    assert figures["left_mib"] == 30
    assert figures["typed_first_tenth_p50_ms"] == figures["typed_last_tenth_p50_ms"] == 100
    assert figures["packets_lost_percent"] == pytest.approx(3)
    assert figures["turns"] == 180 * 6
    assert all(len(row) == len(result.columns) for row in result.rows)


def test_what_was_told_in_a_turn_without_an_answer_is_shown() -> None:
    run = soak()
    run.talker.add(Record(unanswered=1, silences=["spoke one; told: thinking, listening"]))
    result = report(run)
    assert result.figures["unanswered_turns"] == 1
    assert "not answered: spoke one; told: thinking, listening" in result.notes


def test_each_fault_of_a_run_shows_in_its_figure() -> None:
    figures = report(soak(leak_mib=35.0, leaked_tasks=30, slower_ms=500.0, left_files=4)).figures
    assert figures["memory_growth_percent"] == pytest.approx(9.0, abs=0.6)
    assert figures["grown_tasks"] == pytest.approx(19, abs=2)
    assert figures["left_files"] == 4
    assert figures["typed_last_tenth_p50_ms"] - figures["typed_first_tenth_p50_ms"] > 400
    assert figures["spoken_last_tenth_p95_ms"] - figures["spoken_first_tenth_p95_ms"] > 400


def test_the_first_fifty_turns_do_not_count_and_in_a_short_run_a_third() -> None:
    assert warmed_up(soak())[0].turns == 54
    assert Length(90, 60).warm_turns == 20
    assert Length(1800, 1000).warm_turns == 50


def test_turns_that_could_not_be_made_are_told() -> None:
    assert any("900 of 1000 turns" in note for note in report(soak()).notes)


def test_a_run_that_broke_off_at_once_is_a_result_too() -> None:
    empty = Soak(Length(90, 60), Reading(0.0, 0, 3, Census(260, 2, 20, 23)))
    result = report(empty)
    assert result.figures["turns"] == 0
    assert all(len(row) == len(result.columns) for row in result.rows)
