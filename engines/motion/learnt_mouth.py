"""Where a mouth is, as a person's was: sounds by name, or sound alone → shapes, frame by frame.

What each sound asks of the mouth (``visemes``) lies on a grid of 20 ms from 240 ms before a frame
to 380 ms after it, since mouths open before they speak; bands and level of the voice lie on
another. One linear layer and a network of two small ones beside it, which learnt from a tracked
face, make the shapes of both; the linear one keeps the other near what it knows where sounds follow
each other as nobody said them.

With the sounds (``FROM_PHONES``), a frame depends on none that begins more than 400 ms after its
middle, and on what is heard until 20 ms after it, which a chunk always holds. Without them
(``FROM_SOUND``) it depends on what is heard until 200 ms after it. Streaming and offline give the
same bits.

The weights: ``python -m rt_avatar.engines.training.lipsync.learnt_mouth``, see MODEL_CARD.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.spectrum import BANDS, Spectrum
from rt_avatar.engines.motion.visemes import DRIVEN, PAUSE, STRESS_GAIN, visemes_of
from rt_avatar.engines.types import ARKIT, CHUNK_FRAMES, FRAME_SAMPLES, Pcm, Phoneme
from rt_avatar.engines.weights_file import load_weights

Floats = NDArray[np.float32]
STEP: Final = FRAME_SAMPLES // 2
_STEPS_A_CHUNK: Final = 2 * CHUNK_FRAMES
BEFORE, AFTER = 12, 19  # steps of the grid of sounds around a frame's middle
TAPS: Final = BEFORE + 1 + AFTER
# What is learnt, both sides alike; then how likely the lips touch.
SHAPES: Final = (
    "jawOpen", "mouthPucker", "mouthFunnel", "mouthLowerDown", "mouthUpperUp", "mouthStretch",
)  # fmt: skip
JAW, TOUCH = 0, len(SHAPES)
LIPS: Final = slice(JAW + 1, TOUCH)
# Lips that are asked for less than this are asked for nothing: a regression is never quite still.
_NOISE: Final = 0.03
OUTPUTS: Final = len(SHAPES) + 1
# Which of the driven shapes follows which of the learnt ones.
_NAMES: Final = [ARKIT[row].removesuffix("Left").removesuffix("Right") for row in DRIVEN]
LIP_COLUMNS: Final = np.array(
    [column for column, name in enumerate(_NAMES) if name in SHAPES[1:]], np.intp
)
LIP_OUTPUTS: Final = np.array([SHAPES.index(_NAMES[column]) for column in LIP_COLUMNS], np.intp)
# Shapes without the right side, which is as the left; then whether there is a sound, whether it
# shuts the lips, and whether it is a vowel.
_COLUMNS: Final = np.array(
    [at for at, row in enumerate(DRIVEN) if not ARKIT[row].endswith("Right")], np.intp
)
_SOUND: Final = len(_COLUMNS)
PHONE_INPUTS: Final = len(_COLUMNS) + 3
_BANDS_A_STEP: Final = 16
HIDDEN: Final = 128
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.lipsync.learnt_mouth"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a network is told.

    Attributes:
        name: Of its weights.
        package: Where they are.
        past, future: Steps of sound until the end of a frame, and after it.
        has_phones: Whether it is told the sounds.
    """

    name: str
    package: str
    past: int
    future: int
    has_phones: bool

    @property
    def step_inputs(self) -> int:
        """How many numbers say how a step sounds: bands, and the level where sounds are told."""
        return _BANDS_A_STEP + self.has_phones

    @property
    def inputs(self) -> int:
        """How many numbers it is told for a frame."""
        return self.step_inputs * (self.past + self.future) + self.has_phones * TAPS * PHONE_INPUTS


FROM_PHONES: Final = Kind("mouth of sounds", "rt_avatar.engines.motion", 13, 0, has_phones=True)
FROM_SOUND: Final = Kind("mouth of sound", "rt_avatar.engines.lipsync", 14, 9, has_phones=False)

# A mouth rests until shortly before the first sound, and soon after the last.
_STEPS: Final = np.arange(-BEFORE, AFTER + 1)
_NEAR: Final = np.clip(np.minimum((AFTER - _STEPS) / 2, (12 + _STEPS) / 2), 0, 1).astype(np.float32)
_AROUND: Final = slice(BEFORE - 4, BEFORE + 5)  # 80 ms either way, where stress counts
_PEAK_FALL_DB: Final = 0.06  # a step: 3 dB a second
_PEAK_START_DB: Final = -20.0
_RANGE_DB: Final = 50.0


