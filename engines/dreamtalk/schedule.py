"""The noise schedule and DDIM's update, outside the graph: tables once, two products a step.

The network predicts the clean expression itself; sampling is deterministic (eta = 0), so that an
update is ``keep * x + take * clean`` with two numbers a step. Numpy alone.

Source: J. Song, C. Meng, S. Ermon, "Denoising Diffusion Implicit Models", 2021, eq. 12 with
sigma = 0; the linear schedule of J. Ho, A. Jain, P. Abbeel, 2020.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
# x (frames, channels), number of the step 0.. → the clean expressions, same shape.
Denoise: TypeAlias = Callable[[Floats, int], Floats]

DIFFUSION_STEPS: Final = 1000  # T of the training
_FIRST_BETA: Final = 1e-4
_LAST_BETA: Final = 0.02
# Descending from the step that the default of 10 begins with: whatever begins later is fed pure
# noise where the network expects a face that shows through.
FEW_STEPS: Final[Mapping[int, tuple[int, ...]]] = {
    5: (901, 701, 501, 251, 1),
    3: (901, 501, 101),
    2: (901, 301),
    1: (901,),
}


def betas() -> NDArray[np.float64]:
    """Return (1001,) variances of the noise added at t = 0..1000; 0 at t = 0."""
    linear = np.linspace(_FIRST_BETA, _LAST_BETA, DIFFUSION_STEPS)
    return np.concatenate(([0.0], linear))


def alpha_bars() -> NDArray[np.float64]:
    """Return (1001,) shares of the face's variance that are left at t = 0..1000; 1 at t = 0."""
    return np.asarray(np.exp(np.cumsum(np.log1p(-betas()))))


def spaced_steps(count: int) -> tuple[int, ...]:
    """Return ``count`` evenly spaced steps as the published sampler has them, descending to 1.

    Raises:
        ValueError: Even spacing from 1 does not give ``count`` steps.
    """
    apart = DIFFUSION_STEPS // count if count > 0 else 0
    steps = tuple(range(1, DIFFUSION_STEPS + 1, apart)) if apart else ()
    if len(steps) != count or not steps:
        raise ValueError(
            "dreamtalk: expected a number of steps that spaces 1..1000 evenly (1, 2, 4, 5, 8, 10, "
            f"20, 25, 40, 50, 100 ...); got {count}"
        )
    return steps[::-1]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The steps of one sampling, and their updates.

    Attributes:
        steps: t of each step, descending.
        keep: Weight of x in the next x, one a step; 0 at the last.
        take: Weight of the predicted clean expression in it; 1 at the last.
    """

    steps: tuple[int, ...]
    keep: tuple[float, ...]
    take: tuple[float, ...]

    @classmethod
    def of(cls, steps: tuple[int, ...]) -> "Schedule":
        """Cache the updates of a list of steps.

        Args:
            steps: ``spaced_steps(10)``, one of ``FEW_STEPS``, or an own list.

        Raises:
            ValueError: Not strictly descending within 1..1000.
        """
        falling = all(a > b for a, b in pairwise(steps))
        if not steps or not falling or steps[0] > DIFFUSION_STEPS or steps[-1] < 1:
            raise ValueError(
                f"dreamtalk: expected steps strictly descending within 1..{DIFFUSION_STEPS}; "
                f"got {steps}"
            )
        bars = alpha_bars()
        keep, take = [], []
        for step, following in zip(steps, (*steps[1:], 0), strict=True):
            ratio = float(np.sqrt((1 - bars[following]) / (1 - bars[step])))
            keep.append(ratio)
            take.append(float(np.sqrt(bars[following]) - ratio * np.sqrt(bars[step])))
        return cls(steps, tuple(keep), tuple(take))


def sample(denoise: Denoise, noise: Floats, schedule: Schedule, guidance: float = 1.0) -> Floats:
    """Turn noise into expressions.

    Args:
        denoise: The network. With a guidance other than 1 it gets a batch of twice the frames: x
            with the style, then the same x with the null style, and answers in that order.
        noise: (frames, channels) normal.
        schedule: Steps and updates.
        guidance: How far to go beyond the null style; 1 is no guidance and costs nothing.

    Returns:
        (frames, channels), raw coefficients.
    """
    x = noise
    for index, (keep, take) in enumerate(zip(schedule.keep, schedule.take, strict=True)):
        if guidance == 1.0:
            clean = denoise(x, index)
        else:
            styled, null = np.split(denoise(np.concatenate((x, x)), index), 2)
            clean = null + np.float32(guidance) * (styled - null)
        x = np.float32(keep) * x + np.float32(take) * clean if keep else clean
    return x
