"""Recordings of people: manifests of the corpora → what is said, by whom, in which file."""

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import soxr

from rt_avatar.engines.media_file import read_channel
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm

CORPORA: Final = ("cathy", "lj", "libri")
TARGET_LUFS: Final = -23.0  # EBU R 128; cathy and lj come at this level
HELD_OUT_PERCENT: Final = 3
_HIGH_PASS_HZ: Final = 65.0
_HIGH_PASS_ORDER: Final = 4


@dataclass(frozen=True, slots=True)
class Recording:
    """One utterance.

    Attributes:
        key: Its name, unique over all corpora.
        corpus: As in ``CORPORA``.
        speaker: Name of the reader, unique over all corpora.
        sex: ``F`` or ``M``.
        path: The sound file.
        text: What is said.
        gain_db: What brings it to ``TARGET_LUFS``.
        held_out: Whether its sentence is kept for validation.
    """

    key: str
    corpus: str
    speaker: str
    sex: str
    path: Path
    text: str
    gain_db: float
    held_out: bool


def read_corpora(data: Path, names: tuple[str, ...] = CORPORA) -> list[Recording]:
    """Return all recordings under ``data/speech``, in the order of the manifests.

    A sentence is held out with all its takes, by a hash of its name, so that adding corpora does
    not move sentences from one side to the other.

    Raises:
        FileNotFoundError: A manifest is missing.
    """
    return [recording for name in names for recording in _read(data / "speech" / name, name)]


def _read(folder: Path, corpus: str) -> Iterator[Recording]:
    manifest = folder / "manifest.tsv"
    if not manifest.exists():
        raise FileNotFoundError(f"{manifest}: expected the corpus {corpus!r} with its manifest")
    with manifest.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            stem = Path(row["file"]).stem
            sentence = row.get("prompt_id") or row.get("id") or stem
            levelled = corpus != "libri"
            yield Recording(
                key=f"{corpus}-{stem}",
                corpus=corpus,
                speaker=row.get("speaker") or corpus,
                sex=row.get("sex") or "F",
                path=folder / row["file"],
                text=row["text"],
                gain_db=0.0 if levelled else TARGET_LUFS - float(row["lufs_in"]),
                held_out=_percentile(sentence) < HELD_OUT_PERCENT,
            )


def _percentile(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % 100


def read_sound(recording: Recording) -> tuple[Pcm, int]:
    """Return the sound at 24 kHz, levelled, without rumble, and the highest frequency it has.

    Raises:
        ValueError: The file holds no sound.
    """
    pcm, rate_hz = read_channel(recording.path)
    top_hz = 7_600 if recording.corpus == "libri" else min(rate_hz, SPEECH_RATE_HZ) // 2
    sound = soxr.resample(pcm, rate_hz, SPEECH_RATE_HZ)
    sound = _high_pass(sound) * 10 ** (recording.gain_db / 20)
    return np.clip(sound, -1.0, 1.0).astype(np.float32), top_hz


def _high_pass(pcm: Pcm) -> Pcm:
    """Take away what lies below speech, without moving phases (Butterworth, both ways)."""
    size = 1 << (len(pcm) + SPEECH_RATE_HZ // 10 - 1).bit_length()
    frequencies = np.fft.rfftfreq(size, 1 / SPEECH_RATE_HZ)
    ratio = (frequencies / _HIGH_PASS_HZ) ** (2 * _HIGH_PASS_ORDER)
    filtered = np.fft.irfft(np.fft.rfft(pcm, size) * ratio / (1 + ratio), size)[: len(pcm)]
    return np.asarray(filtered, np.float32)
