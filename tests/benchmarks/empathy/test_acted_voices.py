"""What a voice adds to words: it decides where they leave something open, and no more."""

import numpy as np
import pytest

from rt_avatar.benchmarks.empathy.acted_voices import affect_of, draw_voices, name_by_both
from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.text_emotion import EmotionEstimate
from rt_avatar.engines.voice_emotion import VOICE_EMOTIONS, VoiceEmotionEstimate

pytestmark = pytest.mark.unit

HEARD = {
    emotion: np.eye(len(VOICE_EMOTIONS))[[VOICE_EMOTIONS.index(emotion)]] * 0.92 + 0.01
    for emotion in ("neutral", "happy", "sad", "angry")
}


def voice(emotion: str) -> VoiceEmotionEstimate:
    return draw_voices(HEARD, [emotion])[0]


def words(**shares: float) -> EmotionEstimate:
    found = np.array([shares.get(fine, 0.0) for fine in FINE], np.float32)
    return EmotionEstimate(found, is_sure=False)


def test_a_voice_decides_what_words_leave_open():
    open_words = words(joyful=0.5, furious=0.45, jealous=0.05)
    assert name_by_both(open_words, voice("happy")) == "joyful"
    assert name_by_both(open_words, voice("angry")) == "furious"


def test_words_that_are_sure_are_not_overruled():
    assert name_by_both(words(joyful=0.999, furious=0.001), voice("angry")) == "joyful"


def test_what_nobody_acted_leaves_the_words_as_they_are():
    nothing = draw_voices(HEARD, ["contempt"])[0]
    assert len(set(nothing.probabilities)) == 1
    assert name_by_both(words(jealous=0.4, joyful=0.35, sad=0.25), nothing) == "jealous"


def test_the_same_stories_get_the_same_voices():
    asked = ["happy", "sad", "angry"] * 5
    first, second = draw_voices(HEARD, asked), draw_voices(HEARD, asked)
    assert [one.probabilities for one in first] == [one.probabilities for one in second]
    assert [one.emotion for one in first] == asked


def test_a_call_hears_an_acted_voice_behind_words_that_say_nothing():
    assert affect_of("So I went there on Monday.", voice("sad"), 1).emotion == "sad"
    assert affect_of("So I went there on Monday.", voice("neutral"), 1).emotion == "neutral"
