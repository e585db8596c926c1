"""Training of the renderer: frames of the size that is painted first, then whole, in one course.

By steps or by minutes, as the language model's; either goes on where it stopped.
"""

import csv
import logging
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid
from rt_avatar.engines.training.course import (
    Clock,
    Progress,
    check_finite,
    save,
    share_of_rate,
    uses_bfloat16,
)
from rt_avatar.engines.training.face.batches import FRAMES, SIDE_PX, Batch, Batches
from rt_avatar.engines.training.face.losses import Losses, losses
from rt_avatar.engines.training.face.measure import Likeness
from rt_avatar.engines.training.face.optimizer import Optimizer
from rt_avatar.engines.training.schedule import load_checkpoint

_log = logging.getLogger(__name__)
_SMALL_SHARE: Final = 0.85  # of the course, in frames of half the side, the size that is painted
_LARGEST_GRADIENT: Final = 1.0
_CHECKPOINT_S: Final = 60.0
COLUMNS: Final = (
    "step", "seconds", "phase", "loss", "colours", "structure", "edges", "flow", "rate",
    "drawn_ssim", "photographed_ssim",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        work: Folder of checkpoint and curve.
        minutes: How long, all runs together; None: by ``steps``.
        steps: How many; None: by ``minutes``.
        portraits: Of a batch, ``FRAMES`` frames each.
        rate: Highest learning rate.
        seed: Of weights and batches.
        report_every: Steps between two lines of the curve.
        stop: Leave before this step; a later run goes on.
    """

    work: Path
    minutes: float | None = None
    steps: int | None = None
    portraits: int = 3
    rate: float = 1.5e-3
    seed: int = 1
    report_every: int = 50
    stop: int | None = None

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.work / "face.pt"

    @property
    def curve(self) -> Path:
        """Where losses are kept."""
        return self.work / "face.csv"


class Face:
    """Both networks that learn: what looks at portraits, and what draws frames."""

    def __init__(self, pyramid: PortraitPyramid, renderer: NanoRenderer) -> None:
        self.pyramid, self.renderer = pyramid, renderer
        self.modules = (pyramid, renderer)

    def draw(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return (B, 3, S, S) frames and their (B, 2, h, w) flow, fp32."""
        where = next(self.renderer.parameters()).device
        frames = len(batch.windows) // len(batch.sources)
        with torch.autocast(where.type, torch.bfloat16, enabled=uses_bfloat16(where)):
            is_half = batch.sources.shape[-1] < SIDE_PX
            look = self.pyramid.encode if is_half else self.pyramid
            quarter, eighth, smallest = (
                each.repeat_interleave(frames, 0) for each in look(batch.sources)
            )
            source = batch.sources.repeat_interleave(frames, 0)
            drawn, flow = self.renderer.draw(source, quarter, eighth, smallest, batch.windows)
        return drawn.float(), flow.float()


def train(
    face: Face,
    batches: Batches,
    plan: Plan,
    tell: Callable[[str], None] = _log.info,
    measure: Callable[[Face], Likeness] | None = None,
) -> bool:
    """Train from the last checkpoint to the end of the course.

    Args:
        face: Changed.
        batches: What it learns.
        plan: How.
        tell: Takes a line on how it goes.
        measure: Likeness of frames held out, for a line of the curve now and then.

    Returns:
        Whether the course is over; False where ``plan.stop`` ended it.

    Raises:
        FloatingPointError: The loss is no number any more; the checkpoint before stays.
        OSError: The checkpoint cannot be written; the one before stays.
    """
    optimizer = Optimizer(face.modules, plan.rate)
    progress = Progress()
    parts = {
        "pyramid": face.pyramid, "renderer": face.renderer, **optimizer.parts, "progress": progress,
    }  # fmt: skip
    step = load_checkpoint(plan.checkpoint, parts)
    clock = Clock(plan, progress)
    saved_s = progress.seconds
    reported: list[Tensor] = []
    parameters = [value for module in face.modules for value in module.parameters()]
    while (share := clock.share(step)) < 1.0:
        if plan.stop is not None and step >= plan.stop:
            save(plan.checkpoint, step, parts)
            return False
        side = SIDE_PX // 2 if share < _SMALL_SHARE else SIDE_PX
        batch = batches.at(step)
        found = losses(*_drawn(face, batch if side == SIDE_PX else batch.scaled(side)))
        found.total.backward()
        norm = torch.nn.utils.clip_grad_norm_(parameters, _LARGEST_GRADIENT)
        check_finite("renderer", norm, found.total, step, plan.checkpoint, plan.rate)
        rate = share_of_rate(share)
        optimizer.step(rate)
        step += 1
        progress.tokens += plan.portraits * FRAMES
        reported.append(torch.stack([found.total, *_parts(found)]).detach())
        if step % plan.report_every == 0 or clock.share(step) >= 1.0:
            means = torch.stack(reported).mean(0).tolist()
            reported = []
            is_measured = measure is not None and step % (5 * plan.report_every) == 0
            likeness = measure(face) if measure is not None and is_measured else None
            clock.tick()
            _report(plan, progress, step, side, means, plan.rate * rate, likeness)
            tell(_line(clock, progress, step, side, means, likeness))
        if clock.tick() - saved_s >= _CHECKPOINT_S:
            save(plan.checkpoint, step, parts)
            saved_s = progress.seconds
    save(plan.checkpoint, step, parts)
    return True


def _drawn(face: Face, batch: Batch) -> tuple[Tensor, Tensor, Batch]:
    return *face.draw(batch), batch


def _parts(found: Losses) -> tuple[Tensor, ...]:
    return found.colours, found.structure, found.edges, found.flow


def _report(
    plan: Plan,
    progress: Progress,
    step: int,
    side: int,
    means: list[float],
    rate: float,
    likeness: Likeness | None,
) -> None:
    is_new = not plan.curve.exists()
    with plan.curve.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(COLUMNS)
        held_out = ["", ""] if likeness is None else [f"{v:.4f}" for v in astuple(likeness)]
        losses_ = [f"{value:.5f}" for value in means]
        writer.writerow(
            (step, f"{progress.seconds:.1f}", f"{side} px", *losses_, f"{rate:.2e}", *held_out)
        )


def _line(
    clock: Clock,
    progress: Progress,
    step: int,
    side: int,
    means: list[float],
    likeness: Likeness | None,
) -> str:
    speed = progress.tokens / max(progress.seconds, 1e-9)
    total, colours, structure, _, flow = means
    shown = "" if likeness is None else f"; held out: {likeness}"
    return (
        f"{side} px, step {step}: loss {total:.4f} (colours {colours:.4f}, SSIM "
        f"{1 - structure:.4f}, flow {flow:.4f}){shown}; {progress.tokens:,} frames, {speed:.1f}/s; "
        f"{clock.minutes_to_go(step):.1f} min to go"
    )
