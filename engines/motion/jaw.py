"""How far the jaw opens, as a person's did: sounds and their loudness → opening, frame by frame.

What each sound asks of the mouth (``visemes``) lies on a grid of 20 ms from 220 ms before a frame
to 200 ms after it, the voice's level on the part of it that is past. One linear layer and a network
of two small ones beside it, which learnt from a tracked face, make one number of both; the linear
one keeps the other near what it knows where sounds follow each other as nobody said them. A frame
depends on no sound that begins more than 200 ms after its middle: streaming and offline give the
same bits. All else of the mouth stays the rules', whose closures are surer than a network's.

The weights: ``python -m rt_avatar.engines.training.lipsync.jaw``, see MODEL_CARD.md.
"""

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.visemes import DRIVEN, PAUSE, STRESS_GAIN, visemes_of
from rt_avatar.engines.types import (
    ARKIT,
    CHUNK_FRAMES,
    FRAME_SAMPLES,
    Pcm,
    Phoneme,
)
from rt_avatar.engines.weights_file import load_weights

STEP: Final = FRAME_SAMPLES // 2
BEFORE, AFTER = 12, 9  # steps of the grid around a frame's middle and the lead
TAPS: Final = BEFORE + 1 + AFTER
# Viewers take early pictures far better than late ones, and what follows in a call only delays.
LEAD_STEPS: Final = 1
HIDDEN: Final = 64
# Shapes without the right side, which is as the left; then whether there is a sound, whether it
# shuts the lips, and whether it is a vowel.
_COLUMNS: Final = np.array(
    [at for at, row in enumerate(DRIVEN) if not ARKIT[row].endswith("Right")], np.intp
)
_SOUND, _LIPS, _VOWEL = range(len(_COLUMNS), len(_COLUMNS) + 3)
SOUND_INPUTS: Final = len(_COLUMNS) + 3
INPUTS: Final = TAPS * SOUND_INPUTS + BEFORE + 1
WEIGHTS: Final[dict[str, tuple[int, ...]]] = {
    "linear": (INPUTS,),
    "first": (INPUTS, HIDDEN),
    "first_bias": (HIDDEN,),
    "second": (HIDDEN, HIDDEN),
    "second_bias": (HIDDEN,),
    "answer": (HIDDEN,),
    "answer_bias": (),
}
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.lipsync.jaw"
# A mouth rests until shortly before the first sound, and soon after the last.
_STEPS: Final = np.arange(-BEFORE, AFTER + 1)
_NEAR: Final = np.clip(np.minimum((8 - _STEPS) / 2, (12 + _STEPS) / 2), 0, 1).astype(np.float32)
_AROUND: Final = slice(BEFORE - 4, BEFORE + 5)  # 80 ms either way, where stress counts
_PEAK_FALL_DB: Final = 0.06  # a step: 3 dB a second
_PEAK_START_DB: Final = -20.0
_RANGE_DB: Final = 50.0
Floats = NDArray[np.float32]


class JawNetwork:
    """The weights, shared by all."""

    def __init__(self, path: Path | None = None) -> None:
        """Load the weights; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold the weights of this network.
        """
        packaged = resources.files("rt_avatar.engines.motion") / "jaw.npz"
        self._weights = load_weights(path or packaged, WEIGHTS, "jaw", _MAKE)

    def opening(self, heard: Floats) -> Floats:
        """Return how far the jaw is open, (T,) 0..1, by the inputs of some frames (T, INPUTS)."""
        w = self._weights
        hidden = _relu(heard @ w["first"] + w["first_bias"])
        hidden = _relu(hidden @ w["second"] + w["second_bias"])
        answer = hidden @ w["answer"] + heard @ w["linear"] + w["answer_bias"]
        is_sound = heard[:, : TAPS * SOUND_INPUTS].reshape(-1, TAPS, SOUND_INPUTS)[:, :, _SOUND]
        opening: Floats = np.clip(answer, 0.0, 1.0) * (is_sound * _NEAR).max(axis=1)
        return opening


class Jaw:
    """One voice's jaw. Not thread-safe."""

    def __init__(self, network: JawNetwork) -> None:
        self._network = network
        self._level = Level()
        self._past: Floats = np.zeros(BEFORE, np.float32)

    def move(self, phonemes: Sequence[Phoneme], times: NDArray[np.int64], pcm: Pcm) -> Floats:
        """Return how far the jaw is open in one chunk, (5,), before louder speech opens it wider.

        Args:
            phonemes: Sounds, earliest first; every one that begins before 200 ms after the chunk.
            times: (5,) middles of the chunk's frames, in samples.
            pcm: The chunk.
        """
        levels = np.concatenate((self._past, self._level.push(pcm)))
        self._past = levels[-BEFORE:]
        asked, stress = window(phonemes, times + LEAD_STEPS * STEP)
        heard = np.hstack((asked.reshape(CHUNK_FRAMES, -1), past_levels(levels)[LEAD_STEPS::2]))
        opening: Floats = self._network.opening(heard) * stress[:, _AROUND].mean(axis=1)
        return opening


class Level:
    """A voice's level every 20 ms: 1 at its own late peaks, 0 at 50 dB below them."""

    def __init__(self) -> None:
        self._peak_db = _PEAK_START_DB

    def push(self, pcm: Pcm) -> Floats:
        """Return the levels (T,) of whole steps (T * STEP,)."""
        power = np.mean(np.square(pcm.reshape(-1, STEP), dtype=np.float64), axis=1)
        levels = []
        for level_db in (10 * np.log10(power + 1e-10)).tolist():
            self._peak_db = max(self._peak_db - _PEAK_FALL_DB, level_db)
            levels.append(max(0.0, 1.0 + (level_db - self._peak_db) / _RANGE_DB))
        return np.array(levels, np.float32)


def past_levels(levels: Floats) -> Floats:
    """Return for each level after the first ``BEFORE`` those and itself, (T, BEFORE + 1)."""
    return np.lib.stride_tricks.sliding_window_view(levels, BEFORE + 1)


def window(phonemes: Sequence[Phoneme], times: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return what the sounds around some times ask of the mouth, and how stress changes it.

    (T, TAPS, SOUND_INPUTS), and factors (T, TAPS).

    Args:
        phonemes: Sounds, earliest first.
        times: (T,) samples, evenly spaced by one video frame.
    """
    first = int(times[0]) - BEFORE * STEP
    grid = np.zeros((2 * (len(times) - 1) + TAPS, SOUND_INPUTS), np.float32)
    factors = np.ones(len(grid), np.float32)
    for phoneme in phonemes:
        at = float(phoneme.start - first)
        length = max(0, phoneme.end - phoneme.start)
        stress = STRESS_GAIN[min(2, max(0, phoneme.stress))]
        for viseme, share in visemes_of(phoneme.ipa):
            points = slice(_point(at), _point(at + share * length))
            at += share * length
            if viseme is PAUSE:
                grid[points], factors[points] = 0.0, 1.0
                continue
            grid[points, : len(_COLUMNS)] = viseme.target[_COLUMNS]
            grid[points, _SOUND:] = 1.0, viseme.gate == "lips", viseme.is_vowel
            factors[points] = stress if viseme.is_vowel else 1.0
    asked = np.lib.stride_tricks.sliding_window_view(grid, TAPS, axis=0)[::2].transpose(0, 2, 1)
    return asked, np.lib.stride_tricks.sliding_window_view(factors, TAPS)[::2]


def _point(samples: float) -> int:
    """Return the first point of the grid at or after so many samples from its beginning."""
    return max(0, -int(-samples // STEP))


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0.0)
