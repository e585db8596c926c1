"""How well the mouth follows: measured on recordings.

    python -m rt_avatar.engines.training.lipsync.measure [--speech FOLDER]

The articulator, which is told the sounds, is the reference; measured is what the face shows,
without any feeling. Needs no torch.
"""

import argparse
import logging
import math
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine
from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.training.lipsync.augment import disguise
from rt_avatar.engines.training.lipsync.clips import HELD_OUT, Cast, Speech, speak
from rt_avatar.engines.training.lipsync.recordings import read_recordings
from rt_avatar.engines.types import (
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    SOUNDS_AHEAD,
    SPEECH_RATE_HZ,
    FaceStyle,
    Motion,
    SpeechChunk,
    VoiceStyle,
)

_log = logging.getLogger("measure")
_LABIALS: Final = ("p", "b", "m")
# Lips that are this near, in openings of the jaw, touch.
TOUCH: Final = 0.03
_OPEN: Final = 0.06
_NEAR_FRAMES: Final = 1  # 40 ms
_MOST_OFFSET: Final = 6  # frames searched either way
_REST_FRAMES: Final = 8


@dataclass(frozen=True, slots=True)
class Score:
    """One kind of speech, all clips together.

    Attributes:
        jaw, opening, rounding: Correlation with the reference, and mean absolute error.
        recall: Of p, b and m, the share with touching lips within 40 ms of them.
        false_a_minute: Closures of the lips in a minute of speech where the reference is open.
        offset_ms: Of the mouth against the reference; + is late.
        rests: Of frames in long pauses, the share with shut lips.
    """

    jaw: tuple[float, float]
    opening: tuple[float, float]
    rounding: tuple[float, float]
    recall: float
    false_a_minute: float
    offset_ms: float
    rests: float


def follow(engine: LipsyncEngine, speech: Speech) -> Motion:
    """Return the motion (frames, 73) that the sound alone gives."""
    stream = engine.open()
    motions = [motion for item in _items(speech) for motion in stream.push(item)]
    return np.concatenate(motions + stream.flush())


def reference(speech: Speech, *, is_learnt: bool = False) -> Motion:
    """Return the motion (frames, 73) of the articulator, by rules alone or as a person moved."""
    stream = ArticulatorEngine(is_learnt=is_learnt).open()
    return np.concatenate([motion for item in _items(speech) for motion in stream.push(item)])


def _items(speech: Speech) -> list[ArticulationInput]:
    items = []
    for start in range(0, len(speech.pcm), CHUNK_SAMPLES):
        end = start + CHUNK_SAMPLES
        near = tuple(p for p in speech.phonemes if p.end > start and p.start < end + SOUNDS_AHEAD)
        chunk = SpeechChunk(start, speech.pcm[start:end], near, (), 0)
        items.append(ArticulationInput(chunk, FaceStyle(), VoiceStyle()))
    return items


def _mean_of(motion: Motion, name: str) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = motion[:, rows_of((name,))].mean(axis=1, dtype=np.float64)
    return mean


def gap(motion: Motion) -> NDArray[np.float64]:
    """Return how far the lips are apart (frames,), in openings of the jaw."""
    jaw, close = _mean_of(motion, "jawOpen"), _mean_of(motion, "mouthClose")
    return (
        np.maximum(0.0, jaw - 0.9 * close)
        + 0.22 * _mean_of(motion, "mouthFunnel")
        + 0.18 * _mean_of(motion, "mouthUpperUp")
        + 0.23 * _mean_of(motion, "mouthLowerDown")
    )


def _rounding(motion: Motion) -> NDArray[np.float64]:
    return (_mean_of(motion, "mouthFunnel") + _mean_of(motion, "mouthPucker")) / 2


