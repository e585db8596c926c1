"""Decimate 48 kHz → 16 kHz by a short filter, for the microphone.

Nothing is held back but two samples and half the filter, 0.7 ms. A general streaming resampler
works in blocks: soxr's fastest keeps 11 ms of sound in the mean, which come on top of every delay
that is counted from the caller's voice.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import INPUT_RATE_HZ, WIRE_RATE_HZ, Pcm

STEP: Final = WIRE_RATE_HZ // INPUT_RATE_HZ  # 3
_TAPS: Final = 72
_CUTOFF_HZ: Final = 6600.0  # -6 dB; flat to 5 kHz, and 70 dB down from 8, where it would alias
_KAISER_BETA: Final = 7.0


def _low_pass() -> NDArray[np.float32]:
    """Return (72,) coefficients of a windowed sinc, scaled to unit gain at 0 Hz."""
    at = np.arange(_TAPS) - (_TAPS - 1) / 2
    taps = np.sinc(2 * _CUTOFF_HZ / WIRE_RATE_HZ * at) * np.kaiser(_TAPS, _KAISER_BETA)
    coefficients: NDArray[np.float32] = (taps / taps.sum()).astype(np.float32)
    return coefficients


class Decimator:
    """State of one microphone. Any chunking of the same sound gives the same samples."""

    _COEFFICIENTS: Final = _low_pass()

    def __init__(self) -> None:
        self._line: Pcm = np.zeros(_TAPS - STEP, np.float32)

    def push(self, pcm: Pcm) -> Pcm:
        """Take any number of samples at 48 kHz; return every third one of the filtered sound."""
        line = np.concatenate((self._line, pcm))
        ready = (len(line) - _TAPS) // STEP + 1 if len(line) >= _TAPS else 0
        self._line = line[ready * STEP :]
        if not ready:
            return np.zeros(0, np.float32)
        # All three phases are computed and one is kept: a call less costs more than the products.
        out: Pcm = np.convolve(line, self._COEFFICIENTS, "valid")[::STEP]
        return out
