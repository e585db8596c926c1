import asyncio
import errno

import pytest

from rt_avatar.signaling.load import FULL_LAG_S, LoadMeter
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.unit


def test_busy_cores_count_after_some_seconds_not_at_once():
    meter = LoadMeter(Metrics(), lambda: 0)
    meter.note_cpu(1.0)
    assert meter.load < 0.25
    for _ in range(20):
        meter.note_cpu(1.0)
    assert meter.load > 0.95


def test_a_late_event_loop_is_load_even_when_the_cores_are_idle():
    meter = LoadMeter(Metrics(), lambda: 0)
    for _ in range(200):
        meter.note_lag(FULL_LAG_S)
    assert meter.load > 0.9


def test_one_hiccup_is_no_load():
    meter = LoadMeter(Metrics(), lambda: 0)
    meter.note_lag(0.2)
    assert meter.load < 0.2


def test_the_load_never_leaves_zero_to_one():
    meter = LoadMeter(Metrics(), lambda: 0)
    meter.note_lag(-1)
    assert meter.load == 0
    for _ in range(100):
        meter.note_lag(60)
    assert meter.load == 1


@pytest.fixture
def two_cores(monkeypatch):
    """Let a meter take this machine for one of two cores."""

    class TwoCores:
        cores = 2.0

    monkeypatch.setattr("rt_avatar.signaling.load.CpuMeter", TwoCores)


def spend(meter: LoadMeter, own_cores: float, others: float = 0.0, seconds: int = 20) -> None:
    for _ in range(seconds):
        meter.note_cpu((own_cores + others) / 2, own_cores)


def test_a_quiet_caller_is_counted_as_one_who_talks(two_cores):
    meter = LoadMeter(Metrics(), lambda: 1)
    spend(meter, 0.7)
    spend(meter, 0.2, seconds=30)
    assert meter.load < 0.12
    assert meter.load_with_one_more == pytest.approx(0.7, abs=0.05)  # two of 0.7 of two cores


def test_what_others_use_leaves_less_for_calls(two_cores):
    meter = LoadMeter(Metrics(), lambda: 1)
    spend(meter, 0.5, others=0.8, seconds=40)
    assert meter.load_with_one_more == pytest.approx((0.8 + 2 * 0.5) / 2, abs=0.02)


def test_silent_callers_elsewhere_are_counted_as_ones_who_talk(two_cores):
    meter = LoadMeter(Metrics(), lambda: 1, lambda: 2)
    spend(meter, 0.3)
    spend(meter, 0.1, others=0.2, seconds=30)
    assert meter.load_with_one_more == pytest.approx(4 * 0.3 / 2, abs=0.05)


def test_what_a_call_costs_is_by_the_call_however_many_there_are(two_cores):
    calls = 3
    meter = LoadMeter(Metrics(), lambda: calls)
    spend(meter, 0.9)
    assert meter.load_with_one_more == pytest.approx(4 * 0.3 / 2, abs=0.02)
    calls = 1  # what the others leave behind is not this one's
    spend(meter, 0.3)
    assert meter.load_with_one_more == pytest.approx(2 * 0.3 / 2, abs=0.05)


def test_what_is_spent_without_a_call_is_no_calls_cost(two_cores):
    meter = LoadMeter(Metrics(), lambda: 0)
    spend(meter, 1.8)
    spend(meter, 0.0, seconds=60)
    assert meter.load_with_one_more < 0.01


def test_a_costly_call_is_forgotten_in_time(two_cores):
    meter = LoadMeter(Metrics(), lambda: 1)
    spend(meter, 0.9)
    spend(meter, 0.1, seconds=3600)
    assert meter.load_with_one_more == pytest.approx(0.1, abs=0.02)


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
        task = group.create_task(LoadMeter(metrics, lambda: 0).run())
        assert await metrics.lags.get() > -0.01
        task.cancel()


async def test_it_counts_the_tasks_of_its_loop(monkeypatch):
    monkeypatch.setattr("rt_avatar.signaling.load.TICK_S", 0.001)
    metrics, told = Metrics(), asyncio.Queue(maxsize=1000)
    monkeypatch.setattr(metrics.tasks, "set", told.put_nowait)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        others = [group.create_task(asyncio.sleep(60)) for _ in range(7)]
        meter = group.create_task(LoadMeter(metrics, lambda: 0).run())
        assert await told.get() == 7 + 2  # with the meter and this one
        for task in (*others, meter):
            task.cancel()


async def test_it_goes_on_when_a_process_has_no_file_left_to_open(monkeypatch):
    def fail(percpu: bool = False) -> list[float]:
        tried.put_nowait(percpu)
        raise OSError(errno.EMFILE, "Too many open files", "/proc/stat")

    tried: asyncio.Queue[bool] = asyncio.Queue(maxsize=1000)
    monkeypatch.setattr("rt_avatar.signaling.load.TICK_S", 0.001)
    monkeypatch.setattr("rt_avatar.signaling.cpu._quotas", lambda root: [])
    monkeypatch.setattr("psutil.cpu_percent", fail)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        task = group.create_task(LoadMeter(Metrics(), lambda: 0).run())
        for _ in range(3):  # again and again: none of them ended it
            await tried.get()
        task.cancel()
