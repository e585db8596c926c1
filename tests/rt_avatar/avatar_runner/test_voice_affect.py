"""A face that has only a voice to go by feels a little of what it hears, and never a grimace."""

import numpy as np
import pytest

from rt_avatar.avatar_runner.voice_affect import VoiceAffect
from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import CHUNK_SAMPLES, FaceStyle, VoiceStyle

pytestmark = pytest.mark.unit

TEXT = "We went down to the river and looked at the boats for a long while. " * 2


def spoken(engine: EspeakEngine, style: VoiceStyle) -> list[np.ndarray]:
    stream = engine.open("young_female")
    chunks = [*stream.push(SpeechRequest(TEXT, style, 0)), *stream.flush()]
    stream.close()
    return [chunk.pcm for chunk in chunks]


def test_a_voice_that_turns_lively_looks_glad_and_one_that_sinks_looks_concerned():
    engine = EspeakEngine()
    plain = spoken(engine, VoiceStyle())
    lively = spoken(engine, VoiceStyle(pitch=1.35, volume=1.3, rate=1.2))
    low = spoken(engine, VoiceStyle(pitch=0.72, volume=0.4, rate=0.8))

    def felt(changed: list[np.ndarray]) -> list[FaceStyle]:
        feeling = VoiceAffect()
        return [feeling.push(pcm) for pcm in (*plain, *changed)][len(plain) :]

    glad, concerned = felt(lively), felt(low)
    assert glad[-1].emotion == "happy"
    assert concerned[-1].emotion == "sad"
    shown = [style.intensity for style in (*glad, *concerned) if style.emotion != "neutral"]
    assert max(shown) <= 0.3  # half of what a style shows that is given


def test_silence_is_neutral():
    feeling = VoiceAffect()
    styles = {feeling.push(np.zeros(CHUNK_SAMPLES, np.float32)) for _ in range(20)}
    assert styles == {FaceStyle()}
