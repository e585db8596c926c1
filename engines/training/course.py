"""A course of training, from its beginning or its last checkpoint to its end: what stages share.

By steps (the same batches and rates whatever the machine) or by minutes (the rate falls by the
clock, so that a training of ten minutes is whole after ten). Either goes on where it stopped.
"""

import csv
import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from rt_avatar.engines.networks.trained import write_trained
from rt_avatar.engines.training.schedule import load_checkpoint, save_checkpoint

_log = logging.getLogger(__name__)
_WARMUP_SHARE: Final = 0.02
_COOLDOWN_SHARE: Final = 0.5  # of the course at its end, in which the rate falls to nothing
_LARGEST_GRADIENT: Final = 1.0
_CHECKPOINT_S: Final = 60.0
COLUMNS: Final = ("step", "seconds", "phase", "loss", "rate", "tokens", "held_out")


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        work: Folder of checkpoint and curve.
        minutes: How long, all runs together; None: by ``steps``.
        steps: How many; None: by ``minutes``.
        batch: Tokens of a step.
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


@dataclass(slots=True)
class Progress:
    """What a checkpoint keeps beside weights and optimizer."""

    seconds: float = 0.0
    tokens: int = 0
    epoch: int = 0  # of the replies
    batch: int = 0  # of the epoch: the next one

    def state_dict(self) -> dict[str, Any]:
        """Return it as a checkpoint keeps it."""
        return {name: getattr(self, name) for name in ("seconds", "tokens", "epoch", "batch")}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take it from a checkpoint."""
        for name, value in state.items():
            setattr(self, name, value)


class Course(Protocol):
    """What is learnt, and from what.

    Attributes:
        what: Its name, as errors tell it.
        network: What is trained.
        parts: Of a checkpoint, by name: networks and optimizers.
    """

    what: str
    network: nn.Module
    parts: Mapping[str, Any]

    def phase(self, share: float) -> str:
        """Return which part of the course it is, ``share`` of it being behind."""
        ...

    def loss(self, phase: str, step: int, progress: Progress) -> tuple[Tensor, int]:
        """Return the next batch's loss, and the tokens read for it."""
        ...

    def update(self, share: float) -> None:
        """Change the weights by their gradients, at a share of the highest rate."""
        ...

    def measure(self) -> float:
        """Return a figure of what is held out, for the curve."""
        ...


def step_of(plan: Plan) -> int:
    """Return the step that a run will go on with: the checkpoint's, or the first."""
    if not plan.checkpoint.exists():
        return 0
    return int(torch.load(plan.checkpoint, map_location="cpu", weights_only=True)["step"])


