"""Recordings are aligned with their words, or refused."""

import wave
from pathlib import Path

import numpy as np
import pytest
import soxr

from rt_avatar.engines.espeak._library import Settings, load_library
from rt_avatar.engines.espeak.clause import speak_clause
from rt_avatar.engines.training.lipsync.phones import phone
from rt_avatar.engines.training.lipsync.recordings import read_recordings
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ

pytestmark = pytest.mark.unit


def write(folder: Path, name: str, text: str, rate_hz: int = INPUT_RATE_HZ) -> None:
    clause = speak_clause(load_library(), "the baby may come home", Settings("f2", 130, 50, 50))
    assert clause is not None
    pcm = soxr.resample(clause.pcm, SPEECH_RATE_HZ, rate_hz)
    with wave.open(str(folder / f"{name}.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes((pcm * 20_000).astype(np.int16).tobytes())
    (folder / f"{name}.txt").write_text(text, encoding="utf-8")


def test_the_words_get_their_times(tmp_path: Path):
    write(tmp_path, "one", "the baby may come home")
    (speech,) = read_recordings(tmp_path).values()
    named = [p.ipa for p in speech.phonemes if p.ipa]
    assert named[2:6] == ["b", "eɪ", "b", "iː"]
    assert all(p.end > p.start for p in speech.phonemes)
    assert speech.phonemes[-1].end <= len(speech.pcm)


def test_words_are_found_as_they_are_written(tmp_path: Path):
    write(tmp_path, "one", "The baby may come home.")
    (speech,) = read_recordings(tmp_path).values()
    assert [p.ipa for p in speech.phonemes if p.ipa][2:6] == ["b", "eɪ", "b", "iː"]


def test_a_word_that_nobody_knows_is_told_with_its_file(tmp_path: Path):
    write(tmp_path, "one", "the zzyzxq may come home")
    with pytest.raises(ValueError, match="one: expected a recording of 'the zzyzxq may come home'"):
        read_recordings(tmp_path)


def test_another_rate_is_refused(tmp_path: Path):
    write(tmp_path, "one", "the baby may come home", rate_hz=22_050)
    with pytest.raises(ValueError, match="expected 16000 Hz mono; got 22050"):
        read_recordings(tmp_path)


def test_what_is_no_sound_is_a_pause():
    assert phone("SIL", 0, 10).ipa == ""
    assert phone("+NOISE+", 0, 10).ipa == ""
    assert phone("CH", 0, 10).ipa == "tʃ"
