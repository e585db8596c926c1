"""Motion against people: jaw, lips and closures of each method beside tracked faces.

    rt-avatar bench motion --data FOLDER [--part validation] [--weights FILE] [--quick]

FOLDER holds tracked clips as ``engines/training/lipsync/people.py`` describes them: 52 shapes at 25
pictures a second, sound, text. A tenth of them ("test") is trained on by nobody and is what is
measured; "validation" is the tenth that choices are made by. The methods:

- ``loudness``: the jaw follows the level, nothing else moves: what any method must beat.
- ``rules``: the articulator without what is learnt, told the phones that forced alignment finds.
- ``phones``: the articulator as it is, whose mouth learnt from a person; told the same.
- ``sound``: lip-sync as it is, or with the network of ``--weights``, which hears the sound only.

Figures are means over clips: ``jaw_r`` frame by frame, ``jaw_best_r`` at the best shift
``offset_ms`` (+ late), ``lips_r`` and ``lips_best_r`` of the gap between the lips, ``closure_f1``
of closures at p, b and m within 40 ms. Tracked lips touch below .02 of the distance of the eyes;
the tracker and the camera have a delay of their own, which nobody knows to better than a picture.
Nods are those that a method asks for. ``life`` tells brows, blinks and head of the people and of
the face that is told the phones, with all that presence adds; its blinks are of ten minutes.
"""

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.benchmarks.motion.life import life_of_face, life_of_people
from rt_avatar.benchmarks.motion.scores import Score, count_blinks, score, travel
from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.result import Result
from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.presence import VIEWER, PresenceEngine, PresenceInput
from rt_avatar.engines.training.lipsync.clips import Speech
from rt_avatar.engines.training.lipsync.measure import follow, reference
from rt_avatar.engines.training.lipsync.people import TrackedClip, read_people
from rt_avatar.engines.types import FPS, FRAME_SAMPLES, MOTION_SIZE, FaceStyle, Motion
from rt_avatar.errors import SetupError

_QUICK_EVERY: Final = 4
_BLINK_MINUTES: Final = 10
_PHRASE_S, _PAUSE_S = 2.0, 0.5
# The baseline: level in dB below the clip's peak that opens the jaw not at all.
_LOUDNESS_RANGE_DB: Final = 40.0
_HIGHER: Final = (
    "jaw_r", "jaw_best_r", "lips_r", "lips_best_r", "closure_f1", "closure_recall",
    "closure_precision",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="tracked clips of a person")
    parser.add_argument("--part", choices=("test", "validation"), default="test", help="[test]")
    parser.add_argument("--weights", type=Path, metavar="FILE", help="of another lip-sync network")


def measure(arguments: argparse.Namespace) -> Result:
    """Move a face to all clips in each way and compare it with the person's.

    Raises:
        SetupError: There are no clips, or the weights are none.
    """
    if arguments.data is None:
        raise SetupError("--data: expected a folder of tracked clips, got none")
    try:
        engine = LipsyncEngine(arguments.weights)
        every = _QUICK_EVERY if arguments.quick else 1
        clips = list(progress(list(read_people(arguments.data, (arguments.part,), every)), "clips"))
    except (FileNotFoundError, ValueError) as error:
        raise SetupError(f"--data, --weights: {error}") from error
    if not clips:
        raise SetupError(f"--data: expected clips with a face in {arguments.data}, got none")
    methods: dict[str, Callable[[Speech], Motion]] = {
        "loudness": follow_loudness,
        "rules": reference,
        "phones": lambda speech: reference(speech, is_learnt=True),
        "sound": lambda speech: follow(engine, speech),
    }
    moved = {name: [move(clip.speech) for clip in clips] for name, move in methods.items()}
    scores = {name: score(clips, motions) for name, motions in moved.items()}
    people = _people(clips)
    lives = {
        "people": life_of_people(clips),
        "face": life_of_face(clips, moved["phones"]),
    }
    lived = {f"{who}_{key}": value for who, one in lives.items()
             for key, value in asdict(one).items()}  # fmt: skip
    people["presence_blinks_a_minute"] = _presence_blinks()
    figures = {f"{name}_{key}": value for name, one in scores.items()
               for key, value in asdict(one).items()}  # fmt: skip
    figures |= {"clips": len(clips), **people, **lived}
    return Result(
        name="motion",
        columns=("method", *(name.replace("_", " ") for name in Score.__slots__)),
        rows=[
            (name, *(f"{value:.3g}" for value in asdict(one).values()))
            for name, one in scores.items()
        ],
        figures=figures,
        higher_is_better=[key for key in figures if key.endswith(_HIGHER)],
        neutral=[key for key in figures if not key.endswith((*_HIGHER, "offset_ms"))],
        notes=[
            f"people: jaw travel {people['people_jaw_travel']:.3g}; presence in ten minutes blinks "
            f"{people['presence_blinks_a_minute']:.3g} times a minute",
            *(f"life of {who}: {_line(asdict(one))}" for who, one in lives.items()),
        ],
        groups=list(scores),
    )


def _line(figures: dict[str, float]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {value:.3g}" for key, value in figures.items())


def follow_loudness(speech: Speech) -> Motion:
    """Return the motion (frames, 73) of a jaw that follows the level, 40 ms at a time."""
    frames = speech.pcm.reshape(-1, FRAME_SAMPLES)
    level = 10 * np.log10(np.mean(np.square(frames, dtype=np.float64), axis=1) + 1e-10)
    motion = np.zeros((len(level), MOTION_SIZE), np.float32)
    opening = np.clip(1 + (level - level.max()) / _LOUDNESS_RANGE_DB, 0, 1)
    motion[:, rows_of(("jawOpen",))] = opening[:, None]
    return motion


def _people(clips: list[TrackedClip]) -> dict[str, float]:
    jaw = rows_of(("jawOpen",))
    spoken = [
        slice(sounds[0].start // FRAME_SAMPLES, sounds[-1].end // FRAME_SAMPLES + 1)
        for sounds in (clip.speech.phonemes for clip in clips)
    ]
    jaws = [
        clip.shapes[:, jaw].mean(axis=1)[part] for clip, part in zip(clips, spoken, strict=True)
    ]
    return {"people_jaw_travel": travel(jaws)}


def _presence_blinks() -> float:
    """Return how often a minute the face blinks that speaks phrases of two seconds."""
    stream = PresenceEngine().open(1)
    phrase, pause = round(_PHRASE_S * FPS), round(_PAUSE_S * FPS)
    lids = []
    for frame in range(_BLINK_MINUTES * 60 * FPS):
        is_speech = frame % (phrase + pause) < phrase
        speech = np.zeros(MOTION_SIZE, np.float32) if is_speech else None
        (moved,) = stream.push(PresenceInput("speaking", speech, FaceStyle(), VIEWER))
        lids.append(float(moved[rows_of(("eyeBlink",))].mean()))
    return count_blinks([np.array(lids)])
