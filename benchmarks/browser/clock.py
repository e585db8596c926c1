"""Two clocks of one page, tied together: ``performance.now()`` in ms → AudioContext in seconds.

The browser tells now and then which sample leaves for the loudspeaker at which time. Their
difference is taken as the median of the five seconds around: single readings are up to 0.2 ms off,
and sound cards drift by up to 0.1 ms a second.
"""

from typing import Final

import numpy as np

from benchmarks.browser.readings import Floats

READINGS: Final = 59  # at twelve a second: five seconds
KEPT: Final = 2 * READINGS  # for the next drain, which may begin in the middle of a window


class AudioClock:
    """Learns from each drain's readings; keeps a few seconds of them."""

    def __init__(self) -> None:
        self._readings = np.zeros((0, 2))  # context time in s, performance time in ms

    def learn(self, readings: Floats) -> None:
        """Take in readings, (n, 2): context time in s, performance time in ms; in order."""
        self._readings = np.concatenate([self._readings[-KEPT:], readings])

    def to_audio(self, performance_ms: Floats) -> Floats:
        """Return on the audio clock, in s, when the page's clock stood so; NaN before a reading."""
        if not len(self._readings):
            return np.full(len(performance_ms), np.nan)
        ahead_ms = self._readings[:, 1] - 1000 * self._readings[:, 0]
        padded = np.pad(ahead_ms, READINGS // 2, mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, READINGS)
        smooth_ms = np.median(windows, axis=1)
        at_ms = np.interp(performance_ms, self._readings[:, 1], smooth_ms)
        return np.asarray((performance_ms - at_ms) / 1000)
