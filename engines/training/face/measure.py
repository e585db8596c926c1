"""How alike frames are to what they should be, of faces that nothing was learnt from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import torch

from rt_avatar.engines.rig.looks import LOOKS
from rt_avatar.engines.training.face.batches import SIDE_PX, Batch, batch_of
from rt_avatar.engines.training.face.looks import HELD_OUT
from rt_avatar.engines.training.face.losses import structure
from rt_avatar.engines.training.face.motions import Motions
from rt_avatar.engines.training.face.pictures import Photograph
from rt_avatar.engines.training.face.portraits import DrawnPortrait, PhotographedPortrait, Portrait

if TYPE_CHECKING:
    from rt_avatar.engines.training.face.lesson import Face

_SEED: Final = 7
_AT_ONCE: Final = 12


@dataclass(frozen=True, slots=True)
class Likeness:
    """Mean SSIM over even windows of 7 pixels, of the luminance; NaN where there was no such face.

    Attributes:
        drawn: Of the look held out.
        photographed: Of the photograph held out.
    """

    drawn: float
    photographed: float

    def __str__(self) -> str:
        """Say both."""
        return f"drawn {self.drawn:.4f}, photographed {self.photographed:.4f}"


class HeldOut:
    """Frames of the look and the photograph that are held out.

    Args:
        motions: Of a part that nothing is learnt from.
        photographs: Those held out; there may be none.
        frames: Of each.
    """

    def __init__(self, motions: Motions, photographs: list[Photograph], frames: int) -> None:
        people: list[list[Portrait]] = [
            [DrawnPortrait(LOOKS[HELD_OUT], SIDE_PX)],
            [PhotographedPortrait(*one.square(SIDE_PX)) for one in photographs],
        ]
        self._batches = [
            [
                batch_of([one], motions, np.random.default_rng((_SEED, number)), _AT_ONCE)
                for one in those
                for number in range(-(-frames // _AT_ONCE))
            ]
            for those in people
        ]

    def still(self) -> Likeness:
        """Return how alike the portraits are that nobody moves."""
        return self._mean(lambda batch: batch.sources.repeat_interleave(_AT_ONCE, 0))

    def measure(self, face: "Face") -> Likeness:
        """Return how alike the drawn frames are."""
        return self._mean(lambda batch: face.draw(batch)[0])

    def _mean(self, draw: Callable[[Batch], torch.Tensor]) -> Likeness:
        means = []
        with torch.no_grad():
            for batches in self._batches:
                found = [float(structure(draw(one), one.frames).mean()) for one in batches]
                means.append(float(np.mean(found)) if found else float("nan"))
        return Likeness(*means)
