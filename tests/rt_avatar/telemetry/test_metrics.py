import asyncio
import threading

import pytest

from rt_avatar.messages import Trace, TurnId
from rt_avatar.services.worker import EngineWorker
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.unit


def trace(interrupted_at_s=None, **marks_s) -> Trace:
    return Trace(TurnId(1), 0, marks_s, False, interrupted_at_s)


def lines(metrics: Metrics) -> dict[str, float]:
    pairs = (line.rsplit(" ", 1) for line in metrics.exposition().decode().splitlines())
    return {name: float(value) for name, value in pairs if not name.startswith("#")}


def test_a_turn_is_counted_under_the_names_of_livekit_agents():
    metrics = Metrics()
    metrics.observe_turn(trace(end_of_turn=0.25, transcript_final=0.3, audio_released=0.45))
    found = lines(metrics)
    assert found["lk_agents_turn_e2e_latency_seconds_sum"] == 0.45
    assert found["lk_agents_turn_end_of_turn_delay_seconds_sum"] == 0.25
    assert found["lk_agents_turn_transcription_delay_seconds_sum"] == 0.3
    assert found['rt_avatar_turn_mark_seconds_count{mark="audio_released"}'] == 1
    assert found["rt_avatar_turns_total"] == 1


def test_a_greeting_counts_as_a_turn_but_not_as_a_latency():
    metrics = Metrics()
    metrics.observe_turn(trace(plan=0.0, audio_released=0.2))
    found = lines(metrics)
    assert found["rt_avatar_turns_total"] == 1
    assert found["lk_agents_turn_e2e_latency_seconds_count"] == 0


def test_what_a_preemptive_reply_had_ready_early_counts_as_no_wait():
    metrics = Metrics()
    metrics.observe_turn(trace(plan=-0.1, end_of_turn=0.2))
    assert lines(metrics)['rt_avatar_turn_mark_seconds_sum{mark="plan"}'] == 0


def test_interruptions_and_refusals_are_counted():
    metrics = Metrics()
    metrics.observe_turn(trace(interrupted_at_s=0.0, end_of_turn=0.2))
    metrics.count_rejected("full")
    metrics.count_ended("lost")
    metrics.count_skipped("video", 3)
    found = lines(metrics)
    assert found["rt_avatar_barge_ins_total"] == 1
    assert found['rt_avatar_rejected_total{reason="full"}'] == 1
    assert found['rt_avatar_sessions_ended_total{reason="lost"}'] == 1
    assert found['rt_avatar_media_skipped_total{kind="video"}'] == 3


def test_two_servers_in_one_process_do_not_mix():
    one, other = Metrics(), Metrics()
    one.count_rejected("full")
    assert "full" not in other.exposition().decode()


async def test_work_and_the_wait_for_its_thread_are_told_apart():
    metrics, worker = Metrics(), EngineWorker("audio")
    metrics.watch_workers([worker])
    has_begun, may_end = threading.Event(), threading.Event()

    def work() -> None:
        has_begun.set()
        assert may_end.wait(10)

    async with asyncio.TaskGroup() as group:
        group.create_task(worker.call(work))
        await asyncio.to_thread(has_begun.wait, 10)
        group.create_task(worker.call(lambda: None))  # its thread is busy: this one waits
        await asyncio.sleep(0)  # from now on
        await asyncio.sleep(0.02)
        may_end.set()
    found = lines(metrics)
    assert found['rt_avatar_worker_calls_total{worker="audio"}'] == 2
    assert found['rt_avatar_worker_waiting_seconds_total{worker="audio"}'] >= 0.015
    assert found['rt_avatar_worker_busy_seconds_total{worker="audio"}'] >= 0.015
    worker.close()