def device() -> torch.device:
    """Return where to train: the GPU if torch sees one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def uses_bfloat16(where: torch.device) -> bool:
    """Return whether layers are computed in bfloat16: where the processor multiplies it faster."""
    return where.type == "cuda" or bool(torch.cpu.get_capabilities().get("avx512_bf16"))


def share_of_rate(share: float) -> float:
    """Return the share of the highest rate at a share of the course: up, level, down."""
    rise = min(1.0, (share + 1e-3) / _WARMUP_SHARE)
    fall = min(1.0, (1.0 - share) / _COOLDOWN_SHARE)
    return max(0.0, min(rise, fall))


def check_beginning(plan: Plan, is_resumed: bool, sizes: Mapping[str, Any], mend: str) -> None:
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
    name = "config" if plan.stage == "coe" else f"{plan.stage}.config"
    record = plan.work / f"{name}.json"
    wanted = json.loads(json.dumps(sizes))
    if plan.checkpoint.exists():
        if not is_resumed:
            raise FileExistsError(
                f"{plan.checkpoint}: expected no checkpoint at the beginning; got one. Go on from "
                "it with --resume, or name another folder with --out"
            )
        found = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else None
        if found != wanted:
            raise ValueError(f"{plan.checkpoint}: {mend}")
    elif is_resumed:
        raise FileNotFoundError(
            f"{plan.checkpoint}: expected a checkpoint to go on from; got none. Leave out --resume"
        )
    record.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")
    if not plan.checkpoint.exists():
        plan.curve.unlink(missing_ok=True)


def write_halves(path: Path, modules: Mapping[str, nn.Module], template: str = "") -> None:
    """Round weights to halves and write them: what is measured then is what will be read.

    Raises:
        OSError: The disk is full; what was there before stays.
    """
    with torch.no_grad():
        for module in modules.values():
            for value in module.parameters():
                value.copy_(value.half())
    temporary = path.with_suffix(f".part{path.suffix}")
    try:
        write_trained(temporary, modules, template, torch.float16)
    except SafetensorError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(
            f"{path}: expected room for the weights; got {error}. Make room, then go on with "
            "--resume: nothing is learnt anew"
        ) from error
    temporary.replace(path)


def follow(course: Course, plan: Plan, tell: Callable[[str], None] = _log.info) -> bool:
    """Train from the last checkpoint to the end of the course.

    Returns:
        Whether the course is over; False where ``plan.stop`` ended it.

    Raises:
        FloatingPointError: The loss is no number any more; the checkpoint before stays.
        OSError: The checkpoint cannot be written; the one before stays.
    """
    progress = Progress()
    parts = {**course.parts, "progress": progress}
    step = load_checkpoint(plan.checkpoint, parts)
    clock = _Clock(plan, progress)
    losses: list[Tensor] = []
    saved_s = progress.seconds
    course.network.train()
    while (share := clock.share(step)) < 1.0:
        if plan.stop is not None and step >= plan.stop:
            _save(plan, step, parts)
            return False
        rate, phase = share_of_rate(share), course.phase(share)
        loss, tokens = course.loss(phase, step, progress)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(course.network.parameters(), _LARGEST_GRADIENT)
        _check_finite(course.what, norm, loss, step, plan)
        course.update(rate)
        step += 1
        progress.tokens += tokens
        losses.append(loss.detach())
        if step % plan.report_every == 0 or clock.share(step) >= 1.0:
            value = float(torch.stack(losses).mean())
            losses = []
            held_out = course.measure() if step % (10 * plan.report_every) == 0 else None
            course.network.train()
            clock.tick()
            _report(plan, progress, step, phase, value, plan.rate * rate, held_out)
            tell(_line(clock, progress, step, phase, value, held_out))
        if clock.tick() - saved_s >= _CHECKPOINT_S:
            _save(plan, step, parts)
            saved_s = progress.seconds
    _save(plan, step, parts)
    return True


class _Clock:
    """How far the course is, by steps or by minutes of all runs together."""

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self._plan, self._progress = plan, progress
        self._last_s = time.monotonic()

    def tick(self) -> float:
        """Add what passed since the last call; return seconds of all runs."""
        now = time.monotonic()
        self._progress.seconds += now - self._last_s
        self._last_s = now
        return self._progress.seconds

    def share(self, step: int) -> float:
        """Return the share of the course that is behind."""
        if self._plan.steps is not None:
            return step / self._plan.steps
        if self._plan.minutes is None:
            raise ValueError("plan: expected minutes or steps; got neither")
        return self._progress.seconds / 60 / self._plan.minutes

    def minutes_to_go(self, step: int) -> float:
        """Return an estimate."""
        share = self.share(step)
        return self._progress.seconds / 60 * (1 - share) / max(share, 1e-9)


def _check_finite(what: str, norm: Tensor, loss: Tensor, step: int, plan: Plan) -> None:
    if not math.isfinite(float(norm)):
        raise FloatingPointError(
            f"{what}: expected a finite loss and gradient, got {loss.item()} and "
            f"{float(norm)} in step {step}; {plan.checkpoint} holds an earlier state: go on with "
            f"--resume and a lower --rate than {plan.rate:g}"
        )


def _save(plan: Plan, step: int, parts: dict[str, Any]) -> None:
    try:
        save_checkpoint(plan.checkpoint, step, parts)
    except (OSError, RuntimeError) as error:  # torch's writer raises RuntimeError on a full disk
        plan.checkpoint.with_suffix(".part").unlink(missing_ok=True)
        raise OSError(
            f"{plan.checkpoint}: expected room for a checkpoint; got {error}. Make room, then go "
            "on with --resume: the checkpoint before is kept"
        ) from error


def _report(
    plan: Plan,
    progress: Progress,
    step: int,
    phase: str,
    loss: float,
    rate: float,
    held_out: float | None,
) -> None:
    is_new = not plan.curve.exists()
    with plan.curve.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(COLUMNS)
        told = "" if held_out is None else f"{held_out:.4f}"
        row = (step, f"{progress.seconds:.1f}", phase, f"{loss:.4f}", f"{rate:.3e}")
        writer.writerow((*row, progress.tokens, told))


def _line(
    clock: _Clock, progress: Progress, step: int, phase: str, loss: float, held_out: float | None
) -> str:
    speed = progress.tokens / max(progress.seconds, 1e-9)
    told = "" if held_out is None else f"; held out: {held_out:.4g}"
    return (
        f"{phase}, step {step}: loss {loss:.3f}{told}; {progress.tokens / 1e6:.2f} M tokens, "
        f"{speed:.0f}/s; {clock.minutes_to_go(step):.1f} min to go"
    )
