"""Nano's source: pulses at F0 and noise, as spectra of the frames that its generator shapes.

A generator that works on frames cannot make a voice's harmonics out of a number for F0 without
learning, for every F0, in which bins they lie. So they are given: the spectrum of a train of
pulses, all harmonics up to the band's end equally strong, and that of white noise. What is left to
the network is how strong each bin of the two is: the envelope, which changes slowly.

Both have unit power, whatever the pitch is. Frame i is the 1,200 samples around 300 i + 150, Hann
windowed; with gains of one, the generator's inverse transform gives the source itself back.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.styletts2.recipe import SourceRecipe
from rt_avatar.engines.styletts2.source import Doubles, Floats, SamplePhases

TOP_HZ: Final = 11_500.0  # below half of 24 kHz, so that a gliding F0 does not alias


class PulseSpectra:
    """One sentence's source, made as frames are asked for: (first, last) → (1, n, 4 bins).

    The bins of pulses and of noise, each real then imaginary.

    Args:
        pitch: (frames,) F0 in Hz of the sentence.
        fft: Length of the transform.
        recipe: Rates, and above which F0 there is voice.
        seed: Of the noise, which belongs to its sample.
    """

    def __init__(
        self, pitch: Floats, fft: int, recipe: SourceRecipe | None = None, seed: int = 0
    ) -> None:
        self._recipe = replace(recipe or SourceRecipe(), harmonics=1)
        self._pitch = pitch
        self._seed = seed
        self._fft = fft
        self._phases = SamplePhases(self._recipe)
        self._pushed = 0
        overlap = np.zeros((2, (fft - self._recipe.samples_per_frame) // 2))
        self._sound: Doubles = overlap  # pulses and noise, with silence before the first sample

    def __call__(self, first: int, last: int) -> Floats:
        """Return frames ``first`` to ``last``."""
        self._reach(last)
        hop = self._recipe.samples_per_frame
        part = self._sound[:, first * hop : (last - 1) * hop + self._fft]
        frames = np.lib.stride_tricks.sliding_window_view(part, self._fft, axis=1)[:, ::hop]
        window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(self._fft) / self._fft)
        spectra = np.fft.rfft(frames * window, axis=2)  # (2, n, bins)
        parts = [part for one in spectra for part in (one.real, one.imag)]
        return np.concatenate(parts, axis=1, dtype=np.float32)[None]

    def _reach(self, last: int) -> None:
        frames, hop = len(self._pitch), self._recipe.samples_per_frame
        overlap = (self._fft - hop) // 2
        # Half a frame late, and the last frame asked for looks an overlap beyond its end.
        wanted = min(frames, last + 1 + overlap // hop)
        if wanted <= self._pushed:
            return
        pieces = [self._sound, self._shaped(*self._phases.push(self._pitch[self._pushed : wanted]))]
        if wanted == frames:
            pieces.append(self._shaped(*self._phases.flush()))
            pieces.append(np.zeros((2, overlap)))
        self._sound = np.concatenate(pieces, axis=1)
        self._pushed = wanted

    def _shaped(self, cycles: Doubles, hz: Floats) -> Doubles:
        first = self._phases.samples - len(hz)
        noise = keyed_noise(self._seed, first, len(hz), 1)[:, 0]
        pulses = np.where(hz > self._recipe.voiced_above_hz, pulse_train(cycles[:, 0], hz), 0.0)
        return np.stack([pulses, noise])


def pulse_train(cycles: Doubles, hz: Floats) -> NDArray[np.float64]:
    """Return the sum of all harmonics below ``TOP_HZ`` as cosines, at unit power, (m,).

    In closed form (Dirichlet's kernel); the highest harmonic fades in, so that none jumps.

    Args:
        cycles: (m,) phase of the fundamental.
        hz: (m,) its frequency.
    """
    count = TOP_HZ / np.maximum(hz.astype(np.float64), 1.0)
    whole = np.floor(count)
    angle = 2.0 * np.pi * np.mod(cycles, 1.0)
    half = np.sin(angle / 2.0)
    at_peak = np.abs(half) < 1e-9
    kernel = np.sin((whole + 0.5) * angle) / np.where(at_peak, 1.0, 2.0 * half) - 0.5
    fading = (count - whole) * np.cos((whole + 1.0) * angle)
    return np.asarray((np.where(at_peak, whole, kernel) + fading) * np.sqrt(2.0 / count))
