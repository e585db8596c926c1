"""The load's figures are those of the loads that were put on, and what broke is named."""

import asyncio
import math
from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from rt_avatar.benchmarks.callers.record import Flow, Record
from rt_avatar.benchmarks.load.busy import Answer, Busy
from rt_avatar.benchmarks.load.cost import Rest, price
from rt_avatar.benchmarks.load.metrics import BUSY, LAG, WAITING, WORK, Scrape
from rt_avatar.benchmarks.load.report import bound_by, report
from rt_avatar.benchmarks.load.step import Cores, Step, kept
from rt_avatar.services.worker import EngineWorker
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.unit

REST = Rest(starts_s=[2.0, 2.4], mib=250.0, cores=0.01, idle_cores=0.2)


def step(callers: int, /, *, p50=420.0, p95=700.0, bad_pictures=0, unanswered=0, **cores) -> Step:
    """So many callers at 0.4 cores and 25 MiB each; 1,000 pictures were due."""
    spoken = [p50] * 90 + [p95] * 10
    return Step(
        callers=callers,
        seconds=40.0,
        record=Record(spoken, unanswered=unanswered, video=Flow(1000, bad_pictures)),
        each=[Record(spoken) for _ in range(callers)],
        cores=Cores(
            **{
                "server": 0.01 + 0.4 * callers, "loop": 0.01 + 0.1 * callers,
                "callers": 0.15 * callers, "others": 0.0, **cores,
            }
        ),
        memory_mib=[260.0 + 25 * callers] * 3,
        scrape=Scrape.parse(""),
    )  # fmt: skip


# --- the promise --------------------------------------------------------------------------------
def test_the_promise_holds_up_to_its_limits() -> None:
    assert step(1, p50=500.0, p95=800.0, bad_pictures=10).keeps


@pytest.mark.parametrize(
    ("worse", "message"),
    [
        ({"p50": 501.0}, "p50 501 ms"),
        ({"p95": 950.0}, "p95 950 ms"),
        ({"bad_pictures": 11}, "1.1% of the pictures late or skipped"),
        ({"unanswered": 1}, "1 turns unanswered"),
    ],
)
def test_each_broken_promise_is_named(worse: dict, message: str) -> None:
    assert step(3, **worse).broken() == [message]


def test_a_step_in_which_nobody_was_heard_keeps_nothing() -> None:
    silent = replace(step(1), record=Record(video=Flow(1000)))
    assert silent.broken() == ["no turn was made"]


def test_what_is_kept_ends_with_the_first_break() -> None:
    steps = [step(1), step(2, p50=600.0), step(3)]
    assert [one.callers for one in kept(steps)] == [1]


def test_a_step_measured_twice_is_judged_by_both() -> None:
    first, again = step(2, bad_pictures=15), replace(step(2, server=1.21), seconds=120.0)
    both = first.with_more(again)
    assert not first.keeps
    assert both.keeps
    assert both.record.video == Flow(2000, 15)
    assert len(both.record.spoken_ms) == 200
    assert both.seconds == 160.0
    assert both.cores.server == pytest.approx((0.81 * 40 + 1.21 * 120) / 160)


# --- prices -------------------------------------------------------------------------------------
def test_a_known_price_of_a_caller_is_the_price_found() -> None:
    found = price(REST, [step(1), step(2), step(3)])
    assert found.cores == pytest.approx(0.4)
    assert found.loop_cores == pytest.approx(0.1)
    assert found.mib == pytest.approx(25.0)


def test_a_step_that_was_not_served_in_full_does_not_make_callers_cheaper() -> None:
    starved = step(4, p50=900.0, server=1.2)
    assert price(REST, [step(1), step(2), step(3), starved]).cores == pytest.approx(0.4)


def test_when_no_promise_was_kept_the_first_step_tells_the_price() -> None:
    assert price(REST, [step(1, p50=900.0)]).cores == pytest.approx(0.4)
    assert math.isnan(price(REST, []).cores)


# --- what the server tells ----------------------------------------------------------------------
def histogram_text(*values_s: float) -> str:
    registry = CollectorRegistry()
    histogram = Histogram("lag_seconds", "x", buckets=(0.01, 0.02, 0.1), registry=registry)
    for value_s in values_s:
        histogram.observe(value_s)
    return generate_latest(registry).decode()


def test_a_quantile_lies_in_its_bucket_in_proportion() -> None:
    scrape = Scrape.parse(histogram_text(*[0.005] * 90, *[0.015] * 10))
    assert scrape.quantile("lag_seconds", 0.90) == pytest.approx(0.01)
    assert scrape.quantile("lag_seconds", 0.95) == pytest.approx(0.015)