def measure(engine: LipsyncEngine, clips: Sequence[tuple[Speech, Speech]]) -> Score:
    """Measure clips: each as it is heard, and as the reference is told of it."""
    moved = [follow(engine, heard) for heard, _ in clips]
    wanted = [reference(named) for _, named in clips]
    hits = labials = false = talking = resting = shut = 0
    for (_, named), mine, theirs in zip(clips, moved, wanted, strict=True):
        touches, near_open = gap(mine) < TOUCH, _near(gap(theirs) < _OPEN)
        for phoneme in named.phonemes:
            if phoneme.ipa[:1] in _LABIALS:
                first = max(0, phoneme.start // FRAME_SAMPLES - _NEAR_FRAMES)
                last = phoneme.end // FRAME_SAMPLES + _NEAR_FRAMES
                hits += int(touches[first : last + 1].any())
                labials += 1
        wrong = touches & ~near_open
        false += int(wrong[0]) + int((wrong[1:] & ~wrong[:-1]).sum())
        rests = gap(theirs) < TOUCH
        long_rest = np.convolve(rests, np.ones(2 * _REST_FRAMES + 1), "same") > 2 * _REST_FRAMES
        talking += int((~rests).sum())
        resting, shut = resting + int(long_rest.sum()), shut + int((long_rest & touches).sum())
    mine, theirs = np.concatenate(moved), np.concatenate(wanted)
    return Score(
        jaw=alike(_mean_of(mine, "jawOpen"), _mean_of(theirs, "jawOpen")),
        opening=alike(gap(mine), gap(theirs)),
        rounding=alike(_rounding(mine), _rounding(theirs)),
        recall=hits / max(1, labials),
        false_a_minute=false / max(1e-9, talking * FRAME_SAMPLES / SPEECH_RATE_HZ / 60),
        offset_ms=find_offset_ms(gap(mine), gap(theirs)),
        rests=shut / resting if resting else math.nan,
    )


def _near(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Widen what is true by a frame either way."""
    wide = np.concatenate(([False], flags, [False]))
    near: NDArray[np.bool_] = wide[:-2] | wide[1:-1] | wide[2:]
    return near


def alike(mine: NDArray[np.float64], theirs: NDArray[np.float64]) -> tuple[float, float]:
    """Return correlation and mean absolute error."""
    return float(np.corrcoef(mine, theirs)[0, 1]), float(np.abs(mine - theirs).mean())


def find_offset_ms(mine: NDArray[np.float64], theirs: NDArray[np.float64]) -> float:
    """Return the shift at which both agree best, between frames by a parabola."""
    mine, theirs = mine - mine.mean(), theirs - theirs.mean()
    most = _MOST_OFFSET
    middle = theirs[most:-most]
    sums = [float(mine[most + k : len(mine) - most + k] @ middle) for k in range(-most, most + 1)]
    best = min(max(int(np.argmax(sums)), 1), 2 * most - 1)
    left, top, right = sums[best - 1 : best + 2]
    shift = best - most + 0.5 * (left - right) / (left - 2 * top + right)
    return float(1000 * shift * FRAME_SAMPLES / SPEECH_RATE_HZ)


def main() -> None:
    """Log one line for each kind of speech, and the time that a chunk takes."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.engines.training.lipsync.measure")
    parser.add_argument("--speech", type=Path, help="folder of NAME.wav (16 kHz) and NAME.txt")
    parser.add_argument("--clips", type=int, default=24, help="of 10 s, of voices held out")
    parser.add_argument("--weights", type=Path, help="instead of those of the package")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    engine = LipsyncEngine(options.weights)
    dice = np.random.default_rng(99)
    clean = [speak(Cast(HELD_OUT.espeak, ()), dice) for _ in range(options.clips)]
    changed = [(Speech(disguise(c.pcm, clean[0].pcm, dice), c.phonemes), c) for c in clean]
    kinds = {"espeak-ng": [(c, c) for c in clean], "the same, disguised": changed}
    if shutil.which("flite"):
        cut = [speak(Cast((), HELD_OUT.flite), dice) for _ in range(options.clips)]
        kinds["flite"] = [(c, c) for c in cut]
    if options.speech:
        kinds["recordings"] = [(s, s) for s in read_recordings(options.speech).values()]
    for kind, clips in kinds.items():
        _log.info("%s: %s", kind, describe(measure(engine, clips)))
    stream = engine.open()
    took_s = []
    for item in _items(clean[0]):
        began_s = time.perf_counter()
        stream.push(item)
        took_s.append(time.perf_counter() - began_s)
    _log.info("%.2f ms a chunk (median)", 1000 * float(np.median(took_s)))


def describe(score: Score) -> str:
    """Return a score in one line."""
    alike = ", ".join(
        f"{name} r={value[0]:.2f} error={value[1]:.3f}"
        for name, value in (
            ("jaw", score.jaw), ("opening", score.opening), ("rounding", score.rounding),
        )
    )  # fmt: skip
    return (
        f"{alike}, p b m {score.recall:.0%}, false {score.false_a_minute:.1f} a minute, "
        f"offset {score.offset_ms:+.0f} ms, shut in pauses {score.rests:.0%}"
    )


if __name__ == "__main__":
    main()
