"""What was measured is in the result, and what could not be is said."""

import math

import pytest

from rt_avatar.benchmarks.livekit.measured import Costs, Measured, PluginMeasured
from rt_avatar.benchmarks.livekit.report import report

pytestmark = pytest.mark.unit


def test_the_price_of_a_room_is_what_one_more_takes():
    measured = Measured(
        answer_ms=[400.0, 500.0, 600.0],
        costs=[
            Costs(1, 0.50, 0.03, 300.0, [25.0], [0.0]),
            Costs(2, 0.80, 0.06, 320.0, [25.0, 24.0], [0.0, 0.015]),
            Costs(3, 1.10, 0.09, 340.0, [25.0, 24.0, 23.0], [0.0, 0.02, 0.07]),
        ],
        unanswered=1,
    )
    result = report(measured)
    assert result.figures["room_cpu_percent"] == pytest.approx(30)
    assert result.figures["answer_p50_ms"] == 500
    assert result.figures["fps_least"] == 23
    assert result.figures["unanswered"] == 1
    assert result.figures["rooms_kept"] == 2  # one picture in a hundred, of all callers
    assert math.isnan(result.figures["silence_p50_ms"])
    assert [row[0] for row in result.rows[-3:]] == ["1 room", "2 rooms", "3 rooms"]


def test_rooms_beyond_one_that_broke_the_promise_do_not_count():
    broken = Costs(1, 0.5, 0.03, 300.0, [24.0], [0.04])
    kept = Costs(2, 0.8, 0.06, 320.0, [25.0, 25.0], [0.0, 0.0])
    figures = report(Measured(costs=[broken, kept])).figures
    assert figures["rooms_kept"] == 0


def test_the_plug_in_has_rows_and_figures_of_its_own():
    plugin = PluginMeasured(
        stop_silence_ms=[100.0, 200.0, 300.0],
        position_ms=[-30.0, 10.0, 20.0],
        costs=[Costs(1, 0.40, 0.03, 300.0, [25.0], [0.0])],
    )
    measured = Measured(costs=[Costs(1, 0.50, 0.03, 300.0, [25.0], [0.0])], plugin=plugin)
    result = report(measured)
    assert result.figures["plugin_silence_p50_ms"] == 200
    assert result.figures["position_p50_ms"] == 10
    assert result.figures["plugin_rooms_kept"] == 1
    assert result.figures["plugin_first_room_cpu_percent"] == pytest.approx(40)
    assert [row[0] for row in result.rows[-2:]] == ["1 room", "plug-in: 1 room"]
