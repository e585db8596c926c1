"""Threads of engines: by deadline, in order within a stream, side by side in lanes."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Sequence

import pytest

from rt_avatar.services import worker as workers
from rt_avatar.services.worker import EngineWorker

pytestmark = pytest.mark.unit


@pytest.fixture
def worker():
    made = EngineWorker("test")
    yield made
    made.close()


class Gate:
    """Work that lasts until it is let go."""

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self._may_end = threading.Event()

    def __call__(self) -> None:
        self.has_begun.set()
        assert self._may_end.wait(10)

    async def begun(self) -> None:
        assert await asyncio.to_thread(self.has_begun.wait, 10)

    def open(self) -> None:
        self._may_end.set()


async def order(worker: EngineWorker, *deadlines: tuple[str, float | None]) -> str:
    """Ask for calls while the thread is busy; return their names in the order of doing."""
    done: list[str] = []
    gate = Gate()
    first = worker.start(gate)
    await gate.begun()
    calls = [worker.start(done.append, name, deadline_s=due_s) for name, due_s in deadlines]
    gate.open()
    await asyncio.gather(first, *calls)
    return "".join(done)


async def test_the_earliest_deadline_is_first(worker):
    assert await order(worker, ("a", 30.0), ("b", 10.0), ("c", 20.0)) == "bca"


async def test_calls_without_a_deadline_are_done_as_they_came(worker):
    assert await order(worker, ("a", None), ("b", None), ("c", None)) == "abc"


async def test_calls_of_one_deadline_keep_their_order(worker):
    assert await order(worker, ("a", 5.0), ("b", 5.0), ("c", 5.0)) == "abc"


async def test_what_is_due_later_waits_for_what_is_due_now(worker):
    later_s = asyncio.get_running_loop().time() + 1
    assert await order(worker, ("a", later_s), ("b", None)) == "ba"


async def test_lanes_work_side_by_side_and_count_as_one(worker):
    lanes = [worker.lane(), worker.lane()]
    meeting = threading.Barrier(2, timeout=10)  # nobody passes alone
    await asyncio.gather(*(lane.call(meeting.wait) for lane in lanes))
    assert worker.calls == 2
    for lane in lanes:
        lane.close()


async def test_a_call_that_nobody_awaits_any_more_is_not_begun(worker):
    done: list[str] = []
    gate = Gate()
    first = worker.start(gate)
    await gate.begun()
    dropped = worker.start(done.append, "dropped")
    kept = worker.start(done.append, "kept")
    dropped.cancel()
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(first, kept)
    assert done == ["kept"]


async def test_closing_waits_for_nothing_if_told_and_drops_what_waits():
    worker = EngineWorker("test")
    gate = Gate()
    first = worker.start(gate)
    await gate.begun()
    waiting = worker.start(lambda: None)
    worker.close(wait=False)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.open()
    await first


LEAVING = """
import asyncio, threading
from rt_avatar.services.worker import EngineWorker

begun, left = threading.Event(), threading.Event()

def work():
    begun.set()
    assert left.wait(10)
    print("whole")

async def main():
    EngineWorker("test").start(work)
    assert await asyncio.to_thread(begun.wait, 10)

asyncio.run(main())
left.set()
"""


def test_a_program_that_ends_without_closing_lets_work_finish():
    run = subprocess.run(
        [sys.executable, "-c", LEAVING], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.stdout, run.stderr, run.returncode) == ("whole\n", "", 0)


async def test_a_closed_worker_takes_no_call():
    worker = EngineWorker("test")
    await worker.call(int)
    worker.close()
    with pytest.raises(RuntimeError, match="closed"):
        worker.start(int)


async def test_what_work_raises_is_raised_to_who_asked(worker):
    with pytest.raises(ZeroDivisionError):
        await worker.call(divmod, 1, 0)
    assert worker.calls == 1


# --- batches ------------------------------------------------------------------------------------
MAX_BATCH = 4


class Doubling:
    """An engine that works for any number of streams at once; a stream is a list of numbers."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    def run(self, streams: Sequence[list[int]]) -> list[int]:
        self.batches.append([stream[-1] for stream in streams])
        return [2 * stream[-1] for stream in streams]


async def ask(worker, function, items, deadlines=None, max_batch=MAX_BATCH):
    """Ask for all items while the thread is busy; return the tasks and what lets the thread go."""
    gate = Gate()
    worker.start(gate)
    await gate.begun()
    tasks = [
        asyncio.ensure_future(worker.call_batched(function, item, max_batch, deadline_s))
        for item, deadline_s in zip(items, deadlines or [None] * len(items), strict=True)
    ]
    await asyncio.sleep(0)
    return tasks, gate


async def test_what_waits_for_one_function_is_done_in_one_run(worker):
    engine, done = Doubling(), []
    tasks, gate = await ask(worker, engine.run, [[1], [2], [3]], (30.0, 10.0, 20.0))
    other = worker.start(done.append, "other", deadline_s=15.0)
    gate.open()
    assert await asyncio.gather(*tasks) == [2, 4, 6]  # each its own
    await other
    assert engine.batches == [[2, 3, 1]]
    assert done == ["other"]
    assert worker.calls == 5


