"""What a drawn frame is told: colours, structure, edges, and flow where it is known."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from rt_avatar.engines.training.face.batches import Batch

_STRUCTURE: Final = 0.5
_EDGES: Final = 1.0
_FLOW: Final = 4.0
_WINDOW: Final = 7  # places a side over which structure is compared
_LUMA: Final = (0.299, 0.587, 0.114)
_C1, _C2 = (0.01 * 2) ** 2, (0.03 * 2) ** 2  # of SSIM, for colours that span 2


@dataclass(frozen=True, slots=True)
class Losses:
    """Means over a batch: each a scalar.

    Attributes:
        colours: Absolute difference, by attention.
        structure: 1 - SSIM of luminance, by attention.
        edges: Absolute difference of the steps between neighbours, by attention.
        flow: Distance of the flow from the known one, in halves of the side.
    """

    colours: Tensor
    structure: Tensor
    edges: Tensor
    flow: Tensor

    @property
    def total(self) -> Tensor:
        """What is made small."""
        return self.colours + _STRUCTURE * self.structure + _EDGES * self.edges + _FLOW * self.flow


def losses(drawn: Tensor, flow: Tensor, batch: Batch) -> Losses:
    """Compare frames (B, 3, S, S) and their flow (B, 2, h, w) with what they should be."""
    counts = batch.attention / batch.attention.mean()
    difference = drawn - batch.frames
    across = (difference[..., 1:] - difference[..., :-1]).abs() * counts[..., 1:]
    down = (difference[..., 1:, :] - difference[..., :-1, :]).abs() * counts[..., 1:, :]
    coarse = functional.interpolate(flow, batch.flows.shape[-2:], mode="area")
    distance = (coarse - batch.flows).abs() * batch.known
    return Losses(
        colours=(difference.abs() * counts).mean(),
        structure=((1 - structure(drawn, batch.frames)) * counts).mean(),
        edges=across.mean() + down.mean(),
        flow=distance.sum() / (2 * batch.known.sum().clamp(min=1)),
    )


def structure(first: Tensor, second: Tensor) -> Tensor:
    """Return SSIM of luminance at each place (B, 1, S, S), over even windows.

    Source: Z. Wang et al., "Image quality assessment: from error visibility to structural
    similarity", IEEE TIP 13 (2004).
    """
    x, y = luma(first), luma(second)
    around = [x, y, x * x, y * y, x * y]
    means = functional.avg_pool2d(
        torch.cat(around, 1), _WINDOW, 1, _WINDOW // 2, count_include_pad=False
    )
    x, y, xx, yy, xy = means.split(1, 1)
    contrast = (2 * (xy - x * y) + _C2) / ((xx - x * x) + (yy - y * y) + _C2)
    return contrast * (2 * x * y + _C1) / (x * x + y * y + _C1)


def luma(pictures: Tensor) -> Tensor:
    """Return (B, 1, S, S) luminance of (B, 3, S, S)."""
    weights = pictures.new_tensor(_LUMA)[:, None, None]
    return (pictures * weights).sum(1, keepdim=True)
