"""Preparation: texts to words, manifests to recordings, failures counted, nothing done twice."""

import csv
import wave
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.training.alignment import AlignmentError, align, split_words
from rt_avatar.engines.training.voice.__main__ import main
from rt_avatar.engines.training.voice.aligned_words import with_stress
from rt_avatar.engines.training.voice.corpora import read_corpora
from rt_avatar.engines.training.voice.dataset import load_dataset
from rt_avatar.engines.training.voice.features import Features
from rt_avatar.engines.training.voice.prepare import features_path, prepare

pytestmark = pytest.mark.unit


def test_words_and_the_marks_behind_them():
    assert split_words('He said: "well-known," then left!') == (
        ["he", "said", "well", "known", "then", "left"],
        ["", ",", "", ",", "", "!"],
    )


@pytest.mark.parametrize(
    ("word", "phones", "expected"),
    [
        ("hello", ("HH", "AH", "L", "OW"), ("HH", "AH0", "L", "OW1")),
        ("unheardofword", ("AH", "N", "IY"), ("AH1", "N", "IY0")),
    ],
)
def test_aligned_phones_get_the_stress_of_the_dictionary(word, phones, expected):
    assert with_stress(word, phones) == expected


def write_corpus(data: Path, texts: list[str]) -> None:
    folder = data / "speech" / "lj"
    folder.mkdir(parents=True)
    with (folder / "manifest.tsv").open("w") as file:
        file.write("file\tseconds\ttext\tid\n")
        for index, text in enumerate(texts):
            file.write(f"s{index}.wav\t1.0\t{text}\tid{index}\n")
            with wave.open(str(folder / f"s{index}.wav"), "wb") as sound:
                sound.setnchannels(1)
                sound.setsampwidth(2)
                sound.setframerate(24_000)
                tone = 0.1 * np.sin(2 * np.pi * 150 * np.arange(24_000) / 24_000)
                sound.writeframes((tone * 32_767).astype("<i2").tobytes())


def test_what_cannot_be_aligned_is_left_out_with_its_reason_and_not_tried_again(tmp_path):
    write_corpus(
        tmp_path, ["one two three four five six seven eight nine ten eleven twelve", "..."]
    )
    for _ in range(2):
        prepare(tmp_path, tmp_path / "work", ("lj",), processes=1)
        with (tmp_path / "work" / "failed.csv").open() as file:
            reasons = {row[0]: row[1] for row in csv.reader(file)}
        assert reasons["lj-s0"].startswith("does not align")
        assert reasons["lj-s1"].startswith("no words")
    assert not any(
        features_path(tmp_path / "work", one).exists() for one in read_corpora(tmp_path, ("lj",))
    )
    with pytest.raises(FileNotFoundError, match="run `prepare` first"):
        load_dataset(tmp_path, tmp_path / "work", ("lj",))


def test_a_recording_that_cannot_be_read_is_left_out_with_its_reason(tmp_path):
    write_corpus(tmp_path, ["one two", "three four", "five six"])
    (tmp_path / "speech/lj/s0.wav").write_bytes(b"cut")
    (tmp_path / "speech/lj/s1.wav").unlink()
    prepare(tmp_path, tmp_path / "work", ("lj",), processes=1)
    with (tmp_path / "work" / "failed.csv").open() as file:
        reasons = {row[0]: row[1] for row in csv.reader(file)}
    assert set(reasons) >= {"lj-s0", "lj-s1"}
    assert all(reasons[key].startswith("cannot be read: ") for key in ("lj-s0", "lj-s1"))


@pytest.fixture
def prepared(tmp_path):
    """One recording of the reader ``lj``, with features."""
    write_corpus(tmp_path, ["one"])
    (recording,) = read_corpora(tmp_path, ("lj",))
    path = features_path(tmp_path / "work", recording)
    path.parent.mkdir(parents=True)
    Features(
        pcm=np.zeros(3_000, np.int16),
        mel=np.zeros((10, 80), np.float16),
        pitch=np.full(10, 150.0, np.float32),
        phones=np.array(["AH"]),
        frames=np.array([10], np.int16),
        word_of=np.array([0], np.int16),
        words=np.array(["one"]),
        marks=np.array(["."]),
        top_hz=12_000,
    ).save(path)
    return tmp_path


def test_readers_keep_the_codes_of_the_weights_that_are_begun_from(prepared):
    """With one corpus of several its reader was taught, and heard, as somebody else."""
    np.savez(prepared / "speakers.npz", names=np.array(["cathy", "lj"]))
    dataset = load_dataset(prepared, prepared / "work", ("lj",), begin=prepared)
    (spoken,) = (*dataset.training, *dataset.held_out)
    assert dataset.speakers[spoken.speaker].name == "lj"
    assert [one.name for one in dataset.speakers] == ["cathy", "lj"]


def test_other_codes_than_those_of_the_weights_are_refused(prepared):
    load_dataset(prepared, prepared / "work", ("lj",))
    np.savez(prepared / "speakers.npz", names=np.array(["cathy", "lj"]))
    with pytest.raises(FileExistsError, match=r"speakers\.json: expected speakers in the order"):
        load_dataset(prepared, prepared / "work", ("lj",), begin=prepared)


def test_a_reader_without_recordings_is_not_exported_with_a_pitch_of_nobody(prepared, monkeypatch):
    pytest.importorskip("torch")
    (prepared / "work/speakers.json").write_text('["cathy", "lj"]')
    words = ["--work", str(prepared / "work"), "export", "--data", str(prepared)]
    monkeypatch.setattr("sys.argv", ["voice", *words, "--corpora", "lj"])
    with pytest.raises(SystemExit, match="expected recordings of all readers; got none of cathy"):
        main()


def test_a_missing_corpus_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="expected the corpus 'lj'"):
        read_corpora(tmp_path, ("lj",))


def test_silence_in_the_place_of_words_is_no_recording():
    with pytest.raises(AlignmentError):
        align(np.zeros(2_400, np.float32), "this is a long sentence that was never said here")
