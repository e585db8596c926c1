"""Tune an encoder to name what texts are: seeded, resumed after the last epoch that ended."""

import hashlib
import logging
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar

import torch
from torch import Tensor
from torch.nn import functional

from rt_avatar.engines.text_encoder.encoder import MOST_PIECES
from rt_avatar.engines.training.course import device
from rt_avatar.engines.training.epochs import resume, save_epoch
from rt_avatar.engines.training.text_encoder.model import TextEncoderModel

_log = logging.getLogger(__name__)
_DECAY: Final = 0.01
_SMOOTHING: Final = 0.02
_WARMUP_STEPS: Final = 60
_LEAST_RATE: Final = 0.02  # of the highest
_ALIKE_BATCHES: Final = 40  # of which the texts of about one length are put together
_TOLD_STEPS: Final = 50


class Read(Protocol):
    """What is learnt from: a text of word pieces, and whatever its loss is made of.

    Its ``repr`` tells all of it.
    """

    @property
    def rows(self) -> Sequence[int]:
        """Rows of its pieces, begin and ends among them."""
        ...


R = TypeVar("R", bound=Read)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text, and what it is."""

    rows: Sequence[int]
    label: int


def label_loss(scores: Tensor, texts: Sequence[Labelled]) -> Tensor:
    """Return the cross-entropy of labels."""
    labels = torch.tensor([text.label for text in texts])
    return functional.cross_entropy(scores, labels, label_smoothing=_SMOOTHING)


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and from where.

    Attributes:
        checkpoint: Written after each epoch, and resumed.
        seed: Of the order of texts, and of dropout.
        epochs: How often each text is seen.
        batch: Texts a step.
        rate: Of learning, at its highest.
        head_rate: How many times as fast the head learns, which begins from nothing.
    """

    checkpoint: Path
    seed: int = 1
    epochs: int = 3
    batch: int = 48
    rate: float = 1.2e-4
    head_rate: float = 1.0


def tune(
    model: TextEncoderModel,
    texts: Sequence[R],
    loss_of: Callable[[Tensor, Sequence[R]], Tensor],
    plan: Plan,
) -> None:
    """Tune all of a model's numbers that ask for a gradient, on a GPU if there is one.

    Args:
        model: The encoder; afterwards it lies in the host's memory.
        texts: What is learnt.
        loss_of: Scores (texts, outputs) and their texts → the loss.
        plan: How long and from where.

    Raises:
        FloatingPointError: The loss is no number any more; the last checkpoint is kept.
        ValueError: The checkpoint is of other texts or of another plan.
    """
    where = device()
    model.to(where)
    tuned = [one for one in model.parameters() if one.requires_grad]
    head = [*model.head.parameters()]
    others = [one for one in tuned if all(one is not each for each in head)]
    optimizer = torch.optim.AdamW(
        [{"params": others}, {"params": head}], plan.rate, weight_decay=_DECAY, fused=True
    )
    course = _digest(texts, plan)
    first = resume(plan.checkpoint, model, optimizer, course)
    steps = math.ceil(len(texts) / plan.batch)
    began_s = time.monotonic()
    for epoch in range(first, plan.epochs):
        torch.manual_seed(1000 * plan.seed + epoch)  # the same after a stop
        model.train()
        told = 0.0
        for step, some in enumerate(_batches(texts, plan.batch, f"{plan.seed} {epoch}"), 1):
            done, all_steps = epoch * steps + step, plan.epochs * steps
            risen, left = done / _WARMUP_STEPS, 1 - done / all_steps
            rate = plan.rate * min(risen, max(_LEAST_RATE, left))
            for group, times in zip(optimizer.param_groups, (1.0, plan.head_rate), strict=True):
                group["lr"] = rate * times
            rows, lengths = padded([text.rows for text in some])
            with torch.autocast(where.type, torch.bfloat16, enabled=where.type == "cuda"):
                scores = model(rows.to(where), lengths.to(where))
            loss = loss_of(scores.float().cpu(), some)
            if not math.isfinite(loss.item()):
                raise FloatingPointError(
                    f"text encoder: expected a finite loss, got {loss.item()} in epoch {epoch}; "
                    f"{plan.checkpoint} holds the epoch before: go on from it with another --seed"
                )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tuned, 1.0)
            optimizer.step()
            told += loss.item() / _TOLD_STEPS
            if step % _TOLD_STEPS == 0:
                minutes = (time.monotonic() - began_s) / 60
                to_go = minutes / (done - first * steps) * (all_steps - done)
                _log.info("step %d of %d: loss %.3f; %.1f min to go", done, all_steps, told, to_go)
                told = 0.0
        save_epoch(plan.checkpoint, epoch + 1, model, optimizer, course)
    model.eval().cpu()


def _digest(texts: Sequence[Read], plan: Plan) -> str:
    """Return what tells a course from others; it may be made longer."""
    found = hashlib.sha256(repr((plan.seed, plan.batch, plan.rate, plan.head_rate)).encode())
    for text in texts:
        found.update(repr(text).encode())
    return found.hexdigest()


def padded(texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return the rows (texts, pieces) and how many of each count."""
    cut = [rows[:MOST_PIECES] for rows in texts]
    found = torch.zeros(len(cut), max(map(len, cut)), dtype=torch.long)
    for at, rows in enumerate(cut):
        found[at, : len(rows)] = torch.tensor(rows)
    return found, torch.tensor([len(rows) for rows in cut])


def _batches(texts: Sequence[R], size: int, seed: str) -> list[Sequence[R]]:
    """Return each text once, in batches of about one length, shuffled."""
    chance = random.Random(seed)
    order = list(texts)
    chance.shuffle(order)
    found: list[Sequence[R]] = []
    for begin in range(0, len(order), size * _ALIKE_BATCHES):
        some = order[begin : begin + size * _ALIKE_BATCHES]
        some.sort(key=lambda text: len(text.rows))
        found += [some[at : at + size] for at in range(0, len(some), size)]
    chance.shuffle(found)
    return found
