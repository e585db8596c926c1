"""What the benchmark of the budget makes of a course, and that its slow engines are slow."""

import argparse
import math

import pytest

from rt_avatar.benchmarks.budget import slow as budget_slow
from rt_avatar.benchmarks.budget.benchmark import Case, _result, measure
from rt_avatar.benchmarks.budget.case_run import CaseRun, Phase
from rt_avatar.benchmarks.budget.slow import SlowedEngine
from rt_avatar.config.settings import LlmSettings
from rt_avatar.errors import SetupError
from tests.fakes.engines import StillMotion

pytestmark = pytest.mark.unit

RULES = LlmSettings()
STEP = ("short_first_clause",)


def case_run(slow_s: list[float], back: list[tuple[str, ...]]) -> CaseRun:
    return CaseRun(
        calm=Phase(first_sound_s=[0.1, 0.1], degradation_steps=[(), ()]),
        slow=Phase(first_sound_s=slow_s, degradation_steps=[STEP] * len(slow_s)),
        back=Phase(first_sound_s=[0.1] * len(back), degradation_steps=back),
    )


def result_of(held: CaseRun, free: CaseRun, watched: str = "first sound"):
    case = Case("something slow", lambda _: None, RULES, watched)
    return _result({"voice": case}, {"voice": held}, {"voice": free}, 0.660)


def test_kept_are_the_slow_turns_after_the_first_that_met_the_deadline():
    held = case_run([0.9, 0.3, 0.661, 0.660, 0.3], [STEP, STEP, STEP, ()])
    result = result_of(held, case_run([0.9] * 5, []))
    assert result.figures["voice_kept_percent"] == 75
    assert result.figures["kept_without_percent"] == 0
    assert result.figures["voice_back_turns"] == 3
    assert result.figures["deadline_ms"] == 660


def test_a_degradation_that_is_never_taken_back_is_told_as_not_a_number():
    result = result_of(case_run([0.9, 0.3], [STEP, STEP]), case_run([0.9, 0.9], []))
    assert math.isnan(result.figures["voice_back_turns"])


def test_one_slow_turn_is_refused_before_anything_runs():
    arguments = argparse.Namespace(turns=1, quick=False, flags=[])
    with pytest.raises(SetupError, match="--turns: expected 2 or more, got 1"):
        measure(arguments)


def test_pictures_are_kept_when_25_a_second_are_sent():
    held, free = case_run([0.1] * 3, [()]), case_run([0.1] * 3, [])
    held.slow.sent_hz, held.slow.drawn_hz = [18.0, 25.0, 24.0], [18.0, 12.5, 12.5]
    free.slow.sent_hz, free.slow.drawn_hz = [18.0] * 3, [18.0] * 3
    held.calm.sent_hz = held.calm.drawn_hz = [25.0]
    result = result_of(held, free, "pictures")
    assert result.figures["voice_kept_percent"] == 50
    assert "24.5/s, 12.5 new" in result.rows[0]


def test_a_slowed_engine_takes_longer_by_the_size_of_what_is_pushed(monkeypatch):
    slept = []
    monkeypatch.setattr(budget_slow.time, "sleep", slept.append)
    engine = SlowedEngine(StillMotion(), size=len)
    stream = engine.open("ava")
    stream.push([1, 2, 3])
    engine.extra_s = 0.5
    stream.push([1, 2, 3])
    engine.extra_s = 0.0
    stream.push([1])
    assert slept == [0.0, 1.5, 0.0]
