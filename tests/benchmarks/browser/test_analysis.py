"""Delays that were put in are the delays that are found."""

import numpy as np
import pytest

from rt_avatar.benchmarks.browser.analysis import (
    first_mouth_motion,
    first_sound,
    locate_tape,
)
from rt_avatar.benchmarks.browser.readings import between
from rt_avatar.benchmarks.browser.tape import MicTape
from tests.benchmarks.browser.known import PICTURE_S, RATE_HZ, heard, seen, speech

pytestmark = pytest.mark.unit

TAPE = MicTape().silence(1)
for seed in (1, 2):
    TAPE.speak((speech(2.5, seed) * 32767).astype(np.int16), f"words {seed}").silence(1.5)


def played(delay_s: float) -> np.ndarray:
    """The tape as samples, that much later: what a perfect microphone hears."""
    return np.concatenate([np.zeros(round(delay_s * RATE_HZ)), TAPE.pcm / 32768])


@pytest.mark.parametrize(("index", "delay_s"), [(0, 0.0), (1, 0.1371), (0, 0.5003), (1, 1.23456)])
def test_an_utterance_is_located_to_a_millisecond(index, delay_s):
    spoken = TAPE.spoken[index]
    found = locate_tape(heard(played(delay_s)), TAPE.pcm, spoken)
    assert found.start_s == pytest.approx(spoken.start_s + delay_s, abs=1e-3)
    assert found.end_s == pytest.approx(spoken.end_s + delay_s, abs=1e-3)


def test_gain_control_and_noise_do_not_move_it():
    pcm = played(0.1371)
    rising = pcm * np.linspace(0.5, 2, len(pcm))
    noise = np.random.default_rng(0).normal(0, 0.02, len(pcm))
    spoken = TAPE.spoken[1]
    found = locate_tape(heard(rising + noise), TAPE.pcm, spoken)
    assert found.start_s == pytest.approx(spoken.start_s + 0.1371, abs=1e-3)
    assert found.end_s == pytest.approx(spoken.end_s + 0.1371, abs=1e-3)


def test_a_microphone_that_slips_within_an_utterance_moves_its_end_alone():
    spoken, slip_s = TAPE.spoken[0], 0.0213
    cut = round((spoken.start_s + 1.6) * RATE_HZ)
    pcm = TAPE.pcm / 32768
    slipped = np.concatenate([pcm[:cut], np.zeros(round(slip_s * RATE_HZ)), pcm[cut:]])
    found = locate_tape(heard(slipped), TAPE.pcm, spoken, near_s=spoken.start_s)
    assert found.start_s == pytest.approx(spoken.start_s, abs=1e-3)
    assert found.end_s == pytest.approx(spoken.end_s + slip_s, abs=1e-3)


def test_blocks_that_the_browser_left_out_move_nothing():
    sound, spoken = heard(played(0.1371)), TAPE.spoken[0]
    kept = np.ones(len(sound.at_s), bool)
    kept[700:720] = False
    with_gap = type(sound)(sound.at_s[kept], sound.peak[kept], sound.rms[kept])
    found = locate_tape(with_gap, TAPE.pcm, spoken)
    assert found.end_s == pytest.approx(spoken.end_s + 0.1371, abs=1e-3)


def test_what_was_not_said_or_not_to_its_end_is_not_found():
    first, second = TAPE.spoken
    only_first = between(heard(played(0)), 0, second.start_s - 0.1)
    cut = between(heard(played(0)), 0, first.start_s + 1)
    assert locate_tape(only_first, TAPE.pcm, second) is None
    assert locate_tape(cut, TAPE.pcm, first) is None
    assert locate_tape(between(cut, 90, 99), TAPE.pcm, first) is None


def test_it_is_searched_only_near_where_it_is_expected():
    sound, spoken = heard(played(0.1371)), TAPE.spoken[0]
    assert locate_tape(sound, TAPE.pcm, spoken, near_s=spoken.start_s + 3) is None
    assert locate_tape(sound, TAPE.pcm, spoken, near_s=spoken.start_s + 0.5) is not None


def burst(*parts: tuple[float, float], length_s: float = 3.0) -> np.ndarray:
    """A room with a 300 Hz tone in each part (begin and end in seconds)."""
    at_s = np.arange(round(length_s * RATE_HZ)) / RATE_HZ
    pcm = np.random.default_rng(0).normal(0, 3e-4, len(at_s))
    for begin_s, end_s in parts:
        inside = (at_s >= begin_s) & (at_s < end_s)
        pcm[inside] += 0.1 * np.cos(2 * np.pi * 300 * (at_s[inside] - begin_s))
    return pcm


@pytest.mark.parametrize("begin_s", [1.0, 1.00031, 1.00117, 1.00205])
def test_sound_begins_to_the_millisecond(begin_s):
    sound = heard(burst((begin_s, begin_s + 0.5)))
    assert first_sound(sound, 0.2) == pytest.approx(begin_s, abs=1e-3)


def test_what_was_before_does_not_count():
    sound = heard(burst((0.1, 0.4), (1.0, 1.2), (1.3, 1.6)))
    assert first_sound(sound, 0.5) == pytest.approx(1.0, abs=1e-3)
    assert first_sound(sound, 0.2) == pytest.approx(0.2, abs=3e-3)  # already audible


def test_what_did_not_happen_is_none():
    assert first_sound(heard(burst()), 0) is None


def idle(pictures: int) -> np.ndarray:
    """The mouth of a face that breathes and blinks: what idle faces reached in calls, 0.0054."""
    return np.abs(np.random.default_rng(0).normal(0, 0.0018, pictures)).clip(0, 0.0054)


def test_a_mouth_moves_with_the_first_picture_that_shows_it_open():
    mouth = idle(100)
    mouth[60:80] = 0.04
    assert first_mouth_motion(seen(mouth), 1.0) == pytest.approx(60 * PICTURE_S)
    assert first_mouth_motion(seen(mouth), 61.5 * PICTURE_S) == pytest.approx(62 * PICTURE_S)


def test_an_idle_face_does_not_move_its_mouth():
    assert first_mouth_motion(seen(idle(2000)), 0) is None
