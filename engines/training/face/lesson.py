"""What the renderer learns: frames of the size that is painted first, then whole, in one course."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid, crisper
from rt_avatar.engines.training.course import Progress, uses_bfloat16
from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.face.batches import SIDE_PX, Batch, Batches
from rt_avatar.engines.training.face.losses import losses
from rt_avatar.engines.training.face.optimizer import Optimizer

_SMALL_SHARE: Final = 0.85  # of the course, in frames of half the side, the size that is painted


class Face(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """Both networks that learn: what looks at portraits, and what draws frames."""

    def __init__(self, pyramid: PortraitPyramid, renderer: NanoRenderer) -> None:
        super().__init__()
        self.pyramid, self.renderer = pyramid, renderer

    def draw(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return (B, 3, S, S) frames and their (B, 2, h, w) flow, fp32."""
        where = next(self.renderer.parameters()).device
        frames = len(batch.windows) // len(batch.sources)
        with torch.autocast(where.type, torch.bfloat16, enabled=uses_bfloat16(where)):
            sources = batch.sources
            half = sources if sources.shape[-1] < SIDE_PX else functional.avg_pool2d(sources, 2)
            crisp, quarter, eighth, smallest = (
                each.repeat_interleave(frames, 0)
                for each in (crisper(sources), *self.pyramid.encode(half))
            )
            drawn, flow = self.renderer.draw(crisp, quarter, eighth, smallest, batch.windows)
        return drawn.float(), flow.float()


class FaceLesson:
    """The renderer's course.

    Args:
        face: On the device that it is trained on.
        batches: What it learns.
        plan: How.
        measure: Likeness of frames held out.
    """

    what, unit = "renderer", "frames"

    def __init__(
        self, face: Face, batches: Batches, plan: Plan, measure: Callable[[Face], float]
    ) -> None:
        self.network, self._batches, self._measure = face, batches, measure
        self._optimizer = Optimizer(face, plan.rate)
        self.parts: Mapping[str, Any] = {
            "pyramid": face.pyramid, "renderer": face.renderer, **self._optimizer.parts,
        }  # fmt: skip

    def phase(self, share: float, step: int) -> str:
        """Return the size of frames."""
        return f"{SIDE_PX // 2 if share < _SMALL_SHARE else SIDE_PX} px"

    def losses(self, phase: str, step: int, progress: Progress) -> Iterator[tuple[Tensor, int]]:
        """Yield the next batch's loss, and its frames."""
        batch = self._batches.at(step)
        if phase == self.phase(0.0, 0):
            batch = batch.scaled(SIDE_PX // 2)
        yield losses(*self.network.draw(batch), batch).total, len(batch.windows)

    def update(self, share: float) -> None:
        """Change the weights."""
        self._optimizer.step(share)

    def measure(self) -> float:
        """Return the figure of what is held out."""
        return self._measure(self.network)
