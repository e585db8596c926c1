"""The end of every utterance is known; recordings of any kind are read."""

import wave
from pathlib import Path

import av
import numpy as np
import pytest

from rt_avatar.benchmarks.speech import MIN_S, load_utterances, quiet_runs, read_recording, trim
from rt_avatar.errors import BadInputError
from tests.media import MADE, folder_of, speech_folder

pytestmark = pytest.mark.unit

RATE = 48_000


def voice(seconds: float) -> np.ndarray:
    at = np.arange(int(seconds * RATE))
    return (9000 * np.sin(2 * np.pi * 150 * at / RATE)).astype(np.int16)


def room(seconds: float) -> np.ndarray:
    return np.random.default_rng(1).normal(0, 20, int(seconds * RATE)).astype(np.int16)


def write(path: Path, pcm: np.ndarray, rate: int = RATE) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(pcm.tobytes())
    return path


def test_an_utterance_begins_and_ends_with_voice(tmp_path) -> None:
    write(tmp_path / "a.wav", np.concatenate([room(0.7), voice(1.3), room(0.5)]))
    (utterance,) = load_utterances(tmp_path)
    assert (utterance.name, utterance.variant, utterance.begin) == ("a", "plain", 0)
    assert utterance.end == len(utterance.pcm) == pytest.approx(1.3 * RATE, abs=480)


def test_a_click_behind_the_voice_is_not_its_end() -> None:
    click = voice(0.01)
    trimmed = trim(np.concatenate([voice(1.0), room(0.3), click, room(0.2)]))
    assert len(trimmed) == pytest.approx(1.0 * RATE, abs=480)


def test_a_second_of_silence_makes_two_utterances_of_one_recording(tmp_path) -> None:
    write(tmp_path / "a.wav", np.concatenate([voice(1.5), room(1.1), voice(0.9)]))
    first, second = load_utterances(tmp_path)
    assert (first.name, second.name) == ("a-1", "a-2")
    assert len(first.pcm) == pytest.approx(1.5 * RATE, abs=480)
    assert len(second.pcm) == pytest.approx(0.9 * RATE, abs=480)


def test_a_shorter_silence_is_a_pause_of_one_utterance(tmp_path) -> None:
    write(tmp_path / "a.wav", np.concatenate([voice(1.5), room(0.9), voice(0.9)]))
    (utterance,) = load_utterances(tmp_path)
    ((begin, end),) = quiet_runs(utterance.pcm)
    assert begin == pytest.approx(1.5 * RATE, abs=480)
    assert end - begin == pytest.approx(0.9 * RATE, abs=960)


def test_words_are_read_from_beside_the_recording(tmp_path) -> None:
    write(tmp_path / "a.wav", voice(1.0))
    (tmp_path / "a.txt").write_text("so it\nwas")
    assert load_utterances(tmp_path)[0].text == "so it was"


def test_a_folder_of_words_too_short_for_a_turn_is_refused(tmp_path) -> None:
    write(tmp_path / "yes.wav", voice(0.4))
    with pytest.raises(BadInputError, match=r"a voice of 0\.8 s or more"):
        load_utterances(tmp_path)


@pytest.mark.parametrize("words", ["caf\u00e9".encode("latin-1"), b" \n"])
def test_words_that_are_no_text_or_none_are_told_with_their_file(tmp_path, words: bytes) -> None:
    write(tmp_path / "a.wav", voice(1.0))
    (tmp_path / "a.txt").write_bytes(words)
    with pytest.raises(BadInputError, match=r"a\.txt: expected"):
        load_utterances(tmp_path)


def test_flac_of_any_rate_is_read(tmp_path) -> None:
    path = tmp_path / "a.flac"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("flac", rate=16_000, layout="stereo")
        samples = np.repeat(voice(1.0)[::3], 2)[None]
        frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="stereo")
        frame.sample_rate = 16_000
        container.mux([*stream.encode(frame), *stream.encode(None)])
    pcm = read_recording(path)
    assert len(pcm) == pytest.approx(RATE, abs=100)
    assert np.abs(pcm).max() == pytest.approx(9000, rel=0.05)


def test_a_folder_without_recordings_is_refused(tmp_path) -> None:
    with pytest.raises(BadInputError, match="expected recordings"):
        load_utterances(tmp_path)


def test_a_file_without_voice_is_refused_by_name(tmp_path) -> None:
    write(tmp_path / "empty.wav", np.zeros(RATE, np.int16))
    with pytest.raises(BadInputError, match="empty"):
        load_utterances(tmp_path)


@pytest.mark.parametrize("samples", [0, 10, 479])
def test_a_file_shorter_than_a_window_is_refused_by_name(tmp_path, samples) -> None:
    write(tmp_path / "short.wav", np.full(samples, 9_000, np.int16))
    with pytest.raises(BadInputError, match="short"):
        load_utterances(tmp_path)


def test_a_file_that_is_no_sound_is_refused_by_name(tmp_path) -> None:
    (tmp_path / "text.wav").write_text("no sound")
    with pytest.raises(BadInputError, match=r"text\.wav"):
        load_utterances(tmp_path)


def test_sentences_are_spoken_where_there_is_no_folder() -> None:
    made = load_utterances(None)
    assert len(made) >= 5
    assert all(one.end == len(one.pcm) > MIN_S * RATE and one.text for one in made)


def test_a_folder_of_speech_is_read_with_its_words(tmp_path) -> None:
    made = load_utterances(speech_folder(tmp_path))
    assert {one.name: one.text for one in made} == {name: text for name, (_, text) in MADE.items()}


@pytest.mark.recordings
def test_real_recordings_are_read() -> None:
    names = [one.name for one in load_utterances(folder_of("speech"))]
    assert {"librivox-0870", "librivox-0880", "librivox-0890", "jfk-1961-1"} <= set(names)


def test_applause_behind_the_voice_is_not_its_end(tmp_path) -> None:
    applause = np.random.default_rng(2).normal(0, 2500, RATE).astype(np.int16)
    write(tmp_path / "a.wav", np.concatenate([voice(1.5), room(0.3), applause]))
    (utterance,) = load_utterances(tmp_path)
    assert utterance.end == pytest.approx(1.5 * RATE, abs=480)


def test_a_consonant_without_voice_belongs_to_the_end(tmp_path) -> None:
    hiss = np.random.default_rng(2).normal(0, 1500, int(0.2 * RATE)).astype(np.int16)
    write(tmp_path / "a.wav", np.concatenate([voice(1.5), hiss, room(0.4)]))
    (utterance,) = load_utterances(tmp_path)
    assert utterance.end == pytest.approx(1.7 * RATE, abs=480)
