"""Sample a style: EDM's preconditioning, Karras' noise levels, the ADPM2 sampler; noise is given.

The loop runs outside the graph, on 256 numbers, so that the network is one export for any number
of steps, and noise is an input: a graph that draws its own can be neither verified nor repeated.

Hazards of the published sampler, kept:

* The schedule's exponent is 9, the sampler's own is 1; they are different numbers.
* The schedule ends with a 0 that is never used: N levels make N - 1 steps, each of two
  evaluations. One level makes no step at all and is an error.
* Nothing is clamped. The time that the network sees is ln(sigma) / 4.

Source: Karras et al. 2022 (arXiv 2206.00364) for preconditioning and levels; k-diffusion's DPM2
ancestral; constants of the published StyleTTS 2 configurations.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float32]
# F(x (B, 1, 256), time (B,)) -> (B, 1, 256): the network, its conditions already bound.
Network: TypeAlias = Callable[[Array, Array], Array]
Denoiser: TypeAlias = Callable[[Array, float], Array]  # D(x, sigma) -> x without its noise

SIGMA_MIN: Final = 1e-4
SIGMA_MAX: Final = 3.0
RHO: Final = 9.0


def noise_levels(steps: int) -> tuple[float, ...]:
    """Return ``steps`` levels from 3 down to 1e-4; the trailing 0 of the schedule is left out.

    Raises:
        ValueError: Fewer than two levels.
    """
    if steps < 2:
        raise ValueError(f"steps: expected at least 2 noise levels, got {steps}")
    high, low = SIGMA_MAX ** (1 / RHO), SIGMA_MIN ** (1 / RHO)
    return tuple((high + i / (steps - 1) * (low - high)) ** RHO for i in range(steps))


def precondition(network: Network, sigma_data: float) -> Denoiser:
    """Return the denoiser D(x; sigma) = c_skip x + c_out F(c_in x, ln(sigma) / 4)."""

    def denoise(x: Array, sigma: float) -> Array:
        both = sigma**2 + sigma_data**2
        time = np.full(len(x), np.log(sigma) / 4, np.float32)
        inner = network((x / np.sqrt(both)).astype(np.float32), time)
        return np.asarray(
            sigma_data**2 / both * x + sigma * sigma_data / np.sqrt(both) * inner, np.float32
        )

    return denoise


def split_step(sigma: float, following: float) -> tuple[float, float, float]:
    """Return ``(up, down, mid)``: noise to add, level to come down to, level of the midpoint."""
    up = float(np.sqrt(following**2 * (sigma**2 - following**2) / sigma**2))
    down = float(np.sqrt(following**2 - up**2))
    return up, down, (sigma + down) / 2


def sample(denoise: Denoiser, noise: Sequence[Array], levels: Sequence[float]) -> Array:
    """Run the ADPM2 sampler.

    Args:
        denoise: D(x; sigma).
        noise: As many standard normal arrays (B, 1, 256) as there are levels: the start, then one
            for each step.
        levels: Falling noise levels.

    Returns:
        (B, 1, 256) the style.

    Raises:
        ValueError: Another number of noise arrays.
    """
    if len(noise) != len(levels):
        raise ValueError(f"noise: expected {len(levels)} arrays, one a level, got {len(noise)}")
    x = levels[0] * noise[0]
    for sigma, following, fresh in zip(levels[:-1], levels[1:], noise[1:], strict=True):
        up, down, mid = split_step(sigma, following)
        slope = (x - denoise(x, sigma)) / sigma
        middle = x + slope * (mid - sigma)
        slope = (middle - denoise(middle, mid)) / mid
        x = x + slope * (down - sigma) + up * fresh
    return np.asarray(x, np.float32)
