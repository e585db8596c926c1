"""The analysis of the microphone: what belongs to a window is told with it."""

import numpy as np
import pytest

from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.voice_emotion import VoiceEmotionEngine
from rt_avatar.perception.window_analysis import WindowAnalyser
from tests.engines.test_voice_emotion import voice
from tests.fakes.engines import LoudnessVad

pytestmark = pytest.mark.unit

PACKET = 320


def analysed(analyser: WindowAnalyser, pcm: np.ndarray, *, packet: int = PACKET) -> list:
    found = []
    for start in range(0, len(pcm), packet):
        part = pcm[start : start + packet]
        found += analyser.push(part, np.zeros_like(part), is_playing=False)
    return found


def analyser(*, hears_emotion: bool) -> WindowAnalyser:
    emotion = VoiceEmotionEngine().open() if hears_emotion else None
    return WindowAnalyser(LoudnessVad().open(), ProsodyEngine().open(), None, emotion)


def test_a_voice_has_an_emotion_while_it_speaks_and_at_its_end():
    sound = np.concatenate((voice(3), np.zeros(24_000, np.float32)))
    windows = analysed(analyser(hears_emotion=True), sound)
    told = [window.emotion for window in windows if window.emotion is not None]
    assert len(told) >= 2
    assert [one.is_final for one in told] == [False] * (len(told) - 1) + [True]


def test_packets_of_any_size_give_the_same_emotions():
    sound = np.concatenate((voice(2), np.zeros(24_000, np.float32)))
    one, other = (
        [window.emotion for window in analysed(analyser(hears_emotion=True), sound, packet=size)]
        for size in (320, 1_000)
    )
    count = min(len(one), len(other))
    assert one[:count] == other[:count]


def test_nobody_asked_for_emotions_hears_none():
    windows = analysed(analyser(hears_emotion=False), voice(3))
    assert windows
    assert all(window.emotion is None for window in windows)
