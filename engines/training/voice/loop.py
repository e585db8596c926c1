"""What all stages share: steps with a clock, checkpoints that survive a stop, a curve on disk."""

import csv
import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.nano_tts.voice import Voice
from rt_avatar.engines.training.schedule import write_state

_log = logging.getLogger(__name__)
_WARMUP_STEPS: Final = 200
_CHECKPOINT_STEPS: Final = 100
_WHOLE: Final = ("spoken", "adversarial", "variance", "joint")  # stages of all, the last one first
_STAGES: Final = ("generator", "text", *reversed(_WHOLE))


@dataclass(frozen=True, slots=True)
class Plan:
    """How a stage runs.

    Attributes:
        stage: Its name; checkpoint and curve are named by it.
        work: Folder for both.
        steps: In all.
        rate: Highest learning rate.
        seed: Of the batches.
        report_every: Steps between two measurements on held-out sentences.
        begin: Exported weights to begin from where there is no checkpoint yet.
        stop: Leave before this step of ``steps``; a later run goes on from there.
    """

    stage: str
    work: Path
    steps: int
    rate: float
    seed: int = 1
    report_every: int = 200
    begin: Path | None = None
    stop: int | None = None

    @property
    def checkpoint(self) -> Path:
        """Where the stage's state is kept."""
        return self.work / f"{self.stage}.pt"


def rate_at(plan: Plan, step: int) -> float:
    """A short rise, then half a cosine down to a twentieth."""
    rise = min(1.0, (step + 1) / _WARMUP_STEPS)
    fall = 0.5 + 0.5 * math.cos(math.pi * min(step / plan.steps, 1.0))
    return plan.rate * rise * (0.05 + 0.95 * fall)


def run(
    plan: Plan,
    parts: Mapping[str, Any],
    train_step: Callable[[int, float], Mapping[str, float]],
    evaluate: Callable[[], Mapping[str, float]],
) -> None:
    """Train from the last checkpoint to ``plan.steps``.

    Args:
        plan: How.
        parts: Modules and optimizers that the checkpoint keeps, by name.
        train_step: (step, learning rate) → losses.
        evaluate: → measures on held-out sentences.

    Raises:
        FileExistsError: The stage began before one that comes before it was trained.
        OSError: The checkpoint cannot be written; the one before it stays.
    """
    if plan.begin is None:
        _check_order(plan.work, plan.stage)
    first, spent_s, began_at = _resume(plan, parts)
    began_s = time.monotonic()
    sums: dict[str, float] = {}
    counted = 0
    end = plan.steps if plan.stop is None else min(plan.stop, plan.steps)
    if first >= end:
        _log.info("%s: nothing to do: %d of %d steps are done", plan.stage, first, end)
    for step in range(first, end):
        for name, value in train_step(step, rate_at(plan, step)).items():
            sums[name] = sums.get(name, 0.0) + value
        counted += 1
        done = step + 1
        last = done == end
        if done % _CHECKPOINT_STEPS == 0 or last:
            _save(plan, parts, done, spent_s + time.monotonic() - began_s, began_at)
        if done % plan.report_every == 0 or last:
            seconds = spent_s + time.monotonic() - began_s
            row = {"step": float(done), "seconds": seconds}
            row |= {name: value / counted for name, value in sums.items()}
            row |= {f"held_out_{name}": value for name, value in evaluate().items()}
            _write_row(plan, row)
            left = (time.monotonic() - began_s) / (done - first) * (end - done) / 60
            losses = " ".join(f"{name} {value:.3f}" for name, value in list(row.items())[2:])
            _log.info("%s %d of %d: %s; %.1f min to go", plan.stage, done, plan.steps, losses, left)
            sums, counted = {}, 0


def _resume(plan: Plan, parts: Mapping[str, Any]) -> tuple[int, float, float]:
    """Load the checkpoint; return the step, the seconds that were spent, and when it began."""
    if not plan.checkpoint.exists():
        return 0, 0.0, time.time()
    state = torch.load(plan.checkpoint, map_location="cpu", weights_only=True)
    for name, part in parts.items():
        if isinstance(part, torch.optim.Optimizer):
            _keep_device(part, state[name])
        part.load_state_dict(state[name])
    _log.info("%s: going on from step %d", plan.stage, state["step"])
    return int(state["step"]), float(state["seconds"]), float(state.get("began_at", 0.0))


def _keep_device(optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Put into a state what depends on the device: it may have been kept on another one."""
    for own, kept in zip(optimizer.param_groups, state["param_groups"], strict=True):
        kept |= {name: own[name] for name in ("lr", "capturable")}


def _save(plan: Plan, parts: Mapping[str, Any], step: int, seconds: float, began_at: float) -> None:
    state = {name: part.state_dict() for name, part in parts.items()}
    times = {"seconds": seconds, "began_at": began_at, "saved_at": time.time()}
    write_state(plan.checkpoint, {"step": step, **times, **state})


def _check_order(work: Path, stage: str) -> None:
    """Check that each whole stage up to one has begun after those before it were trained.

    Raises:
        FileExistsError: One has not: what it made lacks what they learnt.
    """
    order = _STAGES[: _STAGES.index(stage) + 1]
    times = {
        path: torch.load(path, map_location="cpu", weights_only=True, mmap=True)
        for path in (work / f"{one}.pt" for one in order)
        if path.exists()
    }
    for later, its in times.items():
        for earlier, others in times.items():
            if later.stem not in _WHOLE or order.index(earlier.stem) >= order.index(later.stem):
                continue
            # Older versions kept no times.
            if 0.0 < its.get("began_at", 0.0) < others.get("saved_at", 0.0):
                raise FileExistsError(
                    f"{later}: expected to go on from {earlier.name}; it began before that was "
                    "trained. Remove it, or name another --work"
                )


def _write_row(plan: Plan, row: dict[str, float]) -> None:
    path = plan.work / f"{plan.stage}.csv"
    fresh = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        if fresh:
            writer.writeheader()
        writer.writerow({name: f"{value:.5g}" for name, value in row.items()})


def stage_weights(work: Path, stage: str) -> dict[str, Tensor]:
    """Return the running mean of a stage's weights.

    Raises:
        FileNotFoundError: The stage was not run.
    """
    path = work / f"{stage}.pt"
    if not path.exists():
        raise FileNotFoundError(f"{path}: expected the stage {stage!r} to be trained first")
    state: dict[str, Tensor] = torch.load(path, map_location="cpu", weights_only=True)["mean"]
    return {
        name.removeprefix("module."): value for name, value in state.items() if name != "n_averaged"
    }


def load_voice(config: NanoTtsConfig, work: Path) -> Voice:
    """Return the voice of the last whole stage, or where none was run, of the two parts' own.

    Raises:
        FileExistsError: That stage began before one that comes before it was trained.
        FileNotFoundError: Nothing is trained yet.
    """
    voice = Voice(config)
    whole = [stage for stage in _WHOLE if (work / f"{stage}.pt").exists()]
    if whole:
        _check_order(work, whole[0])
        voice.load_state_dict(stage_weights(work, whole[0]))
    else:
        voice.acoustic.load_state_dict(stage_weights(work, "text"))
        voice.generator.load_state_dict(stage_weights(work, "generator"))
    voice.eval()
    return voice