def test_beyond_the_last_bound_the_bound_is_told_and_of_nothing_nothing() -> None:
    assert Scrape.parse(histogram_text(3.0)).quantile("lag_seconds", 0.99) == 0.1
    assert math.isnan(Scrape.parse(histogram_text()).quantile("lag_seconds", 0.99))


def test_a_quantile_of_a_window_forgets_what_was_before() -> None:
    before = Scrape.parse(histogram_text(*[0.09] * 500))
    now = Scrape.parse(histogram_text(*[0.09] * 500, *[0.005] * 100))
    assert now.since(before).quantile("lag_seconds", 0.99) < 0.01


async def test_the_servers_own_metrics_are_found_under_their_names() -> None:
    metrics, worker = Metrics(), EngineWorker("audio")
    metrics.watch_workers([worker])
    before = Scrape.parse(metrics.exposition().decode())
    await asyncio.gather(*(worker.call(sum, range(10_000)) for _ in range(20)))
    worker.close()
    for _ in range(99):
        metrics.observe_lag(0.0005)
    metrics.observe_lag(0.0005)
    scrape = Scrape.parse(metrics.exposition().decode()).since(before)
    one = replace(step(1), scrape=scrape)
    assert one.busy() == {"audio": pytest.approx(worker.busy_s / one.seconds)}
    assert one.waiting_ms() == {"audio": pytest.approx(1000 * worker.waited_s / 20)}
    assert worker.busy_s > 0
    assert worker.waited_s > 0
    assert 0 < one.lag_p99_ms() <= 1.0
    names = {name for name, _ in scrape.samples}
    assert {BUSY, WAITING, WORK, f"{LAG}_bucket"} <= names


# --- what it was bound by -----------------------------------------------------------------------
def busy_thread(share: float) -> Scrape:
    return Scrape({(BUSY, (("worker", "recogniser"),)): share * 40.0})


@pytest.mark.parametrize(
    ("full", "message"),
    [
        (step(4, server=1.2, callers=0.7), "the machine was full"),
        (step(4, server=1.0, loop=0.9, callers=0.3), "event loop was full"),
        (replace(step(2), scrape=busy_thread(0.9)), "thread 'recogniser' was full"),
        (replace(step(2), scrape=busy_thread(0.2)), "neither the machine"),
    ],
)
def test_what_was_full_is_named(full: Step, message: str) -> None:
    assert message in bound_by(full, cores=2)


# --- a busy server ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("answer", "is_busy"),
    [
        (Answer(503, "overloaded", 5, 2.0), True),
        (Answer(503, "overloaded", 0, 2.0), False),
        (Answer(503, "full", 30, 2.0), False),
        (Answer(500, "internal", 0, 2.0), False),
        (Answer(201, "", 0, 2.0), False),
    ],
)
def test_only_the_busy_answer_with_a_time_to_try_again_is_clean(answer, is_busy) -> None:
    assert answer.is_busy == is_busy


def test_the_result_tells_the_last_kept_step_and_why_the_next_broke() -> None:
    busy = Busy(3, [Answer(503, "overloaded", 5, 2.0), Answer(500, "internal", 0, 9.0)], 1, step(3))
    steps = [step(1), step(2), step(3, p95=1200.0, callers=0.8)]
    result = report(REST, steps, busy, 580.0)
    figures = result.figures
    assert figures["callers_kept"] == 2
    assert figures["sessions_per_core"] == pytest.approx(2.5)
    assert figures["sessions_per_loop"] == pytest.approx(10.0)
    assert figures["cold_start_s"] == pytest.approx(2.2)
    assert figures["idle_cpu_percent"] == pytest.approx(20.0)
    assert figures["talk_cpu_percent"] == pytest.approx(41.0)
    assert figures["first_call_mib"] == pytest.approx(35.0)
    assert (figures["refused_after_callers"], figures["unclean_refusals"]) == (3, 1)
    assert "3 callers broke the promise" in result.notes[0]
    assert "p95 1200 ms" in result.notes[0]
    assert len(result.rows) == 3
    assert all(len(row) == len(result.columns) for row in result.rows)
    assert all(not math.isnan(value) for value in figures.values())


def test_a_run_in_which_nobody_got_through_is_a_result_too() -> None:
    result = report(REST, [], Busy(0, [], 0, None), 580.0)
    assert result.figures["callers_kept"] == 0
    assert "not one caller got through" in result.notes
