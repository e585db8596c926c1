"""A forgotten call ends by itself, after a notice; who is there is not cut off."""

import asyncio
from dataclasses import replace

import pytest

from rt_avatar.config.server_settings import ServerSettings
from rt_avatar.config.settings import Settings
from rt_avatar.messages import Notice, Trace
from tests.fakes.engines import ScriptedReasoner
from tests.fakes.scripted_call import QUIET, Call, calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit


def limited(**limits: float) -> Settings:
    return replace(QUIET, server=ServerSettings(**limits))


async def until_over(call: Call) -> float:
    """Wait until the session has ended by itself; return the loop time."""
    await asyncio.wait({call.running}, timeout=300)
    assert call.running.done(), "nothing ended the call within 300 s"
    return call.loop.time()


async def talk(call: Call) -> None:
    """Type every two seconds, until cancelled."""
    while True:
        call.session.send_text("and?")
        await asyncio.sleep(2)


def notices(call: Call) -> list[tuple[float, str]]:
    return [(at, e.text) for at, e in call.events if isinstance(e, Notice)]


def test_a_silent_call_ends_after_a_notice():
    async def main(loop):
        async with calling(
            loop, ScriptedReasoner(["Yes."]), settings=limited(max_idle_s=20)
        ) as call:
            begun_s = loop.time()
            over_s = await until_over(call)
            return call, over_s - begun_s

    call, lasted_s = run_virtual(main)
    assert call.running.result() == "idle"
    assert lasted_s == pytest.approx(19.5, abs=0.2)
    ((at_s, text),) = notices(call)
    assert "5 seconds" in text
    assert [event.code for event in call.of(Notice)] == ["ending_soon"]
    assert at_s == pytest.approx(1000 + 15, abs=0.2)


@pytest.mark.parametrize("way", ["speech", "text"])
def test_who_speaks_or_types_after_the_notice_stays_and_silence_counts_anew(way):
    async def main(loop):
        settings = limited(max_idle_s=20)
        async with calling(loop, ScriptedReasoner(["Yes."]), "hello.", settings=settings) as call:
            await call.until(Notice)
            if way == "speech":
                await call.speak(1.0)
            else:
                call.session.send_text("still here")
            await call.until(Trace)
            active_s = loop.time()
            return call, await until_over(call) - active_s

    call, lasted_s = run_virtual(main)
    assert 18 < lasted_s <= 20
    assert len(notices(call)) == 2


def test_a_call_ends_at_its_longest_time_however_active_the_caller_is():
    async def main(loop):
        settings = limited(max_call_s=30, max_idle_s=0)
        async with calling(loop, ScriptedReasoner(["Yes."]), settings=settings) as call:
            talking = asyncio.ensure_future(talk(call))
            try:
                return call, await until_over(call)
            finally:
                talking.cancel()

    call, over_s = run_virtual(main)
    assert call.running.result() == "time_over"
    assert over_s == pytest.approx(1030, abs=2.1)
    assert len(notices(call)) == 1


def test_without_limits_a_call_goes_on_until_somebody_hangs_up():
    async def main(loop):
        settings = limited(max_call_s=0, max_idle_s=0)
        async with calling(loop, ScriptedReasoner(["Yes."]), settings=settings) as call:
            await asyncio.sleep(120)
            assert not call.running.done()
            call.session.hang_up()
            await until_over(call)
            return call

    call = run_virtual(main)
    assert call.running.result() == "hang_up"
    assert notices(call) == []
