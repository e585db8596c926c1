"""A process of its own measures a case and its answer comes back whole."""

import pytest

from rt_avatar.benchmarks.engines.child import run_case
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.engines.contract import EngineSpec

pytestmark = pytest.mark.unit


def test_a_case_measured_in_another_process_comes_back_whole():
    cost = run_case("upsampler", Options(size_px=256, seconds=1.0), limit_s=0)
    assert cost.spec == EngineSpec("upsampler", 25, 25, 1)
    assert cost.lookahead == 0
    assert cost.item_ms
    assert cost.real_time_factor > 0
    assert cost.work.parameters == 0
