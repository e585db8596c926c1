"""The network in the report: figures from what was measured, goals met or missed, sizes counted."""

import math

import pytest

from rt_avatar.benchmarks.engines.case import Case, Cost
from rt_avatar.benchmarks.engines.floor import MachineRates
from rt_avatar.benchmarks.engines.network_report import GOALS, add_gpu, add_network, network_figures
from rt_avatar.benchmarks.engines.parts import Found, parts
from rt_avatar.benchmarks.engines.report import COLUMNS, report
from rt_avatar.engines.contract import EngineSpec

pytestmark = pytest.mark.unit

RATES = MachineRates(gemm_flops=1e11, copy_bytes=1e10)


def cost(item_ms: float, factor: float = 0.1, end_ms: float | None = None) -> Cost:
    return Cost(
        spec=EngineSpec("some", 25, 25, 1), lookahead=0, item_ms=[item_ms] * 3,
        flush_ms=[] if end_ms is None else [end_ms], real_time_factor=factor,
        processor_factor=factor, load_ms=1.0, cold_ms=1.0, warm_ms=1.0, engine_mib=1.0,
        first_mib=0.0, further_mib=0.0, threads=1.0,
    )  # fmt: skip


def report_of(costs: dict[str, Cost], official=(), notes=()):
    cases = [Case(name, "llm", "item", lambda: None, list, 0.2) for name in costs]
    result = report(cases, costs, RATES, is_whole=False)
    return add_network(result, costs, RATES, official, notes)


def goal_rows(result) -> dict[str, list[str]]:
    rows = [row for row in result.rows if row[0].startswith("nano's goal")]
    return {row[0].partition("\n")[2]: row for row in rows}


def test_figures_are_of_the_goals_units():
    figures = network_figures(
        {
            "nano LLM step": cost(4.0),
            "nano LLM prefill": cost(100.0),
            "nano voice": cost(3.0, factor=0.05),  # a clause's first chunk takes longer
            "nano motion by sound": cost(8.0, factor=0.04),
            "nano sound features": cost(10.0, factor=0.05),
            "nano speech encoder": cost(40.0, factor=0.012, end_ms=20.0),
            "nano vision encoder": cost(5.0, factor=0.0101, end_ms=0.5),
        }
    )
    assert figures["nano_llm_tokens_per_s"] == pytest.approx(250)
    assert figures["nano_prefill_tokens_per_s"] == pytest.approx(2560)
    assert figures["nano_voice_ms"] == pytest.approx(10)
    assert figures["nano_sound_motion_ms"] == pytest.approx(18)
    assert figures["nano_speech_encoder_ms"] == pytest.approx(60)
    assert figures["nano_encoders_end_ms"] == pytest.approx(20.5)
    assert figures["nano_encoders_ms"] == pytest.approx(110.5)
    assert "nano_face_ms" not in figures


def test_goals_are_met_or_missed_by_what_was_measured():
    result = report_of(
        {"nano LLM step": cost(5.0), "nano face": cost(25.0), "nano voice": cost(1.0, factor=0.2)}
    )
    rows = goal_rows(result)
    assert rows["language model"][1:3] == ["≥ 250 tokens/s", "200\nmissed"]
    assert rows["a frame of 256²"][1:3] == ["≤ 25 ms", "25\nmet"]
    assert rows["200 ms of speech"][1:3] == ["≤ 20 ms", "40\nmissed"]
    assert len(rows) == 3
    assert result.higher_is_better == ["nano_llm_tokens_per_s"]


def test_without_the_network_there_are_neither_goals_nor_figures():
    result = report_of({"silero": cost(0.1)}, notes=["The network is left out: because."])
    assert not goal_rows(result)
    assert not any(key.startswith("nano") for key in result.figures)
    assert result.notes[-1] == "The network is left out: because."


def test_every_goal_has_a_figure():
    names = ("LLM step", "voice", "motion by content", "motion by sound", "sound features", "face")
    costs = {f"nano {name}": cost(1.0) for name in names}
    ends = {f"nano {name}": cost(1.0, end_ms=1.0) for name in ("speech encoder", "vision encoder")}
    assert {goal.figure for goal in GOALS} <= set(network_figures(costs | ends))


def test_what_was_only_counted_says_its_floor_and_what_was_run_its_ratio():
    face = next(part for part in parts("official") if part.name == "official face")
    counted = Found(parameters=20_000_000, flops=1e11, weights_bytes=80_000_000)
    result = report_of({"silero": cost(0.1)}, [(face, counted, math.nan), (face, counted, 2000.0)])
    only, run = [row for row in result.rows if row[0] == "official face"]
    assert only[2:6] == ["≥ 1000", "not run", "76, 20.0 M", "100000\n2500\u00a0G/s"]
    assert run[2:6] == ["2000\n50", "", "76, 20.0 M", "100000\n2500\u00a0G/s\n×\u00a02"]
    assert all(len(row) == len(COLUMNS) for row in result.rows)


def test_why_a_size_was_not_run_is_told():
    llm = next(part for part in parts("official") if part.name == "official LLM step")
    counted = Found(7_000_000_000, 1.4e10, 28_000_000_000, why_not="needs 36 GB of memory")
    (row,) = report_of({"silero": cost(0.1)}, [(llm, counted, math.nan)]).rows[1:]
    assert row[2:4] == ["≥ 2800", "needs 36 GB of memory"]


def test_what_a_gpu_takes_stands_in_a_column_of_its_own():
    result = add_gpu(
        report_of({"silero": cost(0.1), "nano face": cost(20.0)}),
        {"nano face": (1.5, 0.5, 4.5, 2.5, math.nan)},
    )
    assert len(result.columns) == len(COLUMNS) + 1
    cells = {row[0].partition("\n")[0]: row[-1] for row in result.rows}
    assert cells["nano face"] == "1.5 / 0.5 / 4.5\n2.5 / –"
    assert cells["silero"] == ""
