"""The harmonic source as a generator takes it, window by window, made when it is asked for.

A sentence of 4 s has 96,000 samples of nine sines and noise: 50 ms of work that the first sound
need not wait for.
"""

from typing import Final

import numpy as np

from rt_avatar.engines.styletts2.source import Floats, HarmonicSource
from rt_avatar.engines.styletts2.spectrum import source_spectrum
from rt_avatar.engines.styletts2.windows import FRAME_SAMPLES

_HALF_WINDOW: Final = 10  # samples that a frame of the spectrum reaches to each side


class SourceColumns:
    """One sentence's source, a ``windows.Source``: (first, last) frames → (1, H, columns).

    Args:
        source: Fresh.
        pitch: (frames,) F0 in Hz of the sentence.
        is_spectral: Whether the generator takes magnitudes and angles (iSTFTNet), or the sound.
    """

    def __init__(self, source: HarmonicSource, pitch: Floats, is_spectral: bool) -> None:
        self._source = source
        self._pitch = pitch
        self._is_spectral = is_spectral
        self._pushed = 0
        self._sound = np.zeros(0, np.float32)

    def __call__(self, first: int, last: int) -> Floats:
        """Return the columns over frames ``first`` to ``last``."""
        self._reach(last)
        start, stop = first * FRAME_SAMPLES, last * FRAME_SAMPLES
        if not self._is_spectral:
            return self._sound[None, None, start:stop]
        # The sentence's own ends are reflected, those of a window are not.
        left = 0 if first == 0 else _HALF_WINDOW
        right = 0 if last == len(self._pitch) else _HALF_WINDOW
        inside = self._sound[start - left : stop + right]
        padded = np.pad(inside, (_HALF_WINDOW - left, _HALF_WINDOW - right), mode="reflect")
        return source_spectrum(padded)[None]

    def _reach(self, last: int) -> None:
        """Make the sound of all frames before ``last``, and the half window after them."""
        frames = len(self._pitch)
        wanted = min(frames, last + 1)  # the source is half a frame late
        if wanted <= self._pushed:
            return
        pieces = [self._sound, self._source.push(self._pitch[self._pushed : wanted])]
        if wanted == frames:
            pieces.append(self._source.flush())
        self._sound = np.concatenate(pieces)
        self._pushed = wanted
