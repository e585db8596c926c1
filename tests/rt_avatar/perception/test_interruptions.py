"""Voices over a reply, from the microphone's sound to what is decided, without a recogniser."""

import numpy as np
import pytest

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.types import Pcm
from rt_avatar.perception.turn_detector import WINDOW_SAMPLES, TurnDetector
from rt_avatar.perception.window_analysis import WindowAnalyser
from tests.media import recorded, sound_of

pytestmark = pytest.mark.unit

SECOND = 16_000
ROOM = 3e-4
VAD = SileroEngine()


class Caller:
    """Somebody with a headset, heard by a call's perception."""

    def __init__(self) -> None:
        self._analyser = WindowAnalyser(VAD.open(), ProsodyEngine().open())
        self._detector = TurnDetector(TurnDetectionSettings())
        self._dice = np.random.default_rng(0)
        self._wait(1.0)

    def _wait(self, seconds: float) -> None:
        self._detector.set_playing(False)
        self._hear(np.zeros(round(seconds * SECOND), np.float32))

    def _hear(self, pcm: Pcm) -> list[str]:
        heard = pcm + ROOM * self._dice.standard_normal(len(pcm)).astype(np.float32)
        playing, silence = self._detector.is_playing, np.zeros(len(pcm), np.float32)
        windows = self._analyser.push(heard, silence, is_playing=playing)
        return [event.kind for one in windows for event in self._detector.push(one.frame)]

    def speak_over_a_reply(self, voice: Pcm) -> list[str]:
        self._detector.set_playing(True)
        decided = self._hear(np.zeros(SECOND, np.float32)) + self._hear(voice)
        self._wait(2.0)
        return decided


def voice(name: str) -> Pcm:
    sound = sound_of(name)
    first = int(np.argmax(np.abs(sound) > 0.02))
    return sound[first : first + 2 * SECOND // WINDOW_SAMPLES * WINDOW_SAMPLES]


@pytest.mark.parametrize("name", ["mother", "birthday", *recorded("librivox-0880", "jfk-1961")])
def test_whoever_interrupts_again_and_again_gets_the_turn_every_time(name: str) -> None:
    caller, said = Caller(), voice(name)
    decided = [caller.speak_over_a_reply(said) for _ in range(4)]
    assert decided == [["pause_reply", "barge_in"]] * 4


@pytest.mark.parametrize("name", ["mother", "birthday", *recorded("librivox-0880")])
def test_a_voice_far_quieter_than_the_callers_ends_no_reply(name: str) -> None:
    """Somebody else in the room, 15 dB below the caller."""
    caller, said = Caller(), voice(name)
    assert "barge_in" in caller.speak_over_a_reply(said)
    assert "barge_in" not in caller.speak_over_a_reply(said * np.float32(10 ** (-15 / 20)))
    assert "barge_in" in caller.speak_over_a_reply(said)
