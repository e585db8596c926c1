"""Rows and recordings become turns: the last silence is the end, and a bad row says what is bad."""

import base64
import json
import wave
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.benchmarks.endpointing.benchmark import spread
from rt_avatar.benchmarks.endpointing.track import TrackMaker, patient_detector, silences_of
from rt_avatar.benchmarks.endpointing.turns import read_recordings, read_rows, turn_from_recording
from rt_avatar.engines.end_of_turn import EndOfTurnEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit

RATE = 16_000
ROW = {
    "id": "a",
    "language": "en",
    "audio": "a.wav",
    "silence_spans": [{"start": 0.4, "end": 0.9}, {"start": 0.95, "end": 1.0},
                      {"start": 1.5, "end": 2.0}],
    "words": [{"word": "well", "start": 0.1, "end": 0.4},
              {"word": "thanks", "start": 0.9, "end": 1.4}],
    "messages": [],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pcm = (1000 * np.random.default_rng(0).normal(size=2 * RATE)).astype("<i2")
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(pcm.tobytes())
    return tmp_path


def rows(folder: Path, *lines: object) -> list:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
    (folder / "rows.jsonl").write_text(text, encoding="utf-8")
    return list(read_rows(folder / "rows.jsonl"))


def test_a_row_is_a_turn_that_ends_with_its_last_silence(folder: Path):
    (turn,) = rows(folder, ROW)
    assert turn.name == "a"
    assert turn.end_s == 1.5
    assert turn.silences[:-1] == ((0.4, 0.9),)  # the other one is shorter than 100 ms
    assert len(turn.pcm) >= (1.5 + 3.2) * RATE - 1  # what is waited goes on behind it


def test_the_sound_of_a_row_is_the_same_in_every_form(folder: Path):
    packed = base64.b64encode((folder / "a.wav").read_bytes()).decode()
    (by_path,) = rows(folder, ROW)
    samples = by_path.pcm[: 2 * RATE].tolist()
    forms = [
        {"path": "a.wav"},
        {"bytes": packed, "path": None},
        {"array": samples, "sampling_rate": RATE},
    ]
    for turn in rows(folder, *(ROW | {"audio": audio} for audio in forms)):
        assert np.allclose(turn.pcm[: 3 * RATE // 2], by_path.pcm[: 3 * RATE // 2], atol=1e-4)


def test_words_of_a_row_are_told_half_a_second_after_they_end(folder: Path):
    (turn,) = rows(folder, ROW)
    track = TrackMaker(SileroEngine(), EndOfTurnEngine(), None).make(turn)
    told = {round(index * 0.032, 1): text for index, (text, _) in track.words.items()}
    assert told == {0.9: "well", 1.9: "well thanks"}


def test_every_silence_of_a_turn_is_scored_in_steps_until_it_ends(folder: Path):
    (turn,) = rows(folder, ROW)
    track = TrackMaker(SileroEngine(), EndOfTurnEngine(), None).make(turn)
    hold, end = silences_of(track, 7, patient_detector())
    assert (hold.turn, hold.is_end, end.is_end) == (7, False, True)
    assert len(hold.scores) == 16
    assert len(end.scores) == 100


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2"),
        ("[]", "line 2"),
        ({**ROW, "audio": "b.wav"}, "b.wav"),
        ({key: value for key, value in ROW.items() if key != "audio"}, "no 'audio'"),
        ({**ROW, "silence_spans": []}, "no silence span"),
        ({**ROW, "silence_spans": [{"start": 1.0}]}, "no 'end'"),
        ({**ROW, "silence_spans": [{"start": 1.0, "end": 0.5}]}, "out of order"),
        ({**ROW, "silence_spans": [{"start": 9.0, "end": 9.5}]}, "outside"),
        ({**ROW, "words": [{"start": 0.0, "end": 0.1}]}, "no 'text'"),
    ],
)
def test_a_bad_row_is_refused_with_its_line_and_what_was_expected(
    folder: Path, line: object, complaint: str
):
    with pytest.raises(BadInputError, match="expected") as refused:
        rows(folder, ROW, line)
    assert complaint in str(refused.value)


def test_a_folder_without_recordings_is_refused(tmp_path: Path):
    with pytest.raises(BadInputError, match="found none"):
        read_recordings(tmp_path)


def test_a_recording_without_a_voice_is_refused_by_name(folder: Path):
    with pytest.raises(BadInputError, match=r"a\.wav: expected a voice"):
        turn_from_recording(folder / "a.wav", SileroEngine())


def test_fewer_turns_are_spread_over_all():
    assert spread(list(range(100)), 3) == [0, 49, 99]
    assert spread([1, 2], 3) == [1, 2]
