import pytest

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.nano_tts.emotions import actors_prosody
from rt_avatar.engines.tts_prosody import prosody_of
from rt_avatar.reasoner.styles import NEUTRAL, TIMBRES, response_style, with_timbre

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("fine", FINE)
@pytest.mark.parametrize("intensity", [-1.0, 0.0, 0.5, 1.0, 7.0])
def test_every_style_is_within_what_a_voice_and_a_face_can_do(fine, intensity):
    for timbre in ("", *TIMBRES):
        style = with_timbre(response_style(fine, intensity), timbre)
        assert 0 <= style.voice.intensity <= 1
        assert 0.6 <= style.voice.rate <= 1.5
        assert 0.7 <= style.voice.pitch <= 1.4
        assert 0 <= style.voice.pitch_range <= 2
        assert 0 <= style.voice.volume <= 1.3
        assert 0 <= style.face.intensity <= 1


def test_sadness_gets_slow_compassion_by_its_strength_alone_and_joy_is_shared():
    sad, happy = response_style("sad"), response_style("joyful")
    assert sad.face.emotion == "sad"
    assert (sad.voice.rate, sad.voice.pitch, sad.voice.pitch_range) == (1, 1, 1)
    for prosody in (actors_prosody, prosody_of):
        compassion, joy = prosody(sad.voice), prosody(happy.voice)
        assert compassion.rate < 0.95 < joy.rate
        assert compassion.pitch_range < 0.8 < 1.2 < joy.pitch_range
    assert happy.face.emotion == "happy"


def test_anger_and_fear_are_not_mirrored():
    for fine in ("furious", "angry", "terrified"):
        assert response_style(fine).face.emotion not in ("angry", "fear", "happy")
        assert response_style(fine).voice.rate < 1


def test_a_stronger_feeling_is_answered_more_strongly():
    assert response_style("sad", 0.2).face.intensity < response_style("sad", 0.9).face.intensity


def test_the_voice_moves_from_its_own_manner_as_far_as_the_feeling_is_strong():
    slight, strong = (response_style("devastated", at).voice for at in (0.0, 1.0))
    for name in ("rate", "pitch", "pitch_range", "volume"):
        assert 1 - getattr(slight, name) == pytest.approx((1 - getattr(strong, name)) / 2)


def test_no_feeling_is_met_with_friendly_attention():
    assert response_style(None) == NEUTRAL
    assert NEUTRAL.face.emotion == "happy"
