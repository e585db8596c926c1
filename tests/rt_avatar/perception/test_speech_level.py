"""Loudness corrects the voice network at the ends of a voice."""

import pytest

from engines.prosody import ProsodyFrame
from rt_avatar.perception.speech_level import LIKELY, SpeechLevel

pytestmark = pytest.mark.unit


def frame(energy_db: float, *, is_hum: bool = False) -> ProsodyFrame:
    return ProsodyFrame(0, energy_db, None, None, is_hum, 0.0)


@pytest.fixture
def level() -> SpeechLevel:
    """A caller who has spoken at −20 dBFS in a room of −60."""
    level = SpeechLevel()
    for _ in range(500):
        level.weigh(0.0, frame(-60), is_over_reply=False)
    for _ in range(20):
        level.weigh(0.95, frame(-20), is_over_reply=False)
    for _ in range(20):
        level.weigh(0.0, frame(-60), is_over_reply=False)
    return level


def weigh(level: SpeechLevel, *energies: float, over: bool = True, hum: bool = False):
    return [level.weigh(0.1, frame(e, is_hum=hum), is_over_reply=over) for e in energies]


def test_the_tail_that_the_network_still_calls_speech_is_silence(level):
    assert level.weigh(0.9, frame(-55), is_over_reply=False) == 0.0


def test_speech_stays_speech(level):
    assert level.weigh(0.9, frame(-30), is_over_reply=True) == 0.9


def test_over_a_reply_the_second_loud_window_is_likely_speech(level):
    assert weigh(level, -28, -25, -24) == [0.1, LIKELY, LIKELY]


def test_without_a_reply_the_network_decides_alone(level):
    assert weigh(level, -28, -25, -24, over=False) == [0.1, 0.1, 0.1]


def test_a_hum_a_click_and_a_quiet_sound_are_not_likely_speech(level):
    assert weigh(level, -25, -25, -25, hum=True) == [0.1, 0.1, 0.1]
    assert weigh(level, -25, -60, -25, -60) == [0.1, 0.0, 0.1, 0.0]
    assert weigh(level, -40, -40, -40) == [0.1, 0.1, 0.1]


def test_a_noise_that_stays_becomes_the_room(level):
    answers = weigh(level, *[-28.0] * 400)
    assert answers[1] == LIKELY
    assert answers[-1] == 0.1


def test_before_the_caller_has_spoken_nothing_is_taken_for_their_voice():
    level = SpeechLevel()
    for _ in range(100):
        level.weigh(0.0, frame(-60), is_over_reply=False)
    assert weigh(level, -20, -20, -20) == [0.1, 0.1, 0.1]
