"""What a training by the clock is made of: its course, its rate, its device, its checkpoints.

By steps (the same batches and rates whatever the machine) or by minutes (the rate falls by the
clock, so that a training of ten minutes is whole after ten).
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_trained, write_trained
from rt_avatar.engines.training.schedule import read_checkpoint, save_checkpoint

_WARMUP_SHARE: Final = 0.02
_COOLDOWN_SHARE: Final = 0.5  # of the course at its end, in which the rate falls to nothing


class Course(Protocol):
    """How long a training is: by minutes of all runs together, or else by steps."""

    @property
    def minutes(self) -> float | None:
        """Of all runs; None: by ``steps``."""
        ...

    @property
    def steps(self) -> int | None:
        """How many; None: by ``minutes``."""
        ...


@dataclass(slots=True)
class Progress:
    """What a checkpoint keeps beside weights and optimizer."""

    seconds: float = 0.0
    units: int = 0  # read so far, as ``Lesson.unit`` has it
    epoch: int = 0  # of the replies
    batch: int = 0  # of the epoch: the next one

    def state_dict(self) -> dict[str, Any]:
        """Return it as a checkpoint keeps it."""
        return {name: getattr(self, name) for name in ("seconds", "units", "epoch", "batch")}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take it from a checkpoint."""
        for name, value in state.items():
            setattr(self, name, value)


def step_of(checkpoint: Path) -> int:
    """Return the step that a run will go on with: the checkpoint's, or the first.

    Raises:
        ValueError: The checkpoint is damaged.
    """
    return int(read_checkpoint(checkpoint)["step"]) if checkpoint.exists() else 0


def check_beginning(checkpoint: Path, *, is_resumed: bool) -> None:
    """Check that a checkpoint is gone on from only if that is meant.

    Raises:
        FileExistsError: There is a checkpoint, and nobody said whether to go on from it.
        FileNotFoundError: There is none to go on from.
    """
    if checkpoint.exists() and not is_resumed:
        raise FileExistsError(
            f"{checkpoint}: expected no checkpoint at the beginning; got one. Go on from "
            "it with --resume, or name another folder with --out"
        )
    if is_resumed and not checkpoint.exists():
        raise FileNotFoundError(
            f"{checkpoint}: expected a checkpoint to go on from; got none. Leave out --resume"
        )


def device() -> torch.device:
    """Return where to train: the GPU if torch sees one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def device_name() -> str:
    """Return where it is trained, as cards tell it."""
    where = device()
    return str(torch.cuda.get_device_name(where)) if where.type == "cuda" else "a CPU"


def uses_bfloat16(where: torch.device) -> bool:
    """Return whether layers are computed in bfloat16: where the processor multiplies it faster."""
    return where.type == "cuda" or bool(torch.cpu.get_capabilities().get("avx512_bf16"))


def share_of_rate(share: float) -> float:
    """Return the share of the highest rate at a share of the course: up, level, down."""
    rise = min(1.0, (share + 1e-3) / _WARMUP_SHARE)
    fall = min(1.0, (1.0 - share) / _COOLDOWN_SHARE)
    return max(0.0, min(rise, fall))


class Clock:
    """How far the course is, by steps or by minutes of all runs together."""

    def __init__(self, plan: Course, progress: Progress) -> None:
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


def check_finite(
    name: str, norm: Tensor, loss: Tensor, step: int, checkpoint: Path, rate: float
) -> None:
    """Check that a step has not broken the network.

    Raises:
        FloatingPointError: It has; says how to go on.
    """
    if not math.isfinite(float(norm)):
        raise FloatingPointError(
            f"{name}: expected a finite loss and gradient, got {loss.item()} and "
            f"{float(norm)} in step {step}; {checkpoint} holds an earlier state: go on with "
            f"--resume and a lower --rate than {rate:g}"
        )


def save(path: Path, step: int, parts: Mapping[str, Any]) -> None:
    """Write a checkpoint, whole or not at all.

    Raises:
        OSError: It cannot be written; the one before stays.
    """
    try:
        save_checkpoint(path, step, parts)
    except OSError as error:
        raise OSError(
            f"{error}. Make room, then go on with --resume: the checkpoint before is kept"
        ) from error


def write_parts(path: Path, modules: Mapping[str, nn.Module], template: str = "") -> None:
    """Write weights rounded, and take them so: what is measured afterwards is what is read.

    Args:
        path: A .safetensors, replaced whole or not at all.
        modules: By part, as ``engines.networks.trained`` names and rounds them.
        template: Of a language model among them.

    Raises:
        OSError: It cannot be written.
    """
    write_whole(path, lambda part: write_trained(part, modules, template, torch.float16))
    written = read_trained(path)
    for part, module in modules.items():
        load_strict(module, written[part])


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Write weights, whole or not at all.

    Args:
        path: A .safetensors, replaced.
        write: Writes them to the path that it is given.

    Raises:
        OSError: They cannot be written.
    """
    temporary = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        write(temporary)
    except (OSError, SafetensorError) as error:
        temporary.unlink(missing_ok=True)
        raise OSError(
            f"{path}: expected room for the weights; got {error}. Make room, then go on with "
            "--resume: nothing is learnt anew"
        ) from error
    temporary.replace(path)
