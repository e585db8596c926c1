"""What the end of a turn is heard by: one window of 32 ms → a row of numbers, whatever the level.

Bands of the spectrum against the loudest of late, pitch against the caller's own, how long the
voice and the silence have lasted. Causal, one window at a time: streaming and offline give the same
bits. It does not know what is said.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.mel import mel_filters
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

WINDOW_SAMPLES: Final = 512
WINDOW_S: Final = WINDOW_SAMPLES / INPUT_RATE_HZ
BANDS: Final = 20
FEATURES: Final = BANDS + 6
_LOWEST_HZ, _HIGHEST_HZ = 90.0, 7_000.0
# The loudest of late falls 1 dB a second, so that a caller may lean back; it never falls so low
# that a quiet room becomes a voice.
_PEAK_FALL_DB: Final = 0.032  # a window
_PEAK_MIN_DB: Final = -50.0
# What is further below is all alike: a room must not tell its own silence from another's.
_RANGE_DB: Final = 40.0
# Probabilities of speech at which it begins and ends, as turn detection has them by default.
_SPEECH, _SILENCE = 0.5, 0.35
_PITCH_SHARE: Final = 0.02  # of each voiced window in the caller's own pitch: the last two seconds
_LONG_S: Final = 3.0  # of silence
_LONG_SPEECH_S: Final = 20.0


@dataclass(frozen=True, slots=True, eq=False)
class EndOfTurnInput:
    """One window of the microphone.

    Attributes:
        pcm: (512,) at 16 kHz.
        speech_probability: 0..1, from the voice activity network.
        f0_hz: Pitch; None where there is none.
    """

    pcm: Pcm
    speech_probability: float
    f0_hz: float | None


class Features:
    """One caller. Not thread-safe.

    Attributes:
        silence_s: How long it has been silent; 0 in speech, and before any.
    """

    def __init__(self) -> None:
        self._before: Pcm = np.zeros(WINDOW_SAMPLES, np.float32)
        self._peak_db = _PEAK_MIN_DB
        self._pitch = 0.0  # ln F0 of late; 0: unknown
        self._is_speech = False
        self._speech_s = 0.0  # since the turn began
        self.silence_s = 0.0

    def begin_turn(self) -> None:
        """Forget how long the last turn was; level and pitch are the caller's still."""
        self._is_speech = False
        self._speech_s = self.silence_s = 0.0

    def push(self, item: EndOfTurnInput) -> NDArray[np.float32]:
        """Take the next window; return (FEATURES,), each about 0 to 1."""
        # Two windows: what is new and, for the bass, what was before.
        span = np.concatenate((self._before, item.pcm))
        self._before = item.pcm
        power = np.square(np.abs(np.fft.rfft(span * _HANN)))
        bands = power @ _MEL
        level_db = 10 * math.log10(float(bands.sum()) + 1e-12)
        self._peak_db = max(self._peak_db - _PEAK_FALL_DB, level_db, _PEAK_MIN_DB)
        row = np.zeros(FEATURES, np.float32)
        row[:BANDS] = (10 * np.log10(bands + 1e-12) - self._peak_db) / _RANGE_DB + 1
        row[BANDS] = (level_db - self._peak_db) / _RANGE_DB + 1
        np.maximum(row, 0.0, out=row)
        threshold = _SILENCE if self._is_speech else _SPEECH
        self._is_speech = item.speech_probability >= threshold
        if self._is_speech:
            self._speech_s += self.silence_s + WINDOW_S
            self.silence_s = 0.0
        elif self._speech_s > 0:
            self.silence_s += WINDOW_S
        if item.f0_hz is not None and self._is_speech:
            tone = math.log(item.f0_hz)
            if self._pitch == 0.0:
                self._pitch = tone
            self._pitch += _PITCH_SHARE * (tone - self._pitch)
            row[BANDS + 1] = 1.0
            row[BANDS + 2] = min(1.0, max(-1.0, 2 * (tone - self._pitch)))
        row[BANDS + 3] = item.speech_probability
        row[BANDS + 4] = math.log1p(4 * min(self.silence_s, _LONG_S)) / math.log1p(4 * _LONG_S)
        row[BANDS + 5] = math.log1p(min(self._speech_s, _LONG_SPEECH_S)) / math.log1p(
            _LONG_SPEECH_S
        )
        return row


_HANN: Final = np.hanning(2 * WINDOW_SAMPLES + 1)[:-1].astype(np.float32)
_MEL: Final = mel_filters(
    _HANN, 2 * WINDOW_SAMPLES, INPUT_RATE_HZ, BANDS, (_LOWEST_HZ, _HIGHEST_HZ)
)
