import asyncio

import pytest

from rt_avatar.signaling.load import FULL_LAG_S, LoadMeter
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.unit


def test_busy_cores_count_after_some_seconds_not_at_once():
    meter = LoadMeter(Metrics())
    meter.note_cpu(1.0)
    assert meter.load < 0.25
    for _ in range(20):
        meter.note_cpu(1.0)
    assert meter.load > 0.95


def test_a_late_event_loop_is_load_even_when_the_cores_are_idle():
    meter = LoadMeter(Metrics())
    for _ in range(200):
        meter.note_lag(FULL_LAG_S)
    assert meter.load > 0.9


def test_one_hiccup_is_no_load():
    meter = LoadMeter(Metrics())
    meter.note_lag(0.2)
    assert meter.load < 0.2


def test_the_load_never_leaves_zero_to_one():
    meter = LoadMeter(Metrics())
    meter.note_lag(-1)
    assert meter.load == 0
    for _ in range(100):
        meter.note_lag(60)
    assert meter.load == 1


class Told(Metrics):
    """Says when it was told something."""

    def __init__(self) -> None:
        super().__init__()
        self.lags = asyncio.Queue(maxsize=100)

    def observe_lag(self, lag_s: float) -> None:
        self.lags.put_nowait(lag_s)


async def test_it_measures_while_it_runs_and_reports():
    metrics = Told()
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        task = group.create_task(LoadMeter(metrics).run())
        assert await metrics.lags.get() > -0.01
        task.cancel()


async def test_it_counts_the_tasks_of_its_loop(monkeypatch):
    monkeypatch.setattr("rt_avatar.signaling.load.TICK_S", 0.001)
    metrics, told = Metrics(), asyncio.Queue(maxsize=1000)
    monkeypatch.setattr(metrics.tasks, "set", told.put_nowait)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        others = [group.create_task(asyncio.sleep(60)) for _ in range(7)]
        meter = group.create_task(LoadMeter(metrics).run())
        assert await told.get() == 7 + 2  # with the meter and this one
        for task in (*others, meter):
            task.cancel()
