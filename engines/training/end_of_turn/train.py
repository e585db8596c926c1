"""Training: ``Example``s → weights, seeded, with checkpoints from which it goes on."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from rt_avatar.engines.end_of_turn.features import BANDS, FEATURES, WINDOW_S
from rt_avatar.engines.training.end_of_turn.examples import Example
from rt_avatar.engines.training.end_of_turn.model import EndOfTurnNetwork, export
from rt_avatar.engines.training.schedule import load_checkpoint, save_checkpoint, share_of_rate

_log = logging.getLogger(__name__)
_BATCH: Final = 64
_RATE: Final = 4e-3
_WARMUP_STEPS: Final = 20
_REPORT_STEPS: Final = 40
_DROPOUT: Final = 0.2
_LONGEST: Final = 420  # windows of a turn, 13 s; of longer ones the end
# Most is decided early in a silence, and a long one shall not count more than its decision.
_FADE_S: Final = 0.6
_HOLD_WEIGHT: Final = 1.5  # to be cut off is worse than to wait


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and from where: ``steps`` in all, ``seed``, ``checkpoint`` (written and resumed)."""

    steps: int
    seed: int
    checkpoint: Path


def train(
    examples: Sequence[Example], others: Sequence[Example], plan: Plan
) -> dict[str, np.ndarray]:
    """Return the weights after ``plan.steps``: their running mean, which is steadier.

    Args:
        examples: To learn from.
        others: To tell how good it is meanwhile.
        plan: How long.
    """
    torch.manual_seed(plan.seed)
    model = EndOfTurnNetwork(_DROPOUT)
    mean = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.97)
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE, weight_decay=0.02)
    parts = {"model": model, "mean": mean, "optimizer": optimizer}
    first = load_checkpoint(plan.checkpoint, parts)
    began_s = time.monotonic()
    for step in range(first, plan.steps):
        dice = np.random.default_rng((plan.seed, step))
        for group in optimizer.param_groups:
            group["lr"] = _RATE * share_of_rate(step, plan.steps, _WARMUP_STEPS)
        rows, asked, weights = _batch(examples, dice)
        loss = _loss(model(rows), asked, weights)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        mean.update_parameters(model)
        done = step + 1
        if done % _REPORT_STEPS == 0 or done == plan.steps:
            minutes = (time.monotonic() - began_s) / 60
            _log.info(
                "step %d of %d: loss %.4f, others %.4f; %.1f min to go",
                done, plan.steps, loss.item(), evaluate(mean.module, others),
                minutes / (done - first) * (plan.steps - done),
            )  # fmt: skip
            save_checkpoint(plan.checkpoint, done, parts)
    return export(mean.module)


def _batch(examples: Sequence[Example], dice: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return rows (B, T, FEATURES) of some turns, changed a little, what is asked, and weights."""
    chosen = dice.choice(len(examples), min(_BATCH, len(examples)), replace=False)
    rows, asked, weights = _padded([examples[index] for index in chosen])
    bands = rows[..., :BANDS]
    tilt = dice.normal(0, 0.05, (len(rows), 1, 1)) * np.linspace(-1, 1, BANDS)
    level = dice.normal(0, 0.04, (len(rows), 1, BANDS))
    heard = np.where(bands > 0, bands + (tilt + level), 0)
    floor = dice.uniform(0, 0.25, (len(rows), 1, 1)) * (dice.random((len(rows), 1, 1)) < 0.4)
    rows[..., :BANDS] = np.maximum(np.maximum(heard, floor), 0)
    rows[..., BANDS] = np.maximum(rows[..., BANDS], floor[..., 0])
    return torch.from_numpy(rows), torch.from_numpy(asked), torch.from_numpy(weights)


def _padded(examples: Sequence[Example]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    length = min(_LONGEST, max(len(one.rows) for one in examples))
    rows = np.zeros((len(examples), length, FEATURES), np.float32)
    asked, weights = (np.zeros((len(examples), length), np.float32) for _ in range(2))
    for index, one in enumerate(examples):
        cut = max(0, len(one.rows) - length)
        count = len(one.rows) - cut
        rows[index, :count] = one.rows[cut:]
        asked[index, :count], weights[index, :count] = (values[cut:] for values in targets(one))
    return rows, asked, weights


def targets(one: Example) -> tuple[np.ndarray, np.ndarray]:
    """Return (T,) whether the turn is over in each window, and how much the window counts."""
    asked, weights = (np.zeros(len(one.rows), np.float32) for _ in range(2))
    for index, (begin, end) in enumerate(one.silences):
        is_end = index + 1 == len(one.silences)
        first, last = int(np.ceil(begin)) + 1, min(int(end), len(one.rows))
        since_s = WINDOW_S * np.arange(max(0, last - first))
        asked[first:last] = is_end
        weights[first:last] = np.exp(-since_s / _FADE_S) * (1 if is_end else _HOLD_WEIGHT)
    return asked, weights


def _loss(answer: Tensor, asked: Tensor, weights: Tensor) -> Tensor:
    each = nn.functional.binary_cross_entropy_with_logits(answer, asked, reduction="none")
    return (each * weights).sum() / weights.sum()


def evaluate(model: nn.Module, examples: Sequence[Example]) -> float:
    """Return the loss over examples that nothing is learnt from."""
    model.eval()
    rows, asked, weights = map(torch.from_numpy, _padded(examples))
    with torch.inference_mode():
        loss = float(_loss(model(rows), asked, weights))
    model.train()
    return loss