class LearntMouth:
    """The weights of one kind, shared by all."""

    def __init__(self, kind: Kind, path: Path | None = None) -> None:
        """Load the weights; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold the weights of this network.
        """
        packaged = resources.files(kind.package) / "mouth.npz"
        self.kind = kind
        self._weights = load_weights(path or packaged, weights_of(kind), kind.name, _MAKE)

    def shapes(self, known: Floats) -> Floats:
        """Return the mouth, (T, OUTPUTS) 0..1, by what is known of some frames (T, inputs)."""
        w = self._weights
        hidden = np.maximum(known @ w["first"] + w["first_bias"], 0.0)
        hidden = np.maximum(hidden @ w["second"] + w["second_bias"], 0.0)
        answer = hidden @ w["answer"] + known @ w["linear"] + w["answer_bias"]
        answer[:, LIPS] = (answer[:, LIPS] - _NOISE) / (1 - _NOISE)
        shapes: Floats = np.clip(answer, 0.0, 1.0)
        return shapes


def weights_of(kind: Kind) -> dict[str, tuple[int, ...]]:
    """Return names and shapes of a kind's weights."""
    return {
        "linear": (kind.inputs, OUTPUTS),
        "first": (kind.inputs, HIDDEN),
        "first_bias": (HIDDEN,),
        "second": (HIDDEN, HIDDEN),
        "second_bias": (HIDDEN,),
        "answer": (HIDDEN, OUTPUTS),
        "answer_bias": (OUTPUTS,),
    }


class PhonemeMouth:
    """One voice's mouth, told its sounds. Not thread-safe."""

    def __init__(self, network: LearntMouth) -> None:
        self._network = network
        self._spectrum, self._level = Spectrum(), Level()
        self._steps: Floats = np.zeros((FROM_PHONES.past - 2, FROM_PHONES.step_inputs), np.float32)

    def move(self, phonemes: Sequence[Phoneme], times: NDArray[np.int64], pcm: Pcm) -> Floats:
        """Return the mouth in one chunk, (5, OUTPUTS).

        Args:
            phonemes: Sounds, earliest first; every one that begins before ``SOUNDS_AHEAD`` after
                the chunk, as far as it is known.
            times: (5,) middles of the chunk's frames, in samples.
            pcm: The chunk.
        """
        heard = np.hstack((steps_of(self._spectrum.push(pcm).bands), self._level.push(pcm)))
        steps = np.concatenate((self._steps, heard))
        self._steps = steps[_STEPS_A_CHUNK:]
        asked, stress = window(phonemes, times)
        known = np.hstack((asked.reshape(CHUNK_FRAMES, -1), around(steps, FROM_PHONES)))
        near = (asked[:, :, _SOUND] * _NEAR).max(axis=1)
        shapes: Floats = self._network.shapes(known) * near[:, None]
        shapes[:, JAW] *= stress[:, _AROUND].mean(axis=1)
        return shapes


class HeardMouth:
    """One voice's mouth by its sound alone, a chunk later. Not thread-safe."""

    def __init__(self, network: LearntMouth) -> None:
        self._network = network
        waiting = FROM_SOUND.past - 2 + _STEPS_A_CHUNK
        self._steps: Floats = np.zeros((waiting, FROM_SOUND.step_inputs), np.float32)

    def push(self, bands: Floats) -> Floats:
        """Hear the next chunk, (20, BANDS); return the mouth of that before it, (5, OUTPUTS)."""
        steps = np.concatenate((self._steps, steps_of(bands)))
        self._steps = steps[_STEPS_A_CHUNK:]
        return self._network.shapes(around(steps, FROM_SOUND))


def steps_of(bands: Floats) -> Floats:
    """Return hops of bands (2 T, BANDS) as steps (T, 16)."""
    steps: Floats = bands.reshape(-1, 2, _BANDS_A_STEP, BANDS // _BANDS_A_STEP).mean(axis=(1, 3))
    return steps


def around(steps: Floats, kind: Kind) -> Floats:
    """Return what is heard around frames, (T, …): ``kind.past`` - 2 steps come before the first."""
    windows = np.lib.stride_tricks.sliding_window_view(steps, kind.past + kind.future, axis=0)[::2]
    heard: Floats = windows.transpose(0, 2, 1).reshape(len(windows), -1)
    return heard


class Level:
    """A voice's level every 20 ms: 1 at its own late peaks, 0 at 50 dB below them."""

    def __init__(self) -> None:
        self._peak_db = _PEAK_START_DB

    def push(self, pcm: Pcm) -> Floats:
        """Return the levels (T, 1) of whole steps (T * STEP,)."""
        power = np.mean(np.square(pcm.reshape(-1, STEP), dtype=np.float64), axis=1)
        levels = []
        for level_db in (10 * np.log10(power + 1e-10)).tolist():
            self._peak_db = max(self._peak_db - _PEAK_FALL_DB, level_db)
            levels.append(max(0.0, 1.0 + (level_db - self._peak_db) / _RANGE_DB))
        return np.array(levels, np.float32)[:, None]


def window(phonemes: Sequence[Phoneme], times: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return what the sounds around some times ask of the mouth, and how stress changes it.

    (T, TAPS, PHONE_INPUTS), and factors (T, TAPS).

    Args:
        phonemes: Sounds, earliest first.
        times: (T,) samples, evenly spaced by one video frame.
    """
    first = int(times[0]) - BEFORE * STEP
    grid = np.zeros((2 * (len(times) - 1) + TAPS, PHONE_INPUTS), np.float32)
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
