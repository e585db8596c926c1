"""A session whose reasoner or voice fails: what the caller hears, and that the call lives on."""

import asyncio

import pytest

from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.errors import EngineError, ReasonerError
from rt_avatar.messages import (
    Caption,
    Notice,
    StateChanged,
    Trace,
)
from rt_avatar.queues import END
from rt_avatar.tts.service import LocalTts
from rt_avatar.turns.turn_manager import REPLY_FAILED
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner, ToneSpeech
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

FAILED = ("reply_failed", REPLY_FAILED)  # what failed is told to the log alone


def test_a_failing_reasoner_gets_an_apology_and_the_avatar_listens_on():
    async def main(loop):
        reasoner = ScriptedReasoner(["Fine."], error=ReasonerError("the model is away"))
        async with calling(loop, reasoner, "hello", "still there?") as call:
            await call.speak(1.0)
            await call.until(Trace)
            reasoner.error = None
            await call.speak(1.0)
            await call.until(Caption, role="avatar", text="Fine.", is_final=True)
            return call

    call = run_virtual(main)
    said = [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final]
    assert said[0].startswith("I'm sorry")
    assert [(notice.code, notice.text) for notice in call.of(Notice)] == [FAILED]


def test_a_failing_voice_ends_the_reply_with_a_notice_and_not_the_call():
    async def main(loop):
        engines = ScriptedEngines("hello", "again")
        engines.speech.fails = True
        reasoner = ScriptedReasoner(["Fine."])
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(1.0)
            await call.until(Notice)
            engines.speech.fails = False
            await call.speak(1.0)
            await call.until(Caption, role="avatar", text="Fine.", is_final=True)
            return call

    call = run_virtual(main)
    assert [(notice.code, notice.text) for notice in call.of(Notice)] == [FAILED]


def test_a_reply_in_a_script_that_the_voice_cannot_read_is_told_and_not_just_silence():
    async def main(loop):
        engines = ScriptedEngines()
        engines.speech = LocalTts(NanoEngine(), engines.voice_worker)
        reasoner = ScriptedReasoner(["Привет, как дела?", "Fine."])
        async with calling(loop, reasoner, engines=engines) as call:
            call.session.send_text("hello")
            await call.until(Trace)
            call.session.send_text("again")
            await call.until(Caption, role="avatar", text="Fine.", is_final=True)
            return call

    call = run_virtual(main)
    assert [(notice.code, notice.text) for notice in call.of(Notice)] == [FAILED]


def test_a_preemptive_reply_that_failed_is_made_again_when_the_turn_ends():
    class FailsOnce(ToneSpeech):
        async def speak(self, *args):
            self.fails = not self.calls
            self.calls += 1
            await super().speak(*args)

        calls = 0

    async def main(loop):
        engines = ScriptedEngines("hello")
        engines.speech = FailsOnce()
        reasoner = ScriptedReasoner(["Fine."], thinks_s=0.01)
        async with calling(loop, reasoner, engines=engines) as call:
            await call.speak(1.0)
            await call.until(Trace)
            return call, engines.speech.calls

    call, calls = run_virtual(main)
    assert calls == 2
    assert not call.of(Notice)
    assert [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final] == ["Fine."]


def test_what_a_voice_said_before_it_failed_is_heard():
    class Breaks(ToneSpeech):
        async def speak(self, voice, style, clauses, chunks, clock=None):
            spoken = asyncio.Queue(maxsize=50)
            only = asyncio.Queue(maxsize=2)
            only.put_nowait(await clauses.get())
            only.put_nowait(END)
            await super().speak(voice, style, only, spoken, clock)
            while (chunk := spoken.get_nowait()) is not END:
                await chunks.put(chunk)
            raise EngineError("voice", "cut off")

    async def main(loop):
        engines = ScriptedEngines("hello")
        engines.speech = Breaks()
        many = " | ".join(["One two three."] * 20)  # more clauses than any queue holds
        async with calling(loop, ScriptedReasoner([many]), engines=engines) as call:
            await call.speak(1.0)
            await call.until(Trace)
            return call

    call = run_virtual(main)
    assert [(notice.code, notice.text) for notice in call.of(Notice)] == [FAILED]
    said = [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final]
    assert said == ["One two three."]
    assert len(call.loud_after(0)) * 0.02 == pytest.approx(0.9, abs=0.1)
    assert call.of(StateChanged)[-1].state == "listening"
