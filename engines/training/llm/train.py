"""Training of the language model: pretraining, then the chain of empathy, in one course.

By steps (the same batches and rates whatever the machine) or by minutes (the rate falls by the
clock, so that a training of ten minutes is whole after ten). Either goes on where it stopped.
"""

import csv
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.training.llm.dataset import Dataset, pretraining_batch, reply_batches
from rt_avatar.engines.training.llm.optimizer import Optimizer
from rt_avatar.engines.training.schedule import load_checkpoint, save_checkpoint

_log = logging.getLogger(__name__)
_PRETRAINING_SHARE: Final = 0.6  # of the course; the rest is the chain of empathy
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

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.work / "llm.pt"

    @property
    def curve(self) -> Path:
        """Where losses are kept."""
        return self.work / "coe.csv"


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


def token_losses(model: Llama, ids: Tensor, counts: Tensor) -> Tensor:
    """Return the loss of each token that counts, in order (K,), fp32.

    Args:
        model: Its attention is causal, so what pads the end of a row changes nothing before it.
        ids: (B, S).
        counts: (B, S) bool; the first token of a row is never predicted.
    """
    llama = model.model
    states = llama.model(ids[:, :-1], use_cache=False).last_hidden_state
    logits = llama.lm_head(states[counts[:, 1:]])
    return functional.cross_entropy(logits.float(), ids[:, 1:][counts[:, 1:]], reduction="none")


def share_of_rate(share: float) -> float:
    """Return the share of the highest rate at a share of the course: up, level, down."""
    rise = min(1.0, (share + 1e-3) / _WARMUP_SHARE)
    fall = min(1.0, (1.0 - share) / _COOLDOWN_SHARE)
    return max(0.0, min(rise, fall))


def train(
    model: Llama,
    dataset: Dataset,
    plan: Plan,
    tell: Callable[[str], None] = _log.info,
    measure: Callable[[Llama], float] | None = None,
) -> bool:
    """Train from the last checkpoint to the end of the course.

    Args:
        model: Changed; on the device that it is trained on.
        dataset: What it learns.
        plan: How.
        tell: Takes a line on how it goes.
        measure: A figure of replies held out, for a line of the curve now and then.

    Returns:
        Whether the course is over; False where ``plan.stop`` ended it.

    Raises:
        FloatingPointError: The loss is no number any more; the checkpoint before stays.
        OSError: The checkpoint cannot be written; the one before stays.
    """
    optimizer = Optimizer(model, plan.rate)
    progress = Progress()
    parts = {"model": model, **optimizer.parts, "progress": progress}
    step = load_checkpoint(plan.checkpoint, parts)
    clock = _Clock(plan, progress)
    batches = _Batches(dataset, plan, progress)
    losses: list[Tensor] = []
    saved_s = progress.seconds
    where = next(model.parameters()).device
    model.train()
    while (share := clock.share(step)) < 1.0:
        if plan.stop is not None and step >= plan.stop:
            _save(plan, step, parts)
            return False
        rate = share_of_rate(share)
        phase = "pretraining" if share < _PRETRAINING_SHARE else "chain"
        ids, counts = batches.next(phase, step)
        with torch.autocast(where.type, torch.bfloat16, enabled=uses_bfloat16(where)):
            loss = token_losses(model, ids.to(where), counts.to(where)).mean()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), _LARGEST_GRADIENT)
        _check_finite(norm, loss, step, plan)
        optimizer.step(rate)
        step += 1
        progress.tokens += ids.numel()
        losses.append(loss.detach())
        if step % plan.report_every == 0 or clock.share(step) >= 1.0:
            value = float(torch.stack(losses).mean())
            losses = []
            held_out = measure(model) if measure and step % (10 * plan.report_every) == 0 else None
            model.train()
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


class _Batches:
    """Batches of the two phases; which comes next is in ``progress``."""

    def __init__(self, dataset: Dataset, plan: Plan, progress: Progress) -> None:
        self._dataset, self._plan, self._progress = dataset, plan, progress
        self._epoch: tuple[int, list[np.ndarray]] | None = None

    def next(self, phase: str, step: int) -> tuple[Tensor, Tensor]:
        """Return ids (B, S) and what counts of them."""
        plan = self._plan
        if phase == "pretraining":
            rows = max(1, plan.batch // plan.context)
            ids = pretraining_batch(self._dataset.streams, rows, plan.context, (plan.seed, step))
            return _tensor(ids), torch.ones(ids.shape, dtype=torch.bool)
        progress, replies = self._progress, self._dataset.replies
        if self._epoch is None or self._epoch[0] != progress.epoch:
            seed = (plan.seed, progress.epoch)
            self._epoch = (progress.epoch, reply_batches(replies.lengths, plan.batch, seed))
        ids, counts = replies.rows(self._epoch[1][progress.batch])
        progress.batch += 1
        if progress.batch == len(self._epoch[1]):
            progress.epoch, progress.batch = progress.epoch + 1, 0
        return _tensor(ids), torch.from_numpy(counts)


def _tensor(ids: np.ndarray) -> Tensor:
    return torch.from_numpy(ids.astype(np.int64))


def _check_finite(norm: Tensor, loss: Tensor, step: int, plan: Plan) -> None:
    if not math.isfinite(float(norm)):
        raise FloatingPointError(
            f"language model: expected a finite loss and gradient, got {loss.item()} and "
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
        shown = "" if held_out is None else f"{held_out:.4f}"
        row = (step, f"{progress.seconds:.1f}", phase, f"{loss:.4f}", f"{rate:.3e}")
        writer.writerow((*row, progress.tokens, shown))


def _line(
    clock: _Clock, progress: Progress, step: int, phase: str, loss: float, held_out: float | None
) -> str:
    speed = progress.tokens / max(progress.seconds, 1e-9)
    shown = "" if held_out is None else f"; held out: {held_out:.1f} a word"
    return (
        f"{phase}, step {step}: loss {loss:.3f}{shown}; {progress.tokens / 1e6:.2f} M tokens, "
        f"{speed:.0f}/s; {clock.minutes_to_go(step):.1f} min to go"
    )
