"""The road on a GPU: its stages, its sums, and what is told where a stage was not run."""

import math

import pytest

from rt_avatar.benchmarks.engines.network_report import add_gpu
from rt_avatar.benchmarks.engines.road import add_road, road
from rt_avatar.benchmarks.result import Result

pytestmark = pytest.mark.unit

COLUMNS = ("engine", "item", "ms")
BARE = add_gpu(Result(name="engines", columns=COLUMNS, rows=[], figures={}), {})
NAMES = [stage.name for stage in road()]


def test_the_road_goes_from_ears_to_picture():
    assert [name.removeprefix("official road, ") for name in NAMES] == [
        "hearing", "seeing", "prompt", "chain", "signals", "styles", "first clause", "contents",
        "clause", "sound", "contents of the face", "motion", "frame",
    ]  # fmt: skip
    runs = {stage.name: stage.runs for stage in road()}
    (chain,), (clause,) = (runs[f"official road, {name}"] for name in ("chain", "first clause"))
    assert (chain.graph, chain.times, clause.times) == ("llm_extend", 40, 10)
    assert runs["official road, sound"][0].sizes == {"frames": 40}  # a chunk and its margins


def test_sums_are_of_what_comes_before():
    medians = {name: (2.0, 1.0, 3.0, math.nan, math.nan) for name in NAMES}
    medians["official road, chain"] = (200.0, 100.0, 300.0, math.nan, math.nan)
    result = add_road(BARE, medians)
    assert result.figures == {
        "official_first_sound_gpu_ms": 109,
        "official_first_sound_thought_gpu_ms": 9,
        "official_first_frame_gpu_ms": 112,
        "official_first_frame_thought_gpu_ms": 12,
    }
    assert all(len(row) == len(result.columns) for row in result.rows)
    assert result.rows[-1][-1] == "24 / 12 / 36\n– / –"
    assert "not one run" in result.notes[-1]


def test_a_stage_that_failed_leaves_no_sum():
    medians = {name: (1.0, 1.0, 1.0, math.nan, math.nan) for name in NAMES}
    medians["official road, frame"] = (math.nan,) * 5
    assert set(add_road(BARE, medians).figures) == {
        "official_first_sound_gpu_ms", "official_first_sound_thought_gpu_ms",
    }  # fmt: skip


def test_without_the_road_nothing_is_added():
    assert add_road(BARE, {"nano face": (1.0,) * 5}) is BARE
