"""A session whose voice is an endpoint: sound, mouth and captions; barge-in; endpoint down."""

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.config.settings import TtsSettings
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.presence import PresenceEngine
from rt_avatar.engines.types import BLENDSHAPE
from rt_avatar.messages import Caption, Notice, StateChanged, Trace
from rt_avatar.tts.openai_tts import OpenAiTts
from rt_avatar.turns.turn_manager import REPLY_FAILED
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner
from tests.fakes.scripted_call import QUIET, Call, calling
from tests.fakes.speech_endpoint import Speech, SpeechServer, speech_server

pytestmark = pytest.mark.realtime

REPLY = "That sounds like a hard day. | What was it that stayed with you?"
WORDS = REPLY.replace(" |", "")
JAW = BLENDSHAPE["jawOpen"]


class JawMeter:
    """A rig that draws nothing and notes how far the mouth is open, and when (loop time)."""

    def __init__(self) -> None:
        self.jaws: list[tuple[float, float]] = []

    def open(self, look):
        return self

    def push(self, motion):
        self.jaws.append((time.monotonic(), float(motion[JAW])))
        return [np.zeros((6, 4), np.uint8)]

    def close(self):
        pass


@asynccontextmanager
async def talking(server: SpeechServer, reasoner: ScriptedReasoner, *heard: str):
    """A call on scripted recognition and a scripted reasoner; voice, mouth and face are real."""
    loop = asyncio.get_running_loop()
    engines = ScriptedEngines(*heard)
    settings = TtsSettings(kind="openai", base_url=server.url, model="m", timeout_s=5)
    engines.speech = OpenAiTts(settings)
    engines.articulator = LipsyncEngine()
    engines.presence = PresenceEngine()
    engines.rig = JawMeter()
    quiet = replace(QUIET, tts=settings)
    try:
        async with (
            asyncio.timeout(40),
            calling(loop, reasoner, engines=engines, settings=quiet) as call,
        ):
            yield call, engines.rig.jaws
    finally:
        await engines.speech.aclose()


async def until_words(call: Call, count: int) -> None:
    """Wait until so many words of the avatar were heard."""
    while True:
        if captions(call) and len(captions(call)[-1].split()) >= count:
            return
        await asyncio.sleep(0.01)


def captions(call: Call) -> list[str]:
    return [c.text for c in call.of(Caption) if c.role == "avatar"]


async def test_typed_words_are_answered_with_sound_a_moving_mouth_and_captions():
    async with (
        speech_server() as server,
        talking(server, ScriptedReasoner([REPLY])) as (call, jaws),
    ):
        call.session.send_text("I had a hard day.")
        trace = await call.until(Trace)
    loud = call.loud_after(0)
    speaking = [jaw for at, jaw in jaws if loud[0] < at < loud[-1]]
    assert max(speaking) > 0.15
    assert np.std(speaking) > 0.03
    assert max(jaw for at, jaw in jaws if at < loud[0] - 0.3) < 0.05
    assert captions(call)[-1] == WORDS
    assert all(WORDS.startswith(text) for text in captions(call))
    assert len(set(captions(call))) >= 8  # they grow with the sound
    assert trace.interrupted_at_s is None
    assert not call.of(Notice)
    assert loud[-1] - loud[0] > 2.5  # 50 letters at espeak-ng's pace, and a pause


async def test_who_speaks_over_the_reply_closes_the_request_and_hears_no_more():
    unsaid = Speech(hold=asyncio.Event(), hold_at=50)  # the server stops after 4 s
    async with (
        speech_server(unsaid) as server,
        talking(server, ScriptedReasoner([WORDS * 4, "Sorry."]), "no wait stop") as (call, _),
    ):
        call.session.send_text("I had a hard day.")
        await call.until(StateChanged, state="speaking")
        await until_words(call, 6)
        assert not server.gone.is_set()
        await call.speak(1.2)
        await server.gone.wait()
        await call.until(Trace, turn=1)
        await call.until(Caption, role="avatar", text="Sorry.", is_final=True)
    first, second = (c for c in call.of(Caption) if c.role == "avatar" and c.is_final)
    assert (WORDS * 4).startswith(first.text)
    assert second.text == "Sorry."
    assert call.of(Trace)[0].interrupted_at_s is not None
    ended_s = next(at for at, event in call.events if isinstance(event, Trace))
    again_s = next(
        at
        for at, event in call.events
        if isinstance(event, StateChanged) and (event.turn, event.state) == (2, "speaking")
    )
    assert not [at for at in call.loud_after(ended_s) if at < again_s - 0.1]
    assert server.asked[-1]["input"] == "Sorry."


async def test_with_the_endpoint_down_the_turn_ends_with_a_notice_and_the_call_lives_on(caplog):
    down = [Speech(status=503, body=b'{"detail": "loading the model"}')] * 3
    async with (
        speech_server(*down) as server,
        talking(server, ScriptedReasoner(["Yes, I am."]), "still there?") as (call, _),
    ):
        call.session.send_text("I had a hard day.")
        notice = await call.until(Notice)
        await call.until(Trace, turn=1)
        await call.until(StateChanged, turn=2, state="listening")
        assert not call.loud_after(0)
        await call.speak(1.0)  # it still listens, and answers when the endpoint is back
        await call.until(Caption, role="avatar", text="Yes, I am.", is_final=True)
    assert notice.code == "reply_failed"
    assert len(call.of(Notice)) == 1
    # The log says what failed and where; the caller, who may be anybody, does not hear of it.
    assert "503: loading the model" in caplog.text
    assert server.url in caplog.text
    assert notice.text == REPLY_FAILED


async def test_a_voice_that_breaks_off_is_heard_so_far_and_the_reasoner_is_stopped(caplog):
    script = Speech(), Speech(hold_at=20, cut=True)
    reply = " | ".join(["I hear you.", *["What was it that stayed with you the longest?"] * 20])
    async with (
        speech_server(*script) as server,
        talking(server, ScriptedReasoner([reply])) as (call, _),
    ):
        call.session.send_text("I had a hard day.")
        await call.until(Notice, code="reply_failed")
        await call.until(Trace, turn=1)
        assert "the connection was cut" in caplog.text
        final = captions(call)[-1]
        assert final.startswith("I hear you. What")
        assert len(final.split()) < 10
        assert len(server.asked) <= 3
