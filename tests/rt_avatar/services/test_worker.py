"""Threads of engines: by deadline, in order within a stream, side by side in lanes."""

import asyncio
import threading

import pytest

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


async def test_what_work_raises_is_raised_to_who_asked(worker):
    with pytest.raises(ZeroDivisionError):
        await worker.call(divmod, 1, 0)
    assert worker.calls == 1
