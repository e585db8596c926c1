"""Turns to judge: recordings, or rows in eot-bench's schema → sound, silences and words.

The last silence of a turn is its *end*, every one before it a *hold*. What follows a recording is
silence in the sound of its own room; so are its pauses, or an end could be told by its silence.
"""

import base64
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import soxr

from rt_avatar.engines import media_file
from rt_avatar.engines.media_file import MediaError
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.training.end_of_turn.sounds import (
    END_S,
    FADE,
    MIN_SILENCE_S,
    joined,
    room_noise,
    room_of,
    turn_sound,
)
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.errors import BadInputError

SUFFIXES: Final = (".wav", ".flac", ".opus", ".ogg", ".mp3")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a transcript, in seconds."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One turn of a caller.

    Attributes:
        name: Of the recording or row.
        pcm: (n,) at 16 kHz, with the silence behind the turn.
        silences: (begin, end) in seconds of each silence of ``MIN_SILENCE_S`` and more inside the
            turn; the last one is the end of the turn, however long it goes on.
        words: With times; None where a recogniser is to find them.
        kind: ``plain``, or what was made of the recording.
    """

    name: str
    pcm: Pcm
    silences: tuple[tuple[float, float], ...]
    words: tuple[Word, ...] | None = None
    kind: str = "plain"

    @property
    def end_s(self) -> float:
        """When the caller has finished."""
        return self.silences[-1][0]


def read_recordings(folder: Path) -> list[Path]:
    """Return the recordings in a folder and those inside it.

    Raises:
        BadInputError: There are none.
    """
    files = sorted(one for one in folder.rglob("*") if one.suffix.lower() in SUFFIXES)
    if not files:
        raise BadInputError(
            f"{folder}: expected recordings ({', '.join(SUFFIXES)}), found none; "
            "--speech takes the folder they are in"
        )
    return files


def turn_from_recording(path: Path, vad: SileroEngine) -> Turn:
    """Return a recording as a turn.

    Raises:
        BadInputError: It cannot be read, or holds no voice.
    """
    try:
        sound = turn_sound(read_sound(path), vad)
    except ValueError as error:
        raise BadInputError(f"{path}: {error}") from None
    return Turn(path.stem, sound.pcm, sound.silences)


def read_sound(path: Path | io.BytesIO) -> Pcm:
    """Return any sound file, or what is in one, as (samples,) at 16 kHz, all channels mixed.

    Raises:
        BadInputError: It cannot be read.
    """
    try:
        return media_file.read_sound(
            path, INPUT_RATE_HZ, name="" if isinstance(path, Path) else "bytes"
        )
    except MediaError as error:
        raise BadInputError(str(error)) from None


# --- rows ---------------------------------------------------------------------------------------
def read_rows(path: Path) -> Iterator[Turn]:
    """Return the turns of a file with one JSON object a line, in eot-bench's schema.

    ``audio`` is the path of a sound file (beside the file, or absolute), or an object with it
    (``path``), with what is in it (``bytes``, base64), or with samples from -1 to 1 (``array``,
    ``sampling_rate``);
    ``silence_spans`` a list of ``{"start", "end"}`` in seconds, the last one the end of the turn;
    ``words`` a list of ``{"word"|"text", "start", "end"}``, if there is one. ``id`` names the row.

    Raises:
        BadInputError: A row is none; the message names its line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path}: expected a file of JSON lines, got {error}") from None
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise BadInputError(f"{path}: expected a turn a line, found none")
    for number, line in rows:
        try:
            yield _turn_from_row(json.loads(line), path.parent, f"line {number}")
        except (KeyError, TypeError, ValueError) as error:
            what = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise BadInputError(
                f"{path}, line {number}: expected a JSON object with audio (a path), silence_spans "
                f'([{{"start", "end"}}, …] in seconds) and, if known, words; got {what}'
            ) from None


def _turn_from_row(row: dict[str, Any], folder: Path, name: str) -> Turn:
    pcm = _sound_of(row["audio"], folder)
    spans = [(float(span["start"]), float(span["end"])) for span in row["silence_spans"]]
    if not spans:
        raise ValueError("no silence span")
    edges = [edge for span in spans for edge in span]
    if edges != sorted(edges) or edges[0] < 0 or spans[-1][0] > len(pcm) / INPUT_RATE_HZ:
        raise ValueError(
            f"silence spans that are out of order or outside of {len(pcm) / INPUT_RATE_HZ:.1f} s"
        )
    # Silence goes on for as long as is waited: a row may end with its last span.
    missing = round((spans[-1][0] + END_S) * INPUT_RATE_HZ) - len(pcm)
    if missing > 0:
        room = room_of(pcm, [(0, round(spans[-1][0] * INPUT_RATE_HZ))])
        pcm = joined([pcm, room_noise(room, missing + FADE, np.random.default_rng(0))])
    words = row.get("words")
    found = None if words is None else tuple(_word(word) for word in words)
    long = [span for span in spans[:-1] if span[1] - span[0] >= MIN_SILENCE_S]
    return Turn(str(row.get("id", name)), pcm, (*long, spans[-1]), found)


def _sound_of(audio: Any, folder: Path) -> Pcm:
    """Return the sound of a row, whichever of the forms of the Hugging Face feature it has."""
    if not isinstance(audio, dict):
        return read_sound(folder / str(audio))
    if audio.get("array") is not None:
        samples = np.asarray(audio["array"], np.float32)
        if samples.ndim != 1:
            raise ValueError(f"an array of shape {samples.shape}")
        sound: Pcm = soxr.resample(samples, float(audio["sampling_rate"]), INPUT_RATE_HZ)
        return sound
    if audio.get("bytes") is not None:
        return read_sound(io.BytesIO(base64.b64decode(audio["bytes"], validate=True)))
    return read_sound(folder / str(audio["path"]))


def _word(word: dict[str, Any]) -> Word:
    text = word["word"] if "word" in word else word["text"]
    return Word(str(text), float(word["start"]), float(word["end"]))
