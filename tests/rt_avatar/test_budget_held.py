"""Slow stages in a whole conversation, in virtual time: what is given up, what the trace says."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.config.settings import BudgetSettings
from rt_avatar.messages import Trace
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner, StillMotion
from tests.fakes.scripted_call import QUIET, calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

HELD = replace(QUIET, budget=BudgetSettings())


class SlowChain(ScriptedReasoner):
    """Thinks for two seconds when it has to think anew, else answers at once."""

    async def reply(self, request):
        self.thinks_s = 2.0 if request.effort.has_fresh_chain else 0.05
        async for item in super().reply(request):
            yield item


def test_a_reply_whose_chain_takes_too_long_goes_on_without_it():
    async def main(loop):
        async with calling(loop, SlowChain(["I hear you."]), "i went home", settings=HELD) as call:
            end_s = await call.speak(1.0)
            trace = await call.until(Trace)
            return call.loud_after(end_s)[0] - end_s, trace, call.reasoner

    first_sound_s, trace, reasoner = run_virtual(main)
    assert first_sound_s < 1.0  # two seconds of thinking were cut short
    assert trace.degradation_steps == ("no_fresh_chain",)
    assert [request.effort.has_fresh_chain for request in reasoner.requests] == [True, False]
    assert reasoner.cancelled == 1


def test_later_turns_do_not_wait_for_the_chain_at_all_and_then_it_is_tried_again():
    async def main(loop):
        async with calling(loop, SlowChain(["I hear you."]), settings=HELD) as call:
            for number in range(6):
                call.session.send_text(f"and {number}")
                await call.until(Trace, turn=number + 1)
            return call

    call = run_virtual(main)
    asked = [request.effort.has_fresh_chain for request in call.reasoner.requests]
    # Cut short once; three turns without; tried again (and cut short); without.
    assert asked == [True, False, False, False, False, True, False, False]


class SlowRig(StillMotion):
    """Each picture takes the loop's time as a slow thread would."""

    def __init__(self, loop) -> None:
        self.loop = loop
        self.picture_s = 0.0
        self.drawn = 0

    def push(self, item):
        if not hasattr(item, "chunk") and not hasattr(item, "speech"):
            self.loop.stall(self.picture_s)
            self.drawn += 1
            return [np.full((6, 4), self.drawn % 200, np.uint8)]
        return super().push(item)


class RestlessPresence(StillMotion):
    """Moves in every tick, so that every picture has to be drawn."""

    ticks = 0

    def push(self, item):
        self.ticks += 1
        return [np.full(73, self.ticks % 3, np.float32)]


def test_slow_pictures_halve_what_is_drawn_but_not_what_is_sent():
    async def main(loop):
        engines = ScriptedEngines()
        engines.rig = rig = SlowRig(loop)
        engines.presence = presence = RestlessPresence()
        async with calling(loop, ScriptedReasoner(["x"]), engines=engines, settings=HELD) as call:
            rig.picture_s = 0.055
            await asyncio.sleep(5)  # long enough for a second of pictures to be judged
            before = (rig.drawn, call.session.statistics(), presence.ticks)
            await asyncio.sleep(4)
            after = (rig.drawn, call.session.statistics(), presence.ticks)
            return before, after

    before, after = run_virtual(main)
    drawn = after[0] - before[0]
    assert 45 <= drawn <= 52  # half of 25 a second
    assert after[1].pictures - before[1].pictures >= 98
    assert after[2] - before[2] == pytest.approx(100, abs=3)  # the face lives at its own pace


def test_a_typed_turn_in_time_has_no_degradation_steps():
    async def main(loop):
        async with calling(loop, ScriptedReasoner(["I hear you."]), settings=HELD) as call:
            call.session.send_text("hello")
            return await call.until(Trace)

    assert run_virtual(main).degradation_steps == ()
