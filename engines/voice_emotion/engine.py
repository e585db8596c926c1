"""Which emotion a voice has, while it speaks: windows of 32 ms → ``VoiceEmotionEstimate``.

An estimate every half second of an utterance and one at its end. The caller's own neutral is learnt
meanwhile: a running mean over utterances that sound neutral or calm. It does not know what is said,
and not what follows from it.
"""

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.prosody import WINDOW_SAMPLES
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.engines.voice_emotion.frames import Frames, VoiceFrames
from rt_avatar.engines.voice_emotion.functionals import functionals
from rt_avatar.engines.voice_emotion.kernel import (
    VOICE_EMOTIONS,
    Floats,
    VoiceEmotion,
    Weights,
    load_weights,
    probabilities,
)

STEP_WINDOWS: Final = 16  # of speech between two estimates: half a second
LEAST_WINDOWS: Final = 24  # of speech before the first: 0.77 s, "no, not at all"
_LONGEST_WINDOWS: Final = 320  # of an utterance that is kept, the newest 10 s
_LEAD_WINDOWS: Final = 3  # before speech is sure: a soft first consonant
_END_WINDOWS: Final = 20  # without speech: the utterance is over
AT_EASE: Final = [VOICE_EMOTIONS.index("neutral"), VOICE_EMOTIONS.index("calm")]
_KNOWN: Final = 1.5  # utterances that sounded neutral, by their shares, before it is relied on
_MEMORY: Final = 12.0  # utterances


@dataclass(frozen=True, slots=True, eq=False)
class SpokenWindow:
    """One window of the microphone.

    Attributes:
        pcm: (512,) at 16 kHz.
        is_speech: Whether the caller surely speaks in it.
    """

    pcm: Pcm
    is_speech: bool


@dataclass(frozen=True, slots=True)
class VoiceEmotionEstimate:
    """How likely each emotion is, of the utterance so far.

    Attributes:
        probabilities: (8,) in the order of ``VOICE_EMOTIONS``; they sum to 1.
        is_final: Whether the utterance is over.
        knows_neutral: Whether the caller's own neutral was known.
    """

    probabilities: tuple[float, ...]
    is_final: bool
    knows_neutral: bool

    @property
    def emotion(self) -> VoiceEmotion:
        """The likeliest emotion."""
        return VOICE_EMOTIONS[self.probabilities.index(self.confidence)]

    @property
    def confidence(self) -> float:
        """Its probability, 0 to 1."""
        return max(self.probabilities)


class OwnNeutral:
    """A caller's own neutral: a running mean over utterances, as far as they sound so."""

    def __init__(self) -> None:
        self._mean: Floats | None = None
        self._weight = 0.0

    @property
    def known(self) -> Floats | None:
        """(FUNCTIONALS,); None as long as too little is known."""
        return self._mean if self._weight >= _KNOWN else None

    def learn(self, row: Floats, weight: float) -> None:
        """Take an utterance and how neutral it sounds, 0 to 1."""
        self._weight = min(_MEMORY, self._weight + weight)
        if self._mean is None:
            self._mean = row.copy()
        elif weight > 0:
            self._mean += np.float32(weight / self._weight) * (row - self._mean)


class VoiceEmotionEngine:
    """What was learnt, once a process."""

    def __init__(self, weights: Path | None = None) -> None:
        """Load the weights; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        self._weights = load_weights(weights)

    @property
    def spec(self) -> EngineSpec:
        """One answer a window, without look-ahead."""
        rate_hz = INPUT_RATE_HZ // WINDOW_SAMPLES  # 31.25, as a whole number
        return EngineSpec("voice emotion", rate_hz, rate_hz, 1)

    def warmup(self) -> None:
        """Estimate once: the first run allocates."""
        stream = self.open()
        noise = np.random.default_rng(0).normal(0, 0.1, WINDOW_SAMPLES).astype(np.float32)
        for _ in range(LEAST_WINDOWS):
            stream.push(SpokenWindow(noise, is_speech=True))
        stream.flush()

    def open(self) -> "VoiceEmotionStream":
        """Create the state of one caller."""
        return VoiceEmotionStream(self._weights)


class VoiceEmotionStream:
    """One caller's voice. Not thread-safe."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self.reset()

    def reset(self) -> None:
        """Forget everything, the caller's neutral too."""
        self._sound = VoiceFrames()
        self._windows: deque[Frames] = deque(maxlen=_LONGEST_WINDOWS)
        self._spoken = 0  # windows of speech in the utterance; 0: there is none
        self._silent = 0  # windows since the last of speech
        self._neutral = OwnNeutral()

    def push(self, item: SpokenWindow) -> list[VoiceEmotionEstimate | None]:
        """Take the next window; return one estimate, or None where there is no new one."""
        self._windows.append(self._sound.push(item.pcm))
        if item.is_speech:
            self._spoken += 1
            self._silent = 0
            is_due = self._spoken >= LEAST_WINDOWS and self._spoken % STEP_WINDOWS == 0
            return [self._estimate(is_final=False) if is_due else None]
        if self._spoken:
            self._silent += 1
            return [self._end() if self._silent == _END_WINDOWS else None]
        while len(self._windows) > _LEAD_WINDOWS:
            self._windows.popleft()
        return [None]

    def flush(self) -> list[VoiceEmotionEstimate | None]:
        """Return the estimate of the utterance begun, as if it ended here; then begin anew."""
        last = self._end()
        self.reset()
        return [] if last is None else [last]

    def close(self) -> None:
        """Nothing to give back: the weights are shared."""

    def _end(self) -> VoiceEmotionEstimate | None:
        last = self._estimate(is_final=True) if self._spoken >= LEAST_WINDOWS else None
        self._windows.clear()
        self._spoken = self._silent = 0
        return last

    def _estimate(self, *, is_final: bool) -> VoiceEmotionEstimate | None:
        heard = list(self._windows)[: len(self._windows) - self._silent]
        row = functionals(np.concatenate(heard))
        if row is None:
            return None
        neutral = self._neutral.known
        shares = probabilities(self._weights, row, neutral)
        if is_final:
            self._neutral.learn(row, float(shares[AT_EASE].sum()))
        return VoiceEmotionEstimate(tuple(shares.tolist()), is_final, neutral is not None)