async def test_a_full_batch_is_of_the_earliest_deadlines(worker):
    engine = Doubling()
    tasks, gate = await ask(
        worker, engine.run, [[1], [2], [3], [4], [5]], (50.0, 10.0, 40.0, 20.0, 30.0), max_batch=2
    )
    gate.open()
    assert await asyncio.gather(*tasks) == [2, 4, 6, 8, 10]
    assert engine.batches == [[2, 4], [5, 3], [1]]


async def test_an_engine_that_takes_no_batches_gets_none(worker):
    engine = Doubling()
    tasks, gate = await ask(worker, engine.run, [[1], [2]], max_batch=1)
    gate.open()
    await asyncio.gather(*tasks)
    assert engine.batches == [[1], [2]]


async def test_a_stream_alone_waits_for_nobody(worker, monkeypatch):
    monkeypatch.setattr(workers, "BATCH_WAIT_S", 60.0)
    engine, stream = Doubling(), [2]
    async with asyncio.timeout(30):
        for _ in range(3):
            assert await worker.call_batched(engine.run, stream, MAX_BATCH) == 4
    assert engine.batches == [[2], [2], [2]]


async def test_two_streams_go_on_together_and_not_in_turns(worker, monkeypatch):
    monkeypatch.setattr(workers, "BATCH_WAIT_S", 60.0)
    engine, streams = Doubling(), ([0], [0])
    tasks, gate = await ask(worker, engine.run, streams)

    async def go_on(stream: list[int], task: asyncio.Task[int]) -> None:
        assert await task == 0
        for number in range(1, 20):
            stream.append(number)
            assert await worker.call_batched(engine.run, stream, MAX_BATCH) == 2 * number

    gate.open()
    async with asyncio.timeout(30):
        await asyncio.gather(*map(go_on, streams, tasks))
    assert engine.batches == [[number, number] for number in range(20)]


async def test_a_stream_that_has_ended_is_not_waited_for_without_end(worker):
    engine, streams = Doubling(), ([1], [2])
    tasks, gate = await ask(worker, engine.run, streams)
    gate.open()
    await asyncio.gather(*tasks)
    async with asyncio.timeout(30):
        for _ in range(3):
            await worker.call_batched(engine.run, streams[1], MAX_BATCH)
    assert engine.batches == [[1, 2], [2], [2], [2]]


async def test_other_work_is_not_kept_waiting_for_a_batch(worker, monkeypatch):
    monkeypatch.setattr(workers, "BATCH_WAIT_S", 60.0)
    engine, streams = Doubling(), ([1], [2])
    tasks, gate = await ask(worker, engine.run, streams)
    gate.open()
    await asyncio.gather(*tasks)
    async with asyncio.timeout(30):
        going_on = asyncio.ensure_future(worker.call_batched(engine.run, streams[0], MAX_BATCH))
        await asyncio.sleep(0)
        await worker.call(lambda: None)  # of the second stream, which cannot come before it is done
        assert await going_on == 2


async def test_what_a_batch_raises_is_raised_to_all_of_it(worker):
    def broken(streams: Sequence[int]) -> list[int]:
        raise ValueError(f"{len(streams)} streams")

    tasks, gate = await ask(worker, broken, [1, 2])
    gate.open()
    for task in tasks:
        with pytest.raises(ValueError, match="2 streams"):
            await task


async def test_what_one_stream_raises_is_raised_to_it_alone(worker):
    def half_broken(streams: Sequence[int]) -> list[int | Exception]:
        return [ValueError("odd") if stream % 2 else stream for stream in streams]

    tasks, gate = await ask(worker, half_broken, [1, 2])
    gate.open()
    with pytest.raises(ValueError, match="odd"):
        await tasks[0]
    assert await tasks[1] == 2


async def test_a_batch_without_a_result_for_each_leaves_nobody_waiting(worker):
    tasks, gate = await ask(worker, lambda streams: streams[1:], [1, 2])
    gate.open()
    for task in tasks:
        with pytest.raises(ValueError, match="shorter"):
            await task


async def test_who_gave_up_is_not_in_the_batch(worker):
    engine = Doubling()
    (given_up, kept), gate = await ask(worker, engine.run, [[1], [2]])
    given_up.cancel()
    await asyncio.sleep(0)
    gate.open()
    assert await kept == 4
    assert engine.batches == [[2]]


async def test_who_gave_up_is_not_waited_for(worker, monkeypatch):
    monkeypatch.setattr(workers, "BATCH_WAIT_S", 60.0)
    engine, running = Doubling(), Gate()

    def slow(streams: Sequence[list[int]]) -> list[int]:
        if not engine.batches:
            running()
        return engine.run(streams)

    streams = ([1], [2])
    (given_up, kept), gate = await ask(worker, slow, streams)
    gate.open()
    await running.begun()
    given_up.cancel()
    running.open()
    async with asyncio.timeout(30):
        assert await kept == 4
        assert await worker.call_batched(slow, streams[1], MAX_BATCH) == 4
    assert engine.batches == [[1, 2], [2]]
