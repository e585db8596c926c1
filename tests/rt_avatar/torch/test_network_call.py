"""A call whose voice and face are the network's: sound, pictures, captions; barge-in; failure."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import numpy as np
import pytest

from rt_avatar.config.settings import LlmSettings, TtsSettings
from rt_avatar.engines.empatheia.live_face import LiveFace
from rt_avatar.engines.empatheia.live_motion import LiveMotion
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.live_voice import LiveVoice
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.motion.channels import MOUTH, SHAPES
from rt_avatar.engines.motion.presence import PresenceEngine
from rt_avatar.engines.types import VoiceStyle
from rt_avatar.messages import Caption, Notice, Plan, StateChanged, Trace
from rt_avatar.reasoner.factory import make_reasoner
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner
from rt_avatar.services.network import NetworkLlm
from rt_avatar.tts.service import LocalTts
from tests.fakes.engines import ScriptedEngines, ScriptedReasoner
from tests.fakes.scripted_call import QUIET, calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.networks

FACE_PX = 64
# Untrained, a sound lasts half a second and a reply means nothing: few words, said fast.
OPTIONS = EmpatheiaOptions(
    chain_tokens=4, reply_tokens=6, temperature=1.0, speed=2.0, lookahead_frames=0
)


@dataclass
class Shown:
    """One picture: when (loop time), how the mouth was moved, how it looks."""

    at_s: float
    mouth: np.ndarray
    planes: np.ndarray


class Watched:
    """A renderer whose pictures are kept."""

    def __init__(self, renderer, loop) -> None:
        self._renderer, self._loop = renderer, loop
        self.shown: list[Shown] = []

    def open(self, look):
        self._stream = self._renderer.open(look)
        return self

    def push(self, motion):
        (planes,) = self._stream.push(motion)
        self.shown.append(Shown(self._loop.time(), motion[:SHAPES][MOUTH].copy(), planes))
        return [planes]

    def close(self):
        self._stream.close()


@asynccontextmanager
async def talking(loop, network, make, *heard: str):
    """A call on scripted recognition; voice, motion and pictures are the network's."""
    engines = ScriptedEngines(*heard)
    styles = LiveStyles(network)
    engines.speech = LocalTts(LiveVoice(network, styles, OPTIONS), engines.voice_worker)
    engines.articulator = LiveMotion(network, styles, OPTIONS)
    engines.presence = PresenceEngine()
    encoded = np.random.default_rng(1).integers(0, 255, (FACE_PX, FACE_PX, 3), dtype=np.uint8)
    engines.rig = Watched(LiveFace(network, FACE_PX, lambda look: encoded), loop)
    settings = replace(QUIET, tts=TtsSettings(kind="empatheia"))
    async with calling(loop, make(engines), engines=engines, settings=settings) as call:
        yield call, engines


def captions(call) -> list[str]:
    return [c.text for c in call.of(Caption) if c.role == "avatar"]


async def until_words(call, count: int) -> None:
    """Wait until so many words of the avatar were heard."""
    while True:
        if captions(call) and len(captions(call)[-1].split()) >= count:
            return
        await asyncio.sleep(0.02)


def began_s(call) -> float:
    return next(
        at for at, e in call.events if isinstance(e, StateChanged) and e.state == "speaking"
    )


