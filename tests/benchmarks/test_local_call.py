"""The meter of a call inside the process: a known delay is the delay reported."""

import asyncio

import pytest

from rt_avatar.benchmarks.local_call import Watched, local_call
from rt_avatar.config.settings import AvatarSettings, BudgetSettings, Settings
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner, ToneSpeech
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

SETTINGS = Settings(avatar=AvatarSettings(greeting=False), budget=BudgetSettings(enabled=False))
LONG = "one two three four five six seven eight nine ten eleven twelve"


def first_sounds_s(*thinks_s: float) -> list[float]:
    async def main(loop):
        reasoner = ScriptedReasoner([LONG])
        found = []
        async with local_call(SETTINGS, ScriptedEngines(), reasoner) as call:
            for seconds in thinks_s:
                reasoner.thinks_s = seconds
                found.append((await call.turn("hello"))[0])
        return found

    return run_virtual(main)


def test_a_known_delay_is_the_delay_reported():
    at_once, late, later = first_sounds_s(0.0, 0.2, 0.4)
    assert at_once <= 0.045  # the next tick
    assert late == pytest.approx(0.2 + 0.02, abs=0.025)  # a tick of 40 ms at most
    assert later - late == pytest.approx(0.2, abs=0.005)  # five ticks


class Breathless(ToneSpeech):
    """Needs half a second longer for its third chunk than there is."""

    def __init__(self, loop) -> None:
        super().__init__()
        self.loop = loop

    async def speak(self, voice, style, clauses, chunks, clock=None) -> None:
        begin_s = self.loop.time()
        put = chunks.put

        class Slow:
            async def put(self, chunk):
                if getattr(chunk, "start", 0) == 2 * 4800:
                    await asyncio.sleep(begin_s + 0.94 - asyncio.get_running_loop().time())
                await put(chunk)

        await super().speak(voice, style, clauses, Slow(), clock)


def test_breaks_of_the_sound_and_pictures_are_counted_while_watched():
    async def main(loop):
        engines = ScriptedEngines()
        engines.speech = Breathless(loop)
        watched = Watched(2.0)
        async with local_call(SETTINGS, engines, ScriptedReasoner([LONG], thinks_s=0.0)) as call:
            await call.turn("hello", watched)
        return watched

    watched = run_virtual(main)
    assert watched.sent == pytest.approx(50, abs=1)
    assert watched.breaks == pytest.approx(0.5 / 0.02, abs=4)  # half a second of 20 ms blocks
