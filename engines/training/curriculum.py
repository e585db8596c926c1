"""How a stage is trained: a plan, what is learnt, and the way from a checkpoint to the end.

What any training by the clock needs is in ``course``; here is the loop that language model,
contents, styles and the renderer share.
"""

import csv
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import torch
from torch import Tensor, nn

from rt_avatar.engines.training.course import (
    Clock,
    Progress,
    check_beginning,
    check_finite,
    save,
    share_of_rate,
)
from rt_avatar.engines.training.schedule import load_checkpoint

_log = logging.getLogger(__name__)
_LARGEST_GRADIENT: Final = 1.0
_CHECKPOINT_S: Final = 60.0
_COLUMNS: Final = ("step", "seconds", "phase", "loss", "rate", "units", "held_out")


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        work: Folder of checkpoint and curve.
        minutes: How long, all runs together; None: by ``steps``.
        steps: How many; None: by ``minutes``.
        batch: Tokens of a step; of the renderer, portraits.
        context: Tokens of a row of pretraining.
        rate: Highest learning rate.
        seed: Of weights and batches.
        report_every: Steps between two lines of the curve.
        stop: Leave before this step; a later run goes on.
        stage: Its name, which the curve has.
        state: Name of the checkpoint's file, without its ending.
    """

    work: Path
    minutes: float | None = None
    steps: int | None = None
    batch: int = 2048
    context: int = 128
    rate: float = 1e-2
    seed: int = 1
    report_every: int = 50
    stop: int | None = None
    stage: str = "coe"
    state: str = "llm"

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.work / f"{self.state}.pt"

    @property
    def curve(self) -> Path:
        """Where losses are kept."""
        return self.work / f"{self.stage}.csv"


class Lesson(Protocol):
    """What a stage learns, and from what.

    Attributes:
        what: Its name, as errors tell it.
        unit: What its batches are counted in.
        network: What is trained.
        parts: Of a checkpoint, by name: networks and optimizers.
    """

    what: str
    unit: str
    network: nn.Module
    parts: Mapping[str, Any]

    def phase(self, share: float, step: int) -> str:
        """Return which part of the course it is, ``share`` of it being behind, before a step."""
        ...

    def losses(self, phase: str, step: int, progress: Progress) -> Iterator[tuple[Tensor, int]]:
        """Yield the next batch's loss, and how many units it is of.

        In parts, whose sum it is, where memory holds no whole batch: gradients of one are taken
        before the next is asked for.
        """
        ...

    def update(self, share: float) -> None:
        """Change the weights by their gradients, at a share of the highest rate."""
        ...

    def measure(self) -> float:
        """Return a figure of what is held out, for the curve."""
        ...


def check_sizes(plan: Plan, is_resumed: bool, sizes: Mapping[str, Any], mend: str) -> None:
    """Check that a checkpoint is gone on from only if that is meant, and by what it is of.

    Args:
        plan: Where it is.
        is_resumed: Whether that is meant.
        sizes: What must be as when it began; kept beside the checkpoint.
        mend: What to do where they are not, as a sentence that goes on "got another; ...".

    Raises:
        FileNotFoundError: There is none to go on from.
        FileExistsError: There is one, and nobody said whether to go on from it.
        ValueError: It is of another network.
    """
    check_beginning(plan.checkpoint, is_resumed=is_resumed)
    name = "config" if plan.stage == "coe" else f"{plan.stage}.config"
    record = plan.work / f"{name}.json"
    wanted = json.loads(json.dumps(sizes))
    if plan.checkpoint.exists():
        found = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else None
        if found != wanted:
            raise ValueError(f"{plan.checkpoint}: {mend}")
        return
    record.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")
    plan.curve.unlink(missing_ok=True)


def follow(lesson: Lesson, plan: Plan, tell: Callable[[str], None] = _log.info) -> bool:
    """Train from the last checkpoint to the end of the course.

    Returns:
        Whether the course is over; False where ``plan.stop`` ended it.

    Raises:
        FloatingPointError: The loss is no number any more; the checkpoint before stays.
        OSError: The checkpoint cannot be written; the one before stays.
    """
    progress = Progress()
    parts = {**lesson.parts, "progress": progress}
    step = load_checkpoint(plan.checkpoint, parts)
    clock = Clock(plan, progress)
    losses: list[Tensor] = []
    saved_s = progress.seconds
    lesson.network.train()
    while (share := clock.share(step)) < 1.0:
        if plan.stop is not None and step >= plan.stop:
            save(plan.checkpoint, step, parts)
            return False
        rate, phase = share_of_rate(share), lesson.phase(share, step)
        loss = torch.zeros(())
        for part, units in lesson.losses(phase, step, progress):
            part.backward()
            loss = loss + part.detach()
            progress.units += units
        norm = torch.nn.utils.clip_grad_norm_(lesson.network.parameters(), _LARGEST_GRADIENT)
        check_finite(lesson.what, norm, loss, step, plan.checkpoint, plan.rate)
        lesson.update(rate)
        step += 1
        seconds = clock.tick()  # once a step, so that the one that ends the course is reported
        losses.append(loss)
        if step % plan.report_every == 0 or clock.share(step) >= 1.0:
            value = float(torch.stack(losses).mean())
            losses = []
            held_out = lesson.measure() if step % (10 * plan.report_every) == 0 else None
            lesson.network.train()
            _report(plan, progress, step, phase, value, plan.rate * rate, held_out)
            tell(_line(clock, progress, lesson.unit, step, phase, value, held_out))
        if seconds - saved_s >= _CHECKPOINT_S:
            save(plan.checkpoint, step, parts)
            saved_s = seconds
    save(plan.checkpoint, step, parts)
    return True


def _report(
    plan: Plan,
    progress: Progress,
    step: int,
    phase: str,
    loss: float,
    rate: float,
    held_out: float | None,
) -> None:
    # A full disk leaves an empty file.
    is_new = not plan.curve.exists() or not plan.curve.stat().st_size
    with plan.curve.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(_COLUMNS)
        shown = "" if held_out is None else f"{held_out:.4f}"
        row = (step, f"{progress.seconds:.1f}", phase, f"{loss:.4f}", f"{rate:.3e}")
        writer.writerow((*row, progress.units, shown))


def _line(
    clock: Clock,
    progress: Progress,
    unit: str,
    step: int,
    phase: str,
    loss: float,
    held_out: float | None,
) -> str:
    speed = progress.units / max(progress.seconds, 1e-9)
    shown = "" if held_out is None else f"; held out: {held_out:.4g}"
    return (
        f"{phase}, step {step}: loss {loss:.4g}{shown}; {progress.units:,} {unit}, "
        f"{speed:.3g}/s; {clock.minutes_to_go(step):.1f} min to go"
    )
