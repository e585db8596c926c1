"""What a call computes beside the engines, as cases: resampling, affect, decisions, words.

Each step is the runtime's own code, called as the runtime calls it and made to look like an engine.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.benchmarks.engines import inputs
from rt_avatar.benchmarks.engines.case import KINDS, Case, Item, Out
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.config.perception_settings import TurnDetectionSettings, VisionSettings
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.prosody import ProsodyEngine, ProsodyFrame
from rt_avatar.engines.silero import WINDOW_SAMPLES, SileroEngine
from rt_avatar.engines.types import FPS, FRAME_SAMPLES, INPUT_RATE_HZ, WIRE_RATE_HZ
from rt_avatar.media_io import BLOCK_SAMPLES
from rt_avatar.messages import TurnId
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.perception.capture import Capture
from rt_avatar.perception.speech_level import SpeechLevel
from rt_avatar.perception.turn_detector import TurnDetector, VadFrame
from rt_avatar.playout.upsampler import Upsampler

Function = Callable[[Item], list[Out]]

WINDOW_S: Final = WINDOW_SAMPLES / INPUT_RATE_HZ
BLOCK_S: Final = BLOCK_SAMPLES / WIRE_RATE_HZ
# A word every 0.4 s is fluent speech; each makes the recogniser tell what it has heard so far.
WORD_S: Final = 0.4
SAID: Final = (
    "I had such a hard week because my grandmother is ill and nobody at work listens to me when I "
    "say that I am tired and afraid"
)
_CONFIDENCE: Final = 0.65  # the recogniser's
_AFFECT_EVERY: Final = round(1 / (WINDOW_S * VisionSettings().rate_hz))  # windows


class Step:
    """A step of the runtime as an engine; ``make`` makes one caller's function."""

    def __init__(self, name: str, rate_hz: int, make: Callable[[], Function]) -> None:
        self._spec = EngineSpec(name, rate_hz, rate_hz, 1)
        self._make = make

    @property
    def spec(self) -> EngineSpec:
        """One item in, one out."""
        return self._spec

    def warmup(self) -> None:
        """Do nothing: steps have no slow first time of their own."""

    def open(self) -> "StepStream":
        """Make one caller's function."""
        return StepStream(self._make)


class StepStream:
    """One caller's function."""

    def __init__(self, make: Callable[[], Function]) -> None:
        self._make = make
        self.reset()

    def push(self, item: Item) -> list[Out]:
        """Take a step."""
        return self._step(item)

    def flush(self) -> list[Out]:
        """Return nothing."""
        return []

    def reset(self) -> None:
        """Begin anew."""
        self._step = self._make()

    def close(self) -> None:
        """Nothing to give back."""


def step_cases(options: Options) -> list[Case]:
    """Return the cases."""
    window_hz = round(1 / WINDOW_S)
    said = SAID.split()
    return [
        Case(
            "capture", "loop", "20 ms", lambda: Step("capture", 50, _capture),
            lambda: wire_blocks(options), BLOCK_S, kinds=KINDS,
        ),
        Case(
            "affect", "audio", "32 ms", lambda: Step("affect", window_hz, _affect),
            lambda: _windows(options), WINDOW_S, kinds=KINDS,
        ),
        Case(
            "endpointing", "loop", "32 ms",
            lambda: Step("endpointing", window_hz, _turn_detection),
            lambda: [_frame(*window) for window in _windows(options)], WINDOW_S, kinds=KINDS,
        ),
        Case(
            "words", "loop", "words", lambda: Step("words", round(1 / WORD_S), _words),
            lambda: [" ".join(said[: count + 1]) for count in range(len(said))],
            WORD_S, kinds=("heard",),
        ),
        Case(
            "upsampler", "loop", "40 ms", lambda: Step("upsampler", FPS, _upsampler),
            lambda: inputs.blocks(inputs.spoken_pcm(), FRAME_SAMPLES), 1 / FPS, kinds=("spoken",),
        ),
    ]  # fmt: skip


# --- inputs -------------------------------------------------------------------------------------
def wire_blocks(options: Options) -> list[NDArray[np.int16]]:
    """Return what the caller's decoder gives: (960,) int16 at 48 kHz."""
    sound = inputs.caller(options.speech, options.seconds)
    wide = soxr.resample(sound, INPUT_RATE_HZ, WIRE_RATE_HZ)
    pcm = (np.clip(wide, -1, 1) * 32767).astype(np.int16)
    return list(pcm[: len(pcm) // BLOCK_SAMPLES * BLOCK_SAMPLES].reshape(-1, BLOCK_SAMPLES))


def _windows(options: Options) -> list[tuple[float, ProsodyFrame]]:
    """Return probability of speech and prosody of every window of the caller."""
    sound = inputs.caller(options.speech, options.seconds)
    voiced = SileroEngine().open().push(sound)
    sounds = ProsodyEngine().open().push(sound)
    return [(one.probability, two) for one, two in zip(voiced, sounds, strict=True)]


def _frame(probability: float, sound: ProsodyFrame) -> VadFrame:
    return VadFrame(sound.pts, probability, sound.energy_db, sound.is_hum, sound.f0_slope)


# --- steps --------------------------------------------------------------------------------------
def _capture() -> Function:
    """The microphone's rate → the rate of speech encoder."""
    resampler = Capture(WIRE_RATE_HZ)
    return lambda block: [resampler.push(block, WIRE_RATE_HZ)]


def _affect() -> Function:
    """The caller's level and the voice's part of the affect; what is felt, as often as asked."""
    estimator, level, count = AffectEstimator(), SpeechLevel(), 0

    def step(window: tuple[float, ProsodyFrame]) -> list[Out]:
        nonlocal count
        probability, sound = window
        weighed, _ = level.weigh(probability, sound, is_over_reply=False)
        estimator.update_voice(sound, is_speech=weighed >= 0.5)
        count += 1
        if count % _AFFECT_EVERY == 0:
            estimator.affect(TurnId(1), sound.pts)
        return [weighed]

    return step


def _turn_detection() -> Function:
    """When turns begin and end."""
    turn_detector = TurnDetector(TurnDetectionSettings())
    return lambda frame: [turn_detector.push(frame)]


def _words() -> Function:
    """What a partial transcript tells the endpointing and the affect."""
    turn_detector, estimator = TurnDetector(TurnDetectionSettings()), AffectEstimator()

    def step(text: str) -> list[Out]:
        turn_detector.words(text, _CONFIDENCE)
        estimator.update_words(text)
        return [text]

    return step


def _upsampler() -> Function:
    """The voice's rate → the wire's."""
    interpolator = Upsampler()
    return lambda pcm: [interpolator.push(pcm)]
