"""The tape knows where everything on it is."""

import wave

import numpy as np
import pytest

from rt_avatar.benchmarks.browser.tape import MicTape

pytestmark = pytest.mark.unit


def test_marks_are_where_the_utterance_is(tmp_path):
    words = np.full(24_000, 9000, np.int16)
    tape = MicTape().silence(1.25).speak(words, "one").silence(0.5).speak(words, "two").silence(1)
    with wave.open(str(tape.write(tmp_path / "tape.wav"))) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (48_000, 1, 2)
        pcm = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    loud = np.flatnonzero(pcm == 9000) / 48_000
    first, second = tape.spoken
    assert (first.name, first.start_s, first.end_s) == ("one", 1.25, 1.75)
    assert (second.start_s, second.end_s) == (2.25, 2.75)
    assert loud[0] == first.start_s
    assert loud[-1] == pytest.approx(second.end_s, abs=1 / 40_000)
    assert tape.length_s == len(pcm) / 48_000 == 3.75
    assert (tape.pcm == pcm).all()


def test_silence_is_a_quiet_room_and_not_digital_zero():
    room = MicTape().silence(25).pcm / 32768
    assert -75 < 20 * np.log10(np.sqrt(np.mean(room**2))) < -65
    assert (room[:480] != 0).any()
    assert (room[-480:] != 0).any()
