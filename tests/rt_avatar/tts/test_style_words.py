"""A style in the words of a speech endpoint."""

import pytest

from rt_avatar.engines.espeak import VOICES
from rt_avatar.engines.types import EMOTIONS, VoiceStyle
from rt_avatar.personas import PERSONAS
from rt_avatar.tts.style_words import VOICE_NAMES, instructions_of, speed_of

pytestmark = pytest.mark.unit


def test_every_persona_has_a_name_and_no_man_shares_one_with_a_woman():
    assert set(VOICE_NAMES) == set(VOICES)
    names = {
        gender: {VOICE_NAMES[p.voice] for p in PERSONAS.values() if p.gender == gender}
        for gender in ("female", "male")
    }
    assert not names["female"] & names["male"]


def test_every_emotion_asks_for_something_else():
    assert len({instructions_of(VoiceStyle(emotion)) for emotion in EMOTIONS}) == len(EMOTIONS)


def test_strength_pitch_range_and_volume_are_said_in_words():
    mild = instructions_of(VoiceStyle("sad", 0.2, pitch=0.9))
    strong = instructions_of(VoiceStyle("sad", 0.9, pitch_range=1.3, volume=0.8))
    assert "slightly sad" in mild
    assert "lower pitch" in mild
    assert "very sad" in strong
    assert "lively intonation, a soft voice" in strong


def test_speed_follows_rate_and_emotion_within_the_bounds_of_the_api():
    assert speed_of(VoiceStyle()) == 1.0
    assert speed_of(VoiceStyle("sad", 1.0)) < 0.9 < speed_of(VoiceStyle(rate=1.2))
    assert speed_of(VoiceStyle(rate=9.0)) == 4.0
    assert speed_of(VoiceStyle(rate=0.01)) == 0.25
