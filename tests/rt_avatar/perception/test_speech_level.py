"""Loudness corrects the voice network at the ends of a voice."""

import pytest

from rt_avatar.engines.prosody import ProsodyFrame
from rt_avatar.perception.speech_level import LIKELY, NOISE_WINDOWS, SURE, SpeechLevel

pytestmark = pytest.mark.unit


def frame(energy_db: float, *, is_hum: bool = False, f0_hz: float | None = None) -> ProsodyFrame:
    return ProsodyFrame(0, energy_db, f0_hz, None, is_hum, 0.0)


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


NO = (0.1, False)
GUESS = (LIKELY, True)


def test_the_tail_that_the_network_still_calls_speech_is_silence(level):
    assert level.weigh(0.9, frame(-55), is_over_reply=False) == (0.0, False)


def test_speech_stays_speech(level):
    assert level.weigh(0.9, frame(-30), is_over_reply=True) == (0.9, False)


def test_over_a_reply_the_second_loud_window_is_a_guess_until_the_network_agrees(level):
    assert weigh(level, -28, -25, -24) == [NO, GUESS, GUESS]
    assert level.weigh(0.7, frame(-24), is_over_reply=True) == (0.7, False)


def test_what_is_as_loud_as_the_caller_and_has_a_pitch_is_surely_a_voice(level):
    pitched = [frame(energy_db, f0_hz=140.0) for energy_db in (-28, -25, -24)]
    answers = [level.weigh(0.1, one, is_over_reply=True) for one in pitched]
    assert answers == [NO, (SURE, True), (SURE, True)]
    assert level.weigh(0.55, frame(-24, f0_hz=140.0), is_over_reply=True) == (SURE, False)
    assert level.weigh(0.55, frame(-24, f0_hz=140.0), is_over_reply=False) == (0.55, False)


def test_how_far_a_voice_is_below_the_callers_own_is_known(level):
    assert level.below_voice_db(-35) == pytest.approx(14.4, abs=0.1)  # 1 dB a second is forgotten
    assert level.below_voice_db(-10) == 0


def test_without_a_reply_the_network_decides_alone(level):
    assert weigh(level, -28, -25, -24, over=False) == [NO, NO, NO]


def test_a_hum_a_click_and_a_quiet_sound_are_no_guess(level):
    silent = (0.0, False)
    assert weigh(level, -25, -25, -25, hum=True) == [NO, NO, NO]
    assert weigh(level, -25, -60, -25, -60) == [NO, silent, NO, silent]
    assert weigh(level, -40, -40, -40) == [NO, NO, NO]


def test_loudness_that_the_network_never_calls_a_voice_becomes_the_room_at_once(level):
    answers = weigh(level, *[-28.0] * (NOISE_WINDOWS + 20))
    assert answers[:NOISE_WINDOWS] == [NO] + [GUESS] * (NOISE_WINDOWS - 1)
    assert answers[NOISE_WINDOWS:] == [NO] * 20


def test_after_a_noise_the_room_is_quiet_again_at_once(level):
    weigh(level, *[-28.0] * 40, -60.0)
    assert weigh(level, -28, -25)[1] == GUESS


def test_before_the_caller_has_spoken_nothing_is_taken_for_their_voice():
    level = SpeechLevel()
    for _ in range(100):
        level.weigh(0.0, frame(-60), is_over_reply=False)
    assert weigh(level, -20, -20, -20) == [NO, NO, NO]
