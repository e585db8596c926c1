"""Training: ``Example``s → weights, seeded, with checkpoints from which it goes on.

What is learnt is the hazard: that the caller goes on at a moment of the pause, or never.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from rt_avatar.engines.end_of_turn.features import BANDS, FEATURES
from rt_avatar.engines.end_of_turn.network import ROWS
from rt_avatar.engines.training.end_of_turn.examples import Example
from rt_avatar.engines.training.end_of_turn.model import EndOfTurnNetwork, export, surprise
from rt_avatar.engines.training.learner import Learner
from rt_avatar.engines.training.schedule import load_checkpoint, save_checkpoint, share_of_rate

_log = logging.getLogger(__name__)
_BATCH: Final = 192
_RATE: Final = 2e-3
_WARMUP_STEPS: Final = 100
_REPORT_STEPS: Final = 200
_DROPOUT: Final = 0.3
_MEAN: Final = 0.995  # of the weights: the running mean is steadier
_SUMMARY_NOISE: Final = 0.05
_FORGOTTEN: Final = 0.3  # of all, some of the rows longest ago: a turn may be short


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and from where: ``steps`` in all, ``seed``, ``checkpoint`` (written and resumed)."""

    steps: int
    seed: int
    checkpoint: Path


class Looks:
    """The pauses of examples, ready to be drawn from."""

    def __init__(self, examples: Sequence[Example]) -> None:
        """Put examples one behind the other."""
        rows, looks, begin = [], [], 0
        for one in examples:
            rows += [np.zeros((ROWS, FEATURES), np.float16), one.rows]
            own = one.looks.copy()
            own[:, 0] += begin + ROWS
            looks.append(own)
            begin += ROWS + len(one.rows)
        self.rows = np.concatenate(rows)
        self.looks = np.concatenate(looks)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.looks)

    def take(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rows (B, ROWS, FEATURES), and what is told of their pauses (B, 5 + SUMMARY)."""
        looks = self.looks[chosen]
        at = looks[:, :1].astype(int) + np.arange(-ROWS + 1, 1)
        return self.rows[at].astype(np.float32), looks


def train(learning: Looks, others: Looks, plan: Plan) -> dict[str, np.ndarray]:
    """Return the weights after ``plan.steps``: their running mean.

    Args:
        learning: To learn from.
        others: To tell how good it is meanwhile.
        plan: How long.
    """
    torch.manual_seed(plan.seed)
    model = EndOfTurnNetwork(_DROPOUT)
    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE, weight_decay=0.05)
    learner = Learner(model, optimizer, _MEAN)
    first, began_s = load_checkpoint(plan.checkpoint, learner.parts), time.monotonic()
    for step in range(first, plan.steps):
        dice = np.random.default_rng((plan.seed, step))
        rows, looks = learning.take(dice.integers(len(learning), size=_BATCH))
        loss = _loss(model, _changed(rows, dice), looks, dice)
        learner.step(loss, _RATE * share_of_rate(step, plan.steps, _WARMUP_STEPS))
        done = step + 1
        if done % _REPORT_STEPS == 0 or done == plan.steps:
            minutes = (time.monotonic() - began_s) / 60
            _log.info(
                "step %d of %d: loss %.4f, others %.4f; %.1f min to go",
                done, plan.steps, loss.item(), evaluate(learner.mean.module, others),
                minutes / (done - first) * (plan.steps - done),
            )  # fmt: skip
            save_checkpoint(plan.checkpoint, done, learner.parts)
    return export(learner.mean.module)


def _changed(rows: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """Return rows as through other microphones, in louder rooms, some with less before them."""
    count = len(rows)
    bands = rows[..., :BANDS]
    tilt = dice.normal(0, 0.05, (count, 1, 1)) * np.linspace(-1, 1, BANDS)
    heard = np.where(bands > 0, bands + tilt + dice.normal(0, 0.04, (count, 1, BANDS)), 0)
    floor = dice.uniform(0, 0.25, (count, 1, 1)) * (dice.random((count, 1, 1)) < 0.4)
    rows[..., :BANDS] = np.maximum(np.maximum(heard, floor), 0)
    rows[..., BANDS] = np.maximum(rows[..., BANDS], floor[..., 0])
    forgotten = (dice.random(count) < _FORGOTTEN) * dice.integers(0, ROWS * 5 // 8, count)
    rows[np.arange(ROWS) < forgotten[:, None]] = 0
    return rows


def _loss(
    model: nn.Module,
    rows: np.ndarray,
    looks: np.ndarray,
    dice: np.random.Generator | None = None,
) -> Tensor:
    summary = looks[:, 5:]
    if dice is not None:
        summary = summary + dice.normal(0, _SUMMARY_NOISE, summary.shape).astype(np.float32)
    answer = model(torch.from_numpy(rows), torch.from_numpy(summary))
    return surprise(answer, *torch.from_numpy(looks[:, 1:4]).unbind(dim=1)).mean()


def evaluate(model: nn.Module, looks: Looks) -> float:
    """Return the loss over pauses that nothing is learnt from."""
    model.eval()
    with torch.inference_mode():
        loss = float(_loss(model, *looks.take(np.arange(len(looks)))))
    model.train()
    return loss
