"""What the hearing benchmark says of recordings, and of a folder that holds none."""

import argparse
import wave
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.benchmarks.bench import last_lines
from rt_avatar.benchmarks.hearing.benchmark import measure
from rt_avatar.errors import BadInputError, SetupError

pytestmark = pytest.mark.unit


def write_voice(path: Path, f0_hz: float) -> None:
    time_s = np.arange(24_000) / 16_000
    buzz = sum(np.sin(2 * np.pi * n * f0_hz * time_s) / n for n in range(1, 15))
    pcm = 0.2 * buzz * np.clip(np.sin(2 * np.pi * 4 * time_s) + 0.6, 0.02, 1)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes((pcm * 10_000).astype(np.int16).tobytes())


@pytest.fixture
def speech(tmp_path: Path) -> Path:
    lines = ["file\tactor\temotion"]
    for number, emotion in enumerate(("neutral", "neutral", "angry", "fearful")):
        write_voice(tmp_path / f"{number}.wav", 120 + 40 * number)
        lines.append(f"{number}.wav\t01\t{emotion}")
    (tmp_path / "manifest.tsv").write_text("\n".join(lines) + "\n")
    return tmp_path


def bench(folder: Path | None):
    return measure(argparse.Namespace(speech=folder, quick=False))


def test_it_ends_with_the_figures_that_scripts_read(speech):
    result = bench(speech)
    *_, last = last_lines(result)
    assert last.startswith("bench hearing unknown_recall_percent=")
    for way in ("unknown", "known", "call"):
        assert 0 <= result.figures[f"{way}_recall_percent"] <= 100
    assert result.figures["recordings"] == 4
    assert [row[0] for row in result.rows] == ["neutral", "angry", "fear"]


def test_a_folder_that_cannot_be_measured_is_refused_with_words(speech):
    with pytest.raises(SetupError, match="--speech"):
        bench(None)
    with pytest.raises(BadInputError, match=r"manifest\.tsv"):
        bench(speech / "nothing")
    (speech / "0.wav").write_bytes(b"no sound")
    with pytest.raises(BadInputError, match=r"0\.wav"):
        bench(speech)
    text = (speech / "manifest.tsv").read_text()
    (speech / "manifest.tsv").write_text(text.replace("angry", "bored"))
    with pytest.raises(BadInputError, match="'bored'"):
        bench(speech)
    (speech / "manifest.tsv").write_text(text.replace("actor", "who"))
    with pytest.raises(BadInputError, match="actor"):
        bench(speech)
