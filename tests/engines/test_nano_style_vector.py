"""S^s and S^v of nano: a vector is spoken and shown as the style that it was written of."""

from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.llm.profile import PROFILES
from rt_avatar.engines.motion import style_vector as face
from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.nano_tts.engine import SHIPPED, manner_of
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.style_vector import (
    SIZE,
    read_vector,
    toned,
    voice_of,
    write_vector,
)
from rt_avatar.engines.nano_tts.voices import VOICES
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import EMOTIONS, FaceStyle, VoiceStyle

pytestmark = pytest.mark.unit

TEXT = "I am so glad to hear that."


@pytest.fixture(scope="module")
def model():
    return NanoModel(SHIPPED)


@pytest.fixture(scope="module")
def encoded(model):
    """What the encoder gave, by whoever asked."""

    def guide(states, tokens, who):
        return model.encode(tokens, who) * np.float32(states.mean())

    return guide


@pytest.mark.parametrize("voice", VOICES)
def test_a_vector_is_read_as_it_was_written(model, voice):
    for emotion in EMOTIONS:
        style = VoiceStyle(emotion, 0.8, rate=0.95, pitch=1.05, pitch_range=0.9, volume=0.9)
        read = read_vector(write_vector(model.speaker, voice, style))
        person = VOICES[voice]
        wanted = manner_of(person, model.speaker(person.speakers), style)
        assert np.allclose(read.speaker.acoustic, wanted.speaker.acoustic, atol=1e-6)
        assert read.delivery.pitch == pytest.approx(wanted.delivery.pitch, rel=1e-4)
        for name in ("rate", "pitch_range", "formant", "jitter"):
            asked = getattr(wanted.delivery, name)
            assert getattr(read.delivery, name) == pytest.approx(asked, rel=1e-4)
        assert read.delivery.voiced == pytest.approx(wanted.delivery.voiced, abs=1e-6)
        assert read.volume == pytest.approx(wanted.volume, abs=0.006)
        assert np.allclose(read.timbre_db, wanted.timbre_db or 0.0, atol=0.051)


def test_whatever_a_network_gives_is_a_voice(model):
    wild = read_vector(np.full(SIZE, 40.0, np.float32))
    assert 0.6 <= wild.delivery.rate <= 1.7
    assert 0.85 <= wild.delivery.formant <= 1.25
    with pytest.raises(ValueError, match="expected 256 finite numbers"):
        read_vector(np.full(SIZE, np.nan, np.float32))
    with pytest.raises(ValueError, match=r"got \(255,\)"):
        read_vector(np.zeros(SIZE - 1, np.float32))


def test_every_profile_has_its_own_voice_and_tone(model):
    assert {voice_of(profile) for profile in PROFILES} == set(VOICES)
    rows = [
        write_vector(model.speaker, voice_of(one), toned(VoiceStyle("sad", 0.5), one.tone))
        for one in PROFILES
    ]
    assert len({row.tobytes() for row in rows}) == len(PROFILES)


def test_a_guided_voice_says_vector_and_states_and_others_do_not(model, encoded):
    style = VoiceStyle("sad", 0.5, rate=0.9)
    vector = write_vector(model.speaker, "young_female", style)
    plain, guided = NanoEngine(), NanoEngine(guide=encoded)

    def said(engine, style, states=None):
        chunks = engine.open("young_female").push(SpeechRequest(TEXT, style, 0, states))
        return np.concatenate([chunk.pcm for chunk in chunks])

    asked = said(plain, style)
    by_vector = replace(VoiceStyle("angry", 1.0), vector=vector[None])
    spoken = said(guided, by_vector)
    assert len(spoken) == len(asked)
    assert np.abs(spoken - asked).max() < 1e-3
    assert not np.array_equal(said(plain, by_vector), asked)  # another network's vector
    own = np.ones((4, 8), np.float32)
    assert np.array_equal(said(guided, style, own), asked)  # the same contents
    assert np.array_equal(said(plain, style, 2 * own), asked)
    other = said(guided, style, 2 * own)
    assert len(other) != len(asked) or not np.array_equal(other, asked)


def test_a_clause_too_long_for_the_guide_is_said_whole_by_its_words():
    style, states = VoiceStyle("sad", 0.5), np.ones((4, 8), np.float32)
    request = SpeechRequest("Call 0800 1111 777, or text 741741.", style, 0, states)
    said, asked = (
        engine.open("young_female").push(request)
        for engine in (NanoEngine(guide=lambda *_: None), NanoEngine())
    )
    for mine, theirs in zip(said, asked, strict=True):
        assert mine.words == theirs.words
        assert np.array_equal(mine.pcm, theirs.pcm)


def test_a_face_is_read_as_it_was_written():
    for emotion in EMOTIONS:
        if emotion == "neutral":
            continue
        read = face.read_vector(face.write_vector(FaceStyle(emotion, 0.55)))
        assert (read.emotion, read.intensity) == (emotion, pytest.approx(0.55))
    nothing = face.read_vector(face.write_vector(FaceStyle("neutral", 0.4)))
    assert nothing.emotion == "neutral"