def assert_seen_and_heard(call, engines) -> None:
    """Check that a reply has sounded, and that its mouth left its rest in pictures of that size.

    Untrained, a mouth does not follow the sounds: it holds what the weights make of any.
    """
    shown, from_s = engines.rig.shown, began_s(call)
    assert call.loud_after(from_s - 0.1)
    assert not [at for at in call.loud_after(0) if at < from_s - 0.1]
    speaking = np.stack([each.mouth for each in shown if each.at_s > from_s + 0.2])
    silent = np.stack([each.mouth for each in shown if each.at_s < from_s - 0.1])
    assert silent.std(axis=0).max() < 0.05
    assert np.abs(speaking.mean(axis=0) - silent.mean(axis=0)).max() > 0.2
    assert speaking.std(axis=0).max() > 0
    assert {each.planes.shape for each in shown} == {(FACE_PX * 3 // 2, FACE_PX)}


def test_words_of_rules_are_spoken_and_shown_by_the_network(network):
    async def main(loop):
        async with talking(loop, network, lambda _: ReflectiveReasoner()) as (call, engines):
            call.session.send_text("I lost my job.")
            await until_words(call, 3)
            call.session.interrupt()
            await call.until(Trace)
            return call, engines

    call, engines = run_virtual(main)
    assert_seen_and_heard(call, engines)
    texts = captions(call)
    assert len(set(texts)) >= 3  # they grow with the sound
    assert all(texts[-2].startswith(text) for text in texts[:-1])
    assert not call.of(Notice)
    assert call.of(StateChanged)[-1].state == "listening"


def test_who_speaks_over_it_silences_it_and_shuts_its_mouth_and_is_answered(network):
    said = f"So be it{', so be it' * 9}."

    async def main(loop):
        reasoner = ScriptedReasoner([said, "Oh."])
        async with talking(loop, network, lambda _: reasoner, "no wait stop") as (call, engines):
            call.session.send_text("Hello.")
            await until_words(call, 9)  # sooner, the caller had not finished
            onset_s = loop.time()
            await call.speak(1.2)
            await call.until(Trace, turn=1)
            await call.until(Caption, role="avatar", text="Oh.", is_final=True)
            return call, engines, onset_s, reasoner

    call, engines, onset_s, reasoner = run_virtual(main)
    first = call.of(Trace)[0]
    assert first.interrupted_at_s is not None
    again_s = [
        at for at, e in call.events
        if isinstance(e, StateChanged) and (e.turn, e.state) == (2, "speaking")
    ]  # fmt: skip
    quiet_s = onset_s + 0.5
    assert not [at for at in call.loud_after(quiet_s) if at < again_s[0] - 0.1]
    still = [s.mouth for s in engines.rig.shown if quiet_s + 0.2 < s.at_s < again_s[0] - 0.1]
    assert np.stack(still).std(axis=0).max() < 0.05
    heard = reasoner.requests[-1].history[-1]
    assert heard.was_interrupted
    assert said.startswith(heard.text)
    assert heard.text.startswith("So")


def test_reasoner_voice_and_face_are_one_network(network):
    contents: list[bool] = []

    class Noted(LiveMotion):
        def open(self):
            stream = super().open()
            push = stream.push

            def noted(item):
                contents.append(item.chunk.contents is not None)
                return push(item)

            stream.push = noted
            return stream

    async def main(loop):
        def make(engines):
            engines.network_llm = NetworkLlm(network, OPTIONS, engines.recogniser_worker)
            engines.articulator = Noted(network, LiveStyles(network), OPTIONS)
            return make_reasoner(
                LlmSettings(kind="empatheia"), engines.metrics, engines.network_llm
            )

        async with talking(loop, network, make) as (call, engines):
            call.session.send_text("My dog ran away this morning.")
            await until_words(call, 1)
            await asyncio.sleep(1.0)
            call.session.interrupt()
            await call.until(Trace)
            return call, engines

    call, engines = run_virtual(main)
    assert_seen_and_heard(call, engines)
    (plan,) = call.of(Plan)
    assert plan.voice.vector.shape == (1, 256)
    assert plan.face.vector.shape == (1, 192)
    assert contents
    assert all(contents)
    assert not call.of(Notice)


def test_a_style_of_another_network_ends_the_reply_with_a_notice_and_not_the_call(network, caplog):
    class Foreign(ScriptedReasoner):
        async def reply(self, request):
            async for item in super().reply(request):
                if isinstance(item, Plan) and len(self.requests) == 1:
                    item = replace(item, voice=VoiceStyle(vector=np.zeros((1, 3), np.float32)))
                yield item

    async def main(loop):
        reasoner = Foreign(["Oh.", "So."])
        async with talking(loop, network, lambda _: reasoner) as (call, _):
            call.session.send_text("Hello.")
            await call.until(Notice)
            call.session.send_text("And now?")
            await call.until(Caption, role="avatar", text="So.", is_final=True)
            return call

    call = run_virtual(main)
    (notice,) = call.of(Notice)
    assert notice.code == "reply_failed"
    assert "expected a vector (1, 256); got (1, 3)" in caplog.text
