"""Recordings with an emotion: manifests → who says what how, and functionals of the sound.

Actors (RAVDESS) in eight emotions, readers in none. The frames of every recording are made once and
kept, so that a stopped run goes on.
"""

import csv
import logging
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.prosody import WINDOW_SAMPLES
from rt_avatar.engines.training.end_of_turn.examples import read_sound
from rt_avatar.engines.training.voice.corpora import CORPORA
from rt_avatar.engines.training.voice_emotion.augment import draw_disguise
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.engines.voice_emotion.frames import VoiceFrames
from rt_avatar.engines.voice_emotion.functionals import functionals
from rt_avatar.engines.voice_emotion.kernel import VOICE_EMOTIONS

_log = logging.getLogger(__name__)
ACTORS: Final = "ravdess"
DISGUISES: Final = 2  # beside the recording as it is
# Readers that nothing is learnt from: they tell whether people who read are called sad.
HELD_OUT_READERS: Final = frozenset(("lj", "332", "8629", "3526", "6272"))
_PER_READER: Final = 20
_LONGEST_S: Final = 6.0  # of a reader
_REPORT: Final = 100
# Names of the corpus' manifest where they differ from ours.
_NAMES: Final = {"fearful": "fear", "disgust": "disgusted"}


@dataclass(frozen=True, slots=True)
class EmotionRecording:
    """One recording.

    Attributes:
        path: The sound file.
        corpus: Name of its corpus.
        speaker: Name of who speaks, unique over all corpora.
        emotion: Index in ``VOICE_EMOTIONS``; readers are neutral.
        text: What is said.
    """

    path: Path
    corpus: str
    speaker: str
    emotion: int
    text: str


def read_recordings(data: Path) -> list[EmotionRecording]:
    """Return the actors' recordings and some of every reader under ``data/speech``.

    Raises:
        FileNotFoundError: A manifest is missing.
        ValueError: A manifest lacks a column, or names an emotion that is none.
    """
    found = [one for name in (ACTORS, *CORPORA) for one in _read(data / "speech" / name)]
    seen: Counter[str] = Counter()
    kept = []
    for one in found:
        seen[one.speaker] += 1
        if one.corpus == ACTORS or seen[one.speaker] <= _PER_READER:
            kept.append(one)
    return kept


def _read(folder: Path) -> list[EmotionRecording]:
    manifest, corpus = folder / "manifest.tsv", folder.name
    if not manifest.exists():
        raise FileNotFoundError(f"{manifest}: expected the corpus {corpus!r} with its manifest")
    with manifest.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        needed = {"file", "text"} | ({"actor", "emotion"} if corpus == ACTORS else set())
        if lacking := needed - set(rows.fieldnames or ()):
            raise ValueError(f"{manifest}: expected the columns {sorted(needed)}; got no {lacking}")
        return [_recording(folder, row) for row in rows]


def _recording(folder: Path, row: dict[str, str]) -> EmotionRecording:
    corpus = folder.name
    name = row.get("emotion", "neutral")
    emotion = _NAMES.get(name, name)
    if emotion not in VOICE_EMOTIONS:
        raise ValueError(f"{folder}: expected one of {VOICE_EMOTIONS}; {row['file']} has {name!r}")
    speaker = f"actor {row['actor']}" if corpus == ACTORS else row.get("speaker") or corpus
    path = folder / row["file"]
    return EmotionRecording(path, corpus, speaker, VOICE_EMOTIONS.index(emotion), row["text"])


def make_rows(recordings: Sequence[EmotionRecording], work: Path) -> NDArray[np.float32]:
    """Return (N, 1 + DISGUISES, FUNCTIONALS): of every recording as it is, and disguised.

    Raises:
        ValueError: A file holds no voice.
    """
    work.mkdir(parents=True, exist_ok=True)
    began_s, done, rows = time.monotonic(), 0, []
    for number, one in enumerate(recordings, 1):
        path = work / f"{one.corpus}-{one.path.stem}.npz"
        if not path.exists():
            _keep(path, _frames_of(one))
            done += 1
            if done % _REPORT == 0:
                left_s = (time.monotonic() - began_s) / done * (len(recordings) - number)
                _log.info("%d of %d, %.1f min to go", number, len(recordings), left_s / 60)
        with np.load(path) as kept:
            found = [functionals(kept[name].astype(np.float32)) for name in sorted(kept.files)]
        if any(row is None for row in found):
            raise ValueError(f"{one.path}: expected half a second of voice and more; found less")
        rows.append(np.stack([row for row in found if row is not None]))
    return np.stack(rows)


def frames_of(pcm: Pcm) -> NDArray[np.float32]:
    """Return the frames of a whole recording."""
    return VoiceFrames().push(pcm[: len(pcm) // WINDOW_SAMPLES * WINDOW_SAMPLES])


def _frames_of(one: EmotionRecording) -> list[NDArray[np.float32]]:
    pcm = read_sound(one.path)
    if one.corpus != ACTORS:
        pcm = pcm[: int(_LONGEST_S * INPUT_RATE_HZ)]
    features = [frames_of(pcm)]
    for number in range(1, 1 + DISGUISES):
        disguise = draw_disguise(np.random.default_rng((number, zlib.crc32(one.speaker.encode()))))
        dice = np.random.default_rng((number, zlib.crc32(one.path.name.encode())))
        features.append(frames_of(disguise.apply(pcm, dice)))
    return features


def _keep(path: Path, frames: Sequence[NDArray[np.float32]]) -> None:
    temporary = path.with_name("part-" + path.name)
    arrays = {f"frames{number}": one.astype(np.float16) for number, one in enumerate(frames)}
    np.savez(temporary, allow_pickle=False, **arrays)
    temporary.replace(path)
