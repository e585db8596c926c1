"""The harmonic source of the decoder: F0 → sines and noise, outside the graphs, sample-exact.

In the reference the source is part of the decoder and cannot leave the GPU whole:

* its phase grows without bound; fp32 loses it after some seconds, fp16 after 65,504 rad, when all
  of the sound becomes NaN without an error. Here the phase is kept modulo one cycle in float64,
  which is within the reference's own rounding error and never worse;
* it draws noise. Here noise is a function of the sample's number, so that windows which overlap
  agree, a stream equals the whole, and a run can be repeated;
* its random initial phase has no effect at all (the down-sampling reads other samples), so that
  phases are deterministic.

The closed form of what remains: the phase of harmonic h at the centre of frame i (sample
300 i + 149.5) is the sum of 300 frac(h F0[k] / 24000) cycles over k ≤ i; it is linear between
centres and held before the first and after the last. So a sample needs the frame after it: the
source lags the F0 by half a frame.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.styletts2.recipe import SourceRecipe

Doubles: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float32]


class PhaseTrack:
    """The phases of all harmonics at the centres of F0 frames: one caller's state, modulo a cycle.

    A single pass over the frames is the whole algorithm, so any chunking gives the same phases.
    """

    def __init__(self, recipe: SourceRecipe) -> None:
        self._orders = np.arange(1, recipe.harmonics + 1, dtype=np.float64)
        self._recipe = recipe
        self.cycles = np.zeros(recipe.harmonics)  # at the last frame's centre, in [0, 1)

    def push(self, f0: Floats) -> tuple[Doubles, Doubles]:
        """Take F0 frames (n,) in Hz; return phases at their centres and what each one advanced.

        Returns:
            Cycles in [0, 1), (n, harmonics), and the cycles from the centre before, (n, harmonics).
        """
        per_sample = np.outer(f0.astype(np.float64), self._orders) / self._recipe.sample_rate_hz
        advance = np.mod(per_sample, 1.0) * self._recipe.samples_per_frame
        # The fraction is taken of each sum anew, frame by frame: a chunk's border changes nothing.
        cycles = np.empty_like(advance)
        for index, step in enumerate(advance):
            self.cycles = np.mod(self.cycles + step, 1.0)
            cycles[index] = self.cycles
        return cycles, advance


class SamplePhases:
    """F0 frames → the phases of every sample, in chunks of any size, half a frame late."""

    def __init__(self, recipe: SourceRecipe) -> None:
        self._recipe = recipe
        self._track = PhaseTrack(recipe)
        self._last_cycles: Doubles | None = None  # (harmonics,) at the last frame's centre
        self._last_hz = np.float32(0.0)
        self.samples = 0  # given so far

    def push(self, f0: Floats) -> tuple[Doubles, Floats]:
        """Take F0 frames (n,) in Hz.

        Returns:
            Cycles of the samples that are decided, (m, harmonics), and the F0 of the frame that
            each of them lies in, (m,).
        """
        if len(f0) == 0:
            return np.zeros((0, self._recipe.harmonics)), np.zeros(0, np.float32)
        cycles, advance = self._track.push(f0)
        width, half = self._recipe.samples_per_frame, self._recipe.samples_per_frame // 2
        fresh = self._last_cycles is None
        before = cycles[0] if self._last_cycles is None else self._last_cycles
        starts = np.concatenate([before[None], cycles[:-1]])  # (n, harmonics) the centre before
        share = ((np.arange(width) + 0.5) / width)[None, :, None]  # of the way between the centres
        steps = advance.copy()
        if fresh:
            steps[0] = 0.0  # before the first centre the phase is held
        phases = (starts[:, None] + share * steps[:, None]).reshape(-1, self._recipe.harmonics)
        leading = f0[:1] if fresh else np.array([self._last_hz])
        hz = np.repeat(np.concatenate([leading, f0[:-1]]), width).reshape(-1, width)
        hz[:, half:] = f0[:, None]
        skipped = half if fresh else 0  # half a frame before sample 0
        self._last_cycles, self._last_hz = cycles[-1], f0[-1]
        self.samples += len(phases) - skipped
        return phases[skipped:], hz.reshape(-1)[skipped:].astype(np.float32)

    def flush(self) -> tuple[Doubles, Floats]:
        """Return the last half frame, as if the F0 ended here, in the form of ``push``."""
        if self._last_cycles is None:
            return self.push(np.zeros(0, np.float32))
        half = self._recipe.samples_per_frame // 2
        held = np.broadcast_to(self._last_cycles, (half, self._recipe.harmonics))
        self._last_cycles = None
        self.samples += half
        return held, np.full(half, self._last_hz, np.float32)


class HarmonicSource:
    """F0 frames → the source's samples, in chunks of any size, half a frame late until ``flush``.

    Args:
        weight: (harmonics,) of the network's ``m_source.l_linear``.
        bias: Of the same.
        recipe: Constants.
        seed: Of the noise.
    """

    def __init__(
        self, weight: Floats, bias: float, recipe: SourceRecipe | None = None, seed: int = 0
    ) -> None:
        self._recipe = recipe or SourceRecipe()
        self._weight = weight.reshape(-1).astype(np.float64)
        self._bias = float(bias)
        self._seed = seed
        if self._weight.size != self._recipe.harmonics:
            raise ValueError(
                f"source: expected {self._recipe.harmonics} weights, one a harmonic, "
                f"got {self._weight.size}"
            )
        self.reset()

    def reset(self) -> None:
        """Forget everything: afterwards the source equals a fresh one."""
        self._phases = SamplePhases(self._recipe)

    def push(self, f0: Floats) -> Floats:
        """Take F0 frames (n,) in Hz; return the samples that are decided, (m,), within -1..1."""
        first = self._phases.samples
        return self._sound(*self._phases.push(f0), first)

    def flush(self) -> Floats:
        """Return the last half frame, as if the F0 ended here; (150,) samples or none."""
        first = self._phases.samples
        return self._sound(*self._phases.flush(), first)

    def _sound(self, cycles: Doubles, hz: Floats, first: int) -> Floats:
        recipe = self._recipe
        noise = keyed_noise(self._seed, first, len(hz), recipe.harmonics)
        gate = (hz > recipe.voiced_above_hz)[:, None]
        amplitude = np.where(gate, recipe.voiced_noise, recipe.unvoiced_noise)
        waves = recipe.sine_amplitude * gate * np.sin(2.0 * np.pi * cycles) + amplitude * noise
        # A sum, not a product of matrices: that one's rounding depends on the chunk's length.
        mixed = (waves * self._weight).sum(axis=1) + self._bias
        return np.asarray(np.tanh(mixed), np.float32)
