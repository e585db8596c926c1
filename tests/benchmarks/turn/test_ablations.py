"""What a setting saves is told with how sure that is."""

import numpy as np
import pytest

from benchmarks.result import Result
from benchmarks.turn.ablations import COMPARISONS, SETTINGS, ratio, with_ablations
from benchmarks.turn.outcome import Turn
from rt_avatar.config_loader import load_settings

pytestmark = pytest.mark.unit


def turns(times) -> list[Turn]:
    return [
        Turn("a", "plain", "early") if ms is None else Turn("a", "plain", "answered", sound_ms=ms)
        for ms in times
    ]


def spread(median_ms: float, count: int = 40, seed: int = 0) -> list[float]:
    return list(np.random.default_rng(seed).normal(median_ms, 30, count))


def test_a_saving_is_told_as_a_ratio_with_its_interval() -> None:
    value, low, high, pairs = ratio(turns(spread(400)), turns(spread(500, seed=1)))
    assert value == pytest.approx(0.8, abs=0.03)
    assert low < value < high < 1
    assert len(pairs) == 40


def test_no_saving_includes_one() -> None:
    _, low, high, _ = ratio(turns(spread(500)), turns(spread(500, seed=1)))
    assert low < 1 < high


def test_a_pair_without_a_time_is_left_out_on_both_sides() -> None:
    *_, pairs = ratio(turns([400, None, 420]), turns([500, 510, None]))
    assert pairs == [(400, 500)]


def test_nothing_to_compare_is_told_as_such() -> None:
    value, low, high, pairs = ratio(turns([None]), turns([500]))
    assert pairs == []
    assert all(np.isnan([value, low, high]))


def test_every_comparison_is_of_two_settings_and_is_reported() -> None:
    found = {name: turns(spread(400 + 50 * i)) for i, name in enumerate(SETTINGS)}
    result = with_ablations(Result("turn", ("what",), [], {"p50_ms": 1.0}), found)
    assert list(result.figures) == ["p50_ms", *COMPARISONS]
    assert result.figures["drafts_ratio"] == pytest.approx(400 / 450, abs=0.03)
    assert len(result.rows) == len(SETTINGS) + len(COMPARISONS)
    assert all({a, b} <= set(SETTINGS) for a, b in COMPARISONS.values())


@pytest.mark.parametrize("name", SETTINGS)
def test_the_server_knows_every_setting(name: str) -> None:
    words = iter(SETTINGS[name].flags)
    load_settings(flags={key.removeprefix("--"): next(words) for key in words})
