"""Emotions named by the voice: recall over eight, on recordings of actors.

    rt-avatar bench hearing --speech FOLDER [--quick]

FOLDER holds ``manifest.tsv`` (tab-separated, with the columns ``file``, ``actor`` and ``emotion``)
and the sound files that it names; a file counts from its first loud frame to its last. ``unknown``:
the caller's own neutral is not known; ``known``: it is the mean of the same actor's other neutral
recordings; ``call``: it is learnt meanwhile, as in a call, the recordings in any order. Recall is
the mean over the emotions, each counting the same. The weights were trained on RAVDESS: what is
measured on those actors is no measure; the model card has the figures on actors left out.
"""

import argparse
import csv
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.result import Result
from rt_avatar.engines import media_file
from rt_avatar.engines.media_file import MediaError
from rt_avatar.engines.prosody import WINDOW_SAMPLES
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.engines.voice_emotion import (
    VOICE_EMOTIONS,
    SpokenWindow,
    VoiceEmotion,
    VoiceEmotionEngine,
)
from rt_avatar.engines.voice_emotion.engine import AT_EASE, OwnNeutral
from rt_avatar.engines.voice_emotion.frames import VoiceFrames
from rt_avatar.engines.voice_emotion.functionals import functionals
from rt_avatar.engines.voice_emotion.kernel import Floats, Weights, load_weights, probabilities
from rt_avatar.errors import BadInputError, SetupError

_QUICK: Final = 4  # every fourth recording of an actor
_TIMED_S: Final = 10.0
_NAMES: Final[dict[str, VoiceEmotion]] = {"fearful": "fear", "disgust": "disgusted"}
_WAYS: Final = ("unknown", "known", "call")


@dataclass(frozen=True, slots=True, eq=False)
class _Recording:
    """One recording: who, in which emotion, and its functionals (None: no voice)."""

    actor: str
    emotion: VoiceEmotion
    row: Floats | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--speech", type=Path, metavar="FOLDER", help="with manifest.tsv")


def measure(arguments: argparse.Namespace) -> Result:
    """Name the emotion of every recording in each way.

    Raises:
        SetupError: No folder was given.
        BadInputError: It holds no such manifest, or a file that is no sound.
    """
    if arguments.speech is None:
        raise SetupError("--speech: expected a folder with manifest.tsv and recordings, got none")
    rows = _read_manifest(arguments.speech)[:: _QUICK if arguments.quick else 1]
    sounds = {file: read_sound(arguments.speech / file) for file, *_ in progress(rows, "sounds")}
    recordings = [
        _Recording(actor, emotion, _row_of(sounds[file]))
        for file, actor, emotion in progress(rows, "functionals")
    ]
    weights = load_weights()
    named = {way: _name(recordings, weights, way) for way in _WAYS}
    figures: dict[str, float] = {}
    table = []
    for emotion in VOICE_EMOTIONS:
        own = [at for at, one in enumerate(recordings) if one.emotion == emotion]
        if own:
            shares = [100 * np.mean([named[way][at] == emotion for at in own]) for way in _WAYS]
            table.append((emotion, str(len(own)), shares))
    for index, way in enumerate(_WAYS):
        figures[f"{way}_recall_percent"] = float(np.mean([row[2][index] for row in table]))
    figures["window_ms"] = _window_ms(list(sounds.values()))
    sizes = {"recordings": len(rows), "actors": len({actor for _, actor, _ in rows})}
    return Result(
        name="hearing",
        columns=("", "recordings", *(f"{way} %" for way in _WAYS)),
        rows=[
            (name, count, *(f"{share:.1f}" for share in shares)) for name, count, shares in table
        ],
        figures=figures | sizes,
        higher_is_better=[f"{way}_recall_percent" for way in _WAYS],
        neutral=list(sizes),
        notes=["actors of RAVDESS were learnt from: on them this is no measure"],
    )


def _read_manifest(folder: Path) -> list[tuple[str, str, VoiceEmotion]]:
    manifest = folder / "manifest.tsv"
    try:
        with manifest.open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
            found = [(line["file"], line["actor"], line["emotion"]) for line in lines]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"--speech: expected {manifest}; got {error}") from error
    except KeyError as error:
        raise BadInputError(f"{manifest}: expected file, actor, emotion; got no {error}") from None
    rows = []
    for name, actor, label in found:
        emotion = _NAMES.get(label, label)
        if emotion not in VOICE_EMOTIONS:
            raise BadInputError(f"{manifest}: expected {', '.join(VOICE_EMOTIONS)}; got {label!r}")
        rows.append((name, actor, emotion))
    if not rows:
        raise BadInputError(f"{manifest}: expected recordings; got none")
    return rows


def read_sound(path: Path) -> Pcm:
    """Return a sound file at 16 kHz, one channel.

    Raises:
        BadInputError: It is none.
    """
    try:
        return media_file.read_sound(path, INPUT_RATE_HZ)
    except MediaError as error:
        raise BadInputError(str(error)) from error


def _row_of(pcm: Pcm) -> Floats | None:
    return functionals(VoiceFrames().push(pcm[: len(pcm) // WINDOW_SAMPLES * WINDOW_SAMPLES]))


def _name(recordings: Sequence[_Recording], weights: Weights, way: str) -> list[str]:
    """Return the emotion of every recording; "" where there is no voice."""
    named = [""] * len(recordings)
    own: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(recordings):
        own[one.actor].append(at)
    dice = np.random.default_rng(0)
    for those in own.values():
        learnt = OwnNeutral()
        for at in dice.permutation(those).tolist():
            row = recordings[at].row
            if row is None:
                continue
            others = [
                other.row
                for other in (recordings[index] for index in those if index != at)
                if other.emotion == "neutral" and other.row is not None
            ]
            neutral = learnt.known if way == "call" else None
            if way == "known" and others:
                neutral = np.mean(others, axis=0, dtype=np.float32)
            shares = probabilities(weights, row, neutral)
            learnt.learn(row, float(shares[AT_EASE].sum()))
            named[at] = VOICE_EMOTIONS[int(shares.argmax())]
    return named


def _window_ms(sounds: Sequence[Pcm]) -> float:
    """Return the mean time that a window of speech takes, of ten seconds."""
    pcm = np.concatenate(sounds)[: int(_TIMED_S * INPUT_RATE_HZ)]
    windows = pcm[: len(pcm) // WINDOW_SAMPLES * WINDOW_SAMPLES].reshape(-1, WINDOW_SAMPLES)
    stream = VoiceEmotionEngine().open()
    began_s = time.perf_counter()
    for window in windows:
        stream.push(SpokenWindow(window, is_speech=True))
    return 1000 * (time.perf_counter() - began_s) / max(1, len(windows))
