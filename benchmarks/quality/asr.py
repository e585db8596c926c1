"""Recognisers that judge voices: a call's, and one with all passes; sound → words."""

from pathlib import Path
from typing import Final, Protocol

import numpy as np
from pocketsphinx import Decoder

from rt_avatar.benchmarks.metrics.voice import word_error
from rt_avatar.benchmarks.quality.group import Group, progress
from rt_avatar.benchmarks.speech import read_words
from rt_avatar.config.settings import Settings
from rt_avatar.engines.media_file import MediaError, read_sound
from rt_avatar.engines.sphinx import SphinxEngine, SphinxStream
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.engines.whisper import WhisperEngine, WhisperStream
from rt_avatar.errors import BadInputError, SetupError

_CHUNK: Final = INPUT_RATE_HZ // 5
_ROOM: Final = 3 * INPUT_RATE_HZ // 10
_ROOM_LEVEL: Final = 6e-4  # RMS, -64 dBFS: a quiet room with a cheap microphone
_PEAK: Final = 0.5  # all voices are heard at the same level


class Listener(Protocol):
    """Who writes down what is heard."""

    name: str

    def words(self, pcm: Pcm) -> str:
        """Return what is heard in (samples,) at 16 kHz."""
        ...


class PatientListener:
    """pocketsphinx with all its passes, over whole utterances: the best ear that needs no model.

    The recogniser of a call answers while one speaks and knows little of a new microphone: on our
    voices it mishears .28 to .51 of the words where this one mishears .12 to .29. To judge a voice,
    the listener's own errors should be few.
    """

    name = "pocketsphinx"

    def __init__(self) -> None:
        self._decoder = Decoder(loglevel="FATAL")

    def words(self, pcm: Pcm) -> str:
        """Return what is heard in (samples,) at 16 kHz, with a quiet room about it."""
        self._decoder.start_utt()
        self._decoder.process_raw(
            (_in_a_room(pcm) * 32767).astype(np.int16).tobytes(), full_utt=True
        )
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return str(found.hypstr) if found else ""


class Asr:
    """The recogniser that the settings name, as a call uses it.

    Args:
        settings: ``stt.whisper_model`` names a model; without it pocketsphinx listens.

    Raises:
        SetupError: There is no such model, or its package is missing.
    """

    def __init__(self, settings: Settings) -> None:
        model = settings.stt.whisper_model
        self.name = "whisper" if model else "pocketsphinx"
        try:
            self._engine = WhisperEngine(model, settings.stt.language) if model else SphinxEngine()
            self._engine.warmup()
        except (ModuleNotFoundError, FileNotFoundError) as error:
            raise SetupError(str(error)) from error
        self._regular = self._engine.open()

    def words(self, pcm: Pcm) -> str:
        """Return what is heard in (samples,) at 16 kHz, as a new caller's first utterance."""
        stream = self._engine.open()
        try:
            return _hear(stream, pcm)
        finally:
            stream.close()

    def words_of_regular(self, pcm: Pcm) -> str:
        """Return what is heard as the next utterance of one caller who has spoken before."""
        return _hear(self._regular, pcm)

    def close(self) -> None:
        """End the recogniser."""
        self._regular.close()
        self._engine.close()


def _hear(stream: SphinxStream | WhisperStream, pcm: Pcm) -> str:
    sound = _in_a_room(pcm)
    outs = [
        out
        for start in range(0, len(sound), _CHUNK)
        for out in stream.push(sound[start : start + _CHUNK])
    ]
    outs += stream.flush()
    return outs[-1].text if outs else ""


def _in_a_room(pcm: Pcm) -> Pcm:
    """Return the sound at the common level, with the hush of a room before and after it."""
    room = _ROOM_LEVEL * np.random.default_rng(0).standard_normal((2, _ROOM))
    loud = pcm * (_PEAK / max(float(np.abs(pcm).max()), 1e-6))
    return np.concatenate((room[0], loud, room[1])).astype(np.float32)


def read_recording(path: Path) -> Pcm:
    """Return a recording at 16 kHz, mono.

    Raises:
        BadInputError: It cannot be read or holds no sound.
    """
    try:
        pcm = read_sound(path, INPUT_RATE_HZ)
    except MediaError as error:
        raise BadInputError(f"recording: expected a sound file; {error}") from error
    if not len(pcm):
        raise BadInputError(f"recording {path}: expected sound, got none")
    return pcm


def recordings(folder: Path, asr: Asr) -> Group:
    """Return how many words of real speech the recogniser of a call gets wrong.

    Args:
        folder: Recordings of single utterances, each with its words beside it in ``.txt``.
        asr: Who listens.

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
    truths = [read_words(path.with_suffix(".txt")) for path in files]
    new: list[str] = []
    known: list[str] = []
    for path in progress(files, "recordings"):
        pcm = read_recording(path)
        new.append(asr.words(pcm))
        known.append(asr.words_of_regular(pcm))
    words = sum(len(truth.split()) for truth in truths)
    errors = [word_error([truth], [text]) for truth, text in zip(truths, new, strict=True)]
    figures = {
        "recordings_word_error_new": word_error(truths, new),
        "recordings_word_error_known": word_error(truths, known),
        "recordings_words": float(words),
    }
    return Group(
        "recordings",
        [
            (
                f"words misheard by {asr.name}",
                f"{figures['recordings_word_error_new']:.3f}",
                f"{words} words of {len(files)} recordings, each of a new caller",
            ),
            (
                "… of one caller, one after the other",
                f"{figures['recordings_word_error_known']:.3f}",
                "the microphone is known from the second on",
            ),
        ],
        figures,
        neutral=("recordings_words",),
        samples={"word error of a recording": errors},
    )
