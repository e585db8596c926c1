"""A recogniser as a listener: sound → words, each utterance as the first of a new caller."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import av
import numpy as np

from benchmarks.metrics.voice import word_error
from benchmarks.quality.group import Group, progress
from engines.sphinx import SphinxEngine
from engines.types import HEARING_RATE_HZ, Pcm
from engines.whisper import WhisperEngine
from rt_avatar.config import Settings
from rt_avatar.errors import BadInputError, SetupError

_CHUNK: Final = HEARING_RATE_HZ // 5
_ROOM: Final = 3 * HEARING_RATE_HZ // 10
_ROOM_LEVEL: Final = 6e-4  # RMS, -64 dBFS: a quiet room with a cheap microphone
_PEAK: Final = 0.5  # all voices are heard at the same level


class Ear:
    """The recogniser that the settings name.

    Args:
        settings: ``hearing.whisper_model`` names a model; without it pocketsphinx listens.

    Raises:
        SetupError: There is no such model, or its package is missing.
    """

    def __init__(self, settings: Settings) -> None:
        model = settings.hearing.whisper_model
        self.name = "whisper" if model else "pocketsphinx"
        try:
            self._engine = (
                WhisperEngine(model, settings.hearing.language) if model else SphinxEngine()
            )
            self._engine.warmup()
        except (ModuleNotFoundError, FileNotFoundError) as error:
            raise SetupError(str(error)) from error

    def words(self, pcm: Pcm) -> str:
        """Return what is heard in (samples,) at 16 kHz, with a quiet room about it."""
        room = _ROOM_LEVEL * np.random.default_rng(0).standard_normal((2, _ROOM))
        loud = pcm * (_PEAK / max(float(np.abs(pcm).max()), 1e-6))
        sound = np.concatenate((room[0], loud, room[1])).astype(np.float32)
        stream = self._engine.open()
        try:
            outs = [
                out
                for start in range(0, len(sound), _CHUNK)
                for out in stream.push(sound[start : start + _CHUNK])
            ]
            outs += stream.flush()
        finally:
            stream.close()
        return outs[-1].text if outs else ""

    def close(self) -> None:
        """End the recogniser."""
        self._engine.close()


def read_recording(path: Path) -> Pcm:
    """Return a recording at 16 kHz, mono.

    Raises:
        BadInputError: It cannot be read or holds no sound.
    """
    resampler = av.AudioResampler("flt", "mono", HEARING_RATE_HZ)
    try:
        with av.open(str(path)) as file:
            frames = [out for frame in file.decode(audio=0) for out in resampler.resample(frame)]
    except (OSError, av.FFmpegError, IndexError) as error:
        raise BadInputError(f"recording {path}: expected a sound file, got {error}") from error
    frames += resampler.resample(None)
    if not frames:
        raise BadInputError(f"recording {path}: expected sound, got none")
    return np.concatenate([frame.to_ndarray()[0] for frame in frames])


def recordings(folder: Path, ear: Ear) -> Group:
    """Return how many words of real speech the recogniser gets wrong.

    Args:
        folder: Recordings of single utterances, each with its words beside it in ``.txt``.
        ear: Who listens.

    Raises:
        BadInputError: There is none, or one cannot be read.
    """
    if not folder.is_dir():
        raise BadInputError(f"recordings {folder}: expected a folder")
    files = [
        path
        for path in sorted(folder.iterdir())
        if path.suffix != ".txt" and path.with_suffix(".txt").is_file()
    ]
    if not files:
        raise BadInputError(
            f"recordings {folder}: expected recordings with their words in .txt beside each"
        )
    truths = [path.with_suffix(".txt").read_text(encoding="utf-8") for path in files]
    heard = [ear.words(read_recording(path)) for path in progress(files, "recordings")]
    errors: Sequence[float] = [
        word_error([truth], [text]) for truth, text in zip(truths, heard, strict=True)
    ]
    words = sum(len(truth.split()) for truth in truths)
    return Group(
        "recordings",
        [
            (
                f"words misheard by {ear.name}",
                f"{word_error(truths, heard):.3f}",
                f"{words} words of {len(files)} recordings, each by itself",
            )
        ],
        {"recordings_word_error": word_error(truths, heard), "recordings_words": float(words)},
        neutral=("recordings_words",),
        samples={"word error of a recording": errors},
    )
