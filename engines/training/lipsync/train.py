"""Training: ``Examples`` → weights, seeded, with checkpoints from which it goes on."""

import hashlib
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rt_avatar.engines.lipsync.channels import (
    BROWS,
    LIPS,
    NODS,
    OUTPUTS,
    POUT,
    SHAPE_NAMES,
    TALKS,
    TEETH,
)
from rt_avatar.engines.lipsync.network import DELAY_FRAMES
from rt_avatar.engines.training.learner import Learner
from rt_avatar.engines.training.lipsync.clips import Examples
from rt_avatar.engines.training.lipsync.model import MouthNetwork, export, import_weights
from rt_avatar.engines.training.schedule import load_checkpoint, save_checkpoint, share_of_rate

_log = logging.getLogger(__name__)
_BATCH: Final = 12
_WARMUP_STEPS: Final = 50
_REPORT_STEPS, _CHECKPOINT_STEPS = 100, 200
# Answered as probabilities; lips that meet are the hardest to hear and the first to be missed.
_GATES: Final = [TALKS, LIPS, POUT, TEETH]
_GATE_WEIGHTS: Final = (0.5, 2.0, 0.5, 1.0)
# What viewers see first counts most: the jaw, and lips that close or round.
_SHAPE_WEIGHTS: Final = {"jawOpen": 3.0, "mouthPucker": 1.5, "mouthFunnel": 1.5}


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and from where.

    Attributes:
        steps: In all.
        seed: Of weights and batches.
        checkpoint: Written and resumed.
        rate: Highest learning rate.
        initial: Weights to begin with, as ``export`` gives them; random ones where None.
    """

    steps: int
    seed: int
    checkpoint: Path
    rate: float = 2e-3
    initial: Mapping[str, NDArray[np.float32]] | None = None


def train(examples: Examples, held_out: Examples, plan: Plan) -> dict[str, np.ndarray]:
    """Return the weights after ``plan.steps``: their running mean, which is steadier.

    Raises:
        ValueError: The checkpoint is damaged, or of other first weights or examples.
    """
    torch.manual_seed(plan.seed)
    model = MouthNetwork() if plan.initial is None else import_weights(plan.initial)
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=0.01)
    learner = Learner(model, optimizer, 0.995)
    course = _course(examples, plan)
    first = load_checkpoint(plan.checkpoint, learner.parts, course)
    began_s = time.monotonic()
    for step in range(first, plan.steps):
        dice = np.random.default_rng((plan.seed, step))
        heard, asked = _batch(examples, dice)
        loss = _loss(model(heard), asked)
        learner.step(loss, plan.rate * share_of_rate(step, plan.steps, _WARMUP_STEPS))
        done = step + 1
        if done % _REPORT_STEPS == 0 or done == plan.steps:
            minutes = (time.monotonic() - began_s) / 60
            left = minutes / (done - first) * (plan.steps - done)
            loss_out = _evaluate(learner.mean.module, held_out)
            _log.info(
                "step %d of %d: loss %.4f, held out %.4f; %.1f min, %.1f min to go",
                done, plan.steps, loss.item(), loss_out, minutes, left,
            )  # fmt: skip
        if done % _CHECKPOINT_STEPS == 0 or done == plan.steps:
            save_checkpoint(plan.checkpoint, done, learner.parts, course)
    return export(learner.mean.module)


def _course(examples: Examples, plan: Plan) -> str:
    """Return what a checkpoint is of: how much is learnt from, and the weights at the beginning."""
    digest = hashlib.sha256(repr(examples.heard.shape).encode())
    for name, values in sorted((plan.initial or {}).items()):
        digest.update(name.encode() + values.tobytes())
    return digest.hexdigest()


def _batch(examples: Examples, dice: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Return some clips, their sound changed once more in the bands."""
    chosen = dice.choice(len(examples.heard), min(_BATCH, len(examples.heard)), replace=False)
    heard = examples.heard[chosen].astype(np.float32)
    count, hops, bands = heard.shape
    # A throat that is a little longer or shorter: all bands move by up to one.
    for index in range(count):
        at = np.arange(bands) + dice.uniform(-1.0, 1.0)
        low = np.clip(np.floor(at).astype(int), 0, bands - 2)
        share = np.clip(at - low, 0, 1).astype(np.float32)
        heard[index] = heard[index][:, low] * (1 - share) + heard[index][:, low + 1] * share
    # Tone and loudness that wander (0.05 is 3 dB), and a floor of noise.
    knots = dice.normal(0, 0.04, (count, hops // 100 + 2, 5))
    drift = _stretch(_stretch(knots, bands, 2), hops, 1).astype(np.float32)
    floor = dice.uniform(0.0, 0.35, (count, 1, 1)) * (dice.random((count, 1, 1)) < 0.3)
    heard = np.maximum(np.where(heard > 0, heard + drift, heard), floor).astype(np.float32)
    for index in range(count):
        if dice.random() < 0.3:
            first = int(dice.integers(0, bands - 4))
            heard[index, :, first : first + int(dice.integers(1, 5))] *= dice.uniform(0, 0.8)
    asked = examples.asked[chosen].astype(np.float32)
    return torch.from_numpy(np.maximum(heard, 0)), torch.from_numpy(asked)


def _stretch(knots: np.ndarray, length: int, axis: int) -> np.ndarray:
    """Interpolate along an axis to ``length`` values."""
    at = np.linspace(0, knots.shape[axis] - 1.001, length)
    low = at.astype(int)
    share = (at - low).reshape([-1 if i == axis else 1 for i in range(knots.ndim)])
    before, after = np.take(knots, low, axis), np.take(knots, low + 1, axis)
    stretched: np.ndarray = before * (1 - share) + after * share
    return stretched


def _loss(answer: Tensor, asked: Tensor) -> Tensor:
    """How far the face is from what was asked, in place, in speed and in closures."""
    answer, asked = answer[:, DELAY_FRAMES:], asked[:, :-DELAY_FRAMES]
    gates = nn.functional.binary_cross_entropy_with_logits(
        answer[..., _GATES], asked[..., _GATES], reduction="none"
    )
    weights = torch.ones(OUTPUTS)
    for name, weight in _SHAPE_WEIGHTS.items():
        weights[SHAPE_NAMES.index(name)] = weight
    shown = torch.sigmoid(answer)
    shown = torch.cat((shown[..., :NODS], answer[..., NODS : NODS + 1], shown[..., BROWS:]), dim=2)
    place = (shown - asked).abs() * weights
    speed = (shown.diff(dim=1) - asked.diff(dim=1)).abs() * weights
    gates = gates * torch.tensor(_GATE_WEIGHTS)
    return gates.mean() + place.mean() + 0.7 * speed.mean() + 2.0 * (place**2).mean()


def _evaluate(model: nn.Module, examples: Examples) -> float:
    model.eval()
    heard = torch.from_numpy(examples.heard.astype(np.float32))
    asked = torch.from_numpy(examples.asked.astype(np.float32))
    with torch.inference_mode():
        loss = float(_loss(model(heard), asked))
    model.train()
    return loss
