"""What nobody foresaw ends a reply, a thought or a look at the caller; never the call."""

import asyncio
import logging

import numpy as np
import pytest

from rt_avatar.messages import Caption, Notice, StateChanged, Trace
from rt_avatar.turns.turn import APOLOGY
from rt_avatar.turns.turn_manager import REPLY_FAILED
from tests.fakes.engines import (
    NoFace,
    ScriptedEngines,
    ScriptedReasoner,
    ScriptedRecogniser,
    StillMotion,
    ToneSpeech,
)
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit


def odd() -> None:
    """Fail as nobody expects it."""
    {}["a mistake in somebody's code"]


class OddVoice(ToneSpeech):
    async def speak(self, voice, style, clauses, chunks, clock=None):
        if self.fails:
            odd()
        await super().speak(voice, style, clauses, chunks, clock)


class OddMotion(StillMotion):
    fails = True

    def push(self, item):
        if self.fails:
            odd()
        return super().push(item)


class OddRecogniser(ScriptedRecogniser):
    fails = True

    def push(self, pcm):
        if self.fails:
            odd()
        return super().push(pcm)


class OddSight(NoFace):
    def push(self, image):
        odd()


class OddHearing:
    """Hears neither the end of a turn nor an emotion: both kinds of networks of the voice."""

    early_cost = 1.0

    def open(self):
        return self

    def push(self, item):
        odd()

    def begin_turn(self):
        """Nothing was kept."""

    def close(self):
        """Nothing is held."""


def fail_once(part: str):
    """A call in which one part of the first turn fails; the second turn has none of it."""

    async def main(loop):
        engines = ScriptedEngines("hello.", "still there?")
        reasoner = ScriptedReasoner(
            ["Fine."], error=KeyError("odd") if part == "reasoner" else None
        )
        engines.speech = OddVoice()
        engines.speech.fails = part == "voice"
        if part == "motion":
            engines.articulator = OddMotion()
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(1.0)
            await call.until(Trace, turn=1)
            reasoner.error = None
            engines.speech.fails = False
            if part == "motion":
                engines.articulator.fails = False
            await call.speak(1.0)
            await call.until(Trace, turn=2)
            return call

    return run_virtual(main)


@pytest.mark.parametrize("part", ["reasoner", "voice", "motion"])
def test_an_error_of_any_type_ends_the_reply_with_words_and_the_call_lives(part, caplog):
    call = fail_once(part)
    assert [(notice.code, notice.text) for notice in call.of(Notice)] == [
        ("reply_failed", REPLY_FAILED)
    ]
    said = [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final]
    assert said == ([APOLOGY] if part == "reasoner" else []) + ["Fine."]
    told = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert told
    assert all("KeyError" in str(record.exc_info) for record in told)


def test_a_cancelled_reply_that_fails_at_that_moment_is_cancelled_and_the_call_lives():
    class FailsWhenCancelled(ScriptedReasoner):
        async def reply(self, request):
            try:
                async for item in super().reply(request):
                    yield item
            except asyncio.CancelledError:
                odd()

    async def main(loop):
        reasoner = FailsWhenCancelled(["Fine."], thinks_s=2.0)
        async with calling(loop, reasoner, "hello.") as call:
            await call.speak(1.0)
            await call.until(StateChanged, state="thinking")
            call.session.interrupt()
            await call.until(Trace)
            reasoner.thinks_s = 0.05
            call.session.send_text("are you there?")
            await call.until(Trace, turn=2)
            return call

    call = run_virtual(main)
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final] == ["Fine."]


def test_a_thought_that_fails_while_the_caller_speaks_does_not_cost_the_reply(caplog):
    class OddThoughts(ScriptedReasoner):
        async def listen(self, so_far):
            odd()

    async def main(loop):
        async with calling(loop, OddThoughts(["Fine."]), "hello.") as call:
            await call.speak(1.0)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final] == ["Fine."]
    assert "KeyError" in str([record.exc_info for record in caplog.records])


def test_a_recogniser_that_fails_loses_the_words_of_one_utterance_and_tells_the_log_once(caplog):
    async def main(loop):
        engines = ScriptedEngines()
        engines.recogniser = OddRecogniser("still there?")
        async with calling(loop, ScriptedReasoner(["Fine."]), engines=engines) as call:
            await call.speak(1.5)
            await call.until(Trace, turn=1)
            engines.recogniser.fails = False
            await call.speak(1.0)
            await call.until(Trace, turn=2)
            return call

    call = run_virtual(main)
    assert [r.transcript.text for r in call.reasoner.requests][-1] == "still there?"
    assert [record.levelno for record in caplog.records].count(logging.ERROR) == 1


def test_sight_that_fails_leaves_the_call_without_sight_and_tells_the_log_once(caplog):
    async def main(loop):
        engines = ScriptedEngines("hello.")
        engines.face_cues = OddSight()
        async with calling(loop, ScriptedReasoner(["Fine."]), engines=engines) as call:
            for _ in range(8):
                call.session.media_input.push_image_nowait(np.zeros((4, 4, 3), np.uint8))
                await asyncio.sleep(0.3)
            await call.speak(1.0)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final] == ["Fine."]
    assert [record.levelno for record in caplog.records].count(logging.ERROR) == 1


@pytest.mark.parametrize("network", ["end_of_turn", "voice_emotion"])
def test_a_network_of_the_voice_that_fails_leaves_the_call_to_rules_and_tells_the_log_once(
    network, caplog
):
    async def main(loop):
        engines = ScriptedEngines("hello.", "still there?")
        setattr(engines, network, OddHearing())
        async with calling(loop, ScriptedReasoner(["Fine."]), engines=engines) as call:
            for turn in (1, 2):
                await call.speak(1.0)
                await call.until(Trace, turn=turn)
            return call

    call = run_virtual(main)
    assert [r.transcript.text for r in call.reasoner.requests][-1] == "still there?"
    assert [record.levelno for record in caplog.records].count(logging.ERROR) == 1
    assert "KeyError" in caplog.text


def test_a_voice_that_cannot_be_prepared_while_the_caller_speaks_leaves_the_call_alive(caplog):
    class Unprepared(ToneSpeech):
        async def prepare(self):
            odd()

    async def main(loop):
        engines = ScriptedEngines("hello.")
        engines.speech = Unprepared()
        async with calling(loop, ScriptedReasoner(["Fine."]), engines=engines) as call:
            await call.speak(1.0)
            await call.until(Trace)
            return call

    assert run_virtual(main).of(Notice)
    assert "KeyError" in caplog.text
