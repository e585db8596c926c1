"""What a setting saves is told with how sure that is."""

import numpy as np
import pytest

from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.settings import settings_of
from rt_avatar.benchmarks.turn.ablations import (
    OF_NETWORK,
    OF_RULES,
    ablations_for,
    ratio,
    with_ablations,
)
from rt_avatar.benchmarks.turn.outcome import Turn
from rt_avatar.errors import SetupError

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


@pytest.mark.parametrize("ablations", [OF_RULES, OF_NETWORK], ids=["rules", "network"])
def test_every_comparison_is_of_two_settings_and_is_reported(ablations) -> None:
    settings, comparisons = ablations.settings, ablations.comparisons
    found = {name: turns(spread(400 + 50 * i)) for i, name in enumerate(settings)}
    result = with_ablations(Result("turn", ("what",), [], {"p50_ms": 1.0}), ablations, found)
    assert list(result.figures) == ["p50_ms", *comparisons]
    assert len(result.rows) == len(settings) + len(comparisons)
    assert all({a, b} <= set(settings) for a, b in comparisons.values())
    figure, (with_it, without) = next(iter(comparisons.items()))
    names = list(settings)
    expected = (400 + 50 * names.index(with_it)) / (400 + 50 * names.index(without))
    assert result.figures[figure] == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("name", OF_RULES.settings)
def test_the_server_knows_every_setting(name: str) -> None:
    settings_of(OF_RULES.settings[name].flags)


@pytest.mark.parametrize("name", OF_NETWORK.settings)
def test_the_network_knows_every_setting(name: str) -> None:
    settings_of(OF_NETWORK.settings[name].flags)


def test_where_the_network_answers_it_is_compared_with_the_pipeline() -> None:
    ablations = ablations_for(settings_of(["--llm.kind", "empatheia"]))
    assert ablations.comparisons["pipeline_ratio"] == ("pipeline", "network")
    assert ablations_for(settings_of([])) is OF_RULES


def test_a_flag_that_nobody_knows_is_told() -> None:
    with pytest.raises(SetupError, match="nothing_like_it"):
        settings_of(["--avatar.nothing_like_it", "1"])
