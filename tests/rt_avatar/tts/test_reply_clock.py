"""When what was said waits no longer for what is late."""

import asyncio

import pytest

from rt_avatar.tts.reply_clock import SETTLE_S, ReplyClock
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit


async def until_late(clock: ReplyClock, rest_s: float = 0.0) -> float:
    """Wait for what never comes; return the loop time at which that was late."""
    with pytest.raises(TimeoutError):
        async with clock.in_time(rest_s):
            await asyncio.Event().wait()
    return asyncio.get_running_loop().time()


def test_what_was_said_waits_until_shortly_before_it_is_over():
    async def main(loop):
        begin_s, clock = loop.time(), ReplyClock()
        for _ in range(10):
            clock.note_chunk()
        return await until_late(clock, rest_s=0.1) - begin_s

    assert run_virtual(main) == pytest.approx(2.1 - SETTLE_S)


def test_what_follows_a_stall_waits_from_then_on():
    async def main(loop):
        clock = ReplyClock()
        for _ in range(5):
            clock.note_chunk()
        await asyncio.sleep(3)
        stalled_until_s = loop.time()
        for _ in range(5):
            clock.note_chunk()
        return await until_late(clock) - stalled_until_s

    assert run_virtual(main) == pytest.approx(1.0 - SETTLE_S)


@pytest.mark.parametrize("held_s", [0.0, 0.5, 60.0])
def test_a_reply_that_is_held_back_waits_until_shortly_before_it_is_over(held_s):
    async def main(loop):
        clock = ReplyClock(is_released=False)
        for _ in range(5):
            clock.note_chunk()
        loop.call_later(held_s, clock.release)
        released_s = loop.time() + held_s
        return await until_late(clock, rest_s=0.1) - released_s

    assert run_virtual(main) == pytest.approx(1.1 - SETTLE_S)


def test_a_reply_that_is_released_while_nobody_waits_is_heard_from_then_on():
    async def main(loop):
        clock = ReplyClock(is_released=False)
        for _ in range(5):
            clock.note_chunk()
        await asyncio.sleep(1)
        clock.release()
        await asyncio.sleep(0.2)
        begin_s = loop.time()
        for _ in range(5):
            clock.note_chunk()
        return clock.due_s - begin_s, await until_late(clock) - begin_s

    assert run_virtual(main) == (pytest.approx(1.8), pytest.approx(1.8 - SETTLE_S))
