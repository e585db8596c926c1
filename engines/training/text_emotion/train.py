"""Training of the convolutional part: seeded, with a checkpoint an epoch from which it goes on."""

import logging
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch.nn import functional

from rt_avatar.engines.training.epochs import resume, save_epoch
from rt_avatar.engines.training.text_emotion.dialogues import LabelledDialogue
from rt_avatar.engines.training.text_emotion.model import (
    FIRST,
    UNKNOWN,
    ConvolutionalClassifier,
    pad,
    scores_of,
)

_log = logging.getLogger(__name__)
_BATCH: Final = 64
_RATE: Final = 2e-3
_VECTORS_RATE: Final = 1e-3
_DECAY: Final = 0.02
_WARMUP_STEPS: Final = 200
_SMOOTHING: Final = 0.1
_FIRST_TURN_SHARE: Final = 0.3  # of the dialogues of an epoch only the first turn is heard
_LENGTH_SPREAD: Final = 12  # words: texts of a batch are of about one length


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and from where: ``epochs``, ``seed``, ``checkpoint`` (written and resumed)."""

    epochs: int
    seed: int
    checkpoint: Path


def to_ids(words: Sequence[str], vocabulary: dict[str, int]) -> list[int]:
    """Return the ids of words; ``vocabulary`` has their rows."""
    return [vocabulary.get(word, UNKNOWN - FIRST) + FIRST for word in words]


def train(
    learning: Sequence[LabelledDialogue],
    choosing: Sequence[LabelledDialogue],
    vocabulary: dict[str, int],
    vectors: np.ndarray,
    plan: Plan,
) -> ConvolutionalClassifier:
    """Return the network after ``plan.epochs``.

    Args:
        learning: Dialogues to learn from, whole, by their first turns and by their situations.
        choosing: Dialogues whose accuracy is told after each epoch.
        vocabulary: Word → row of ``vectors``.
        vectors: (words, SIZE) to begin with.
        plan: How long and from where.

    Raises:
        FloatingPointError: The loss is no number any more; the last checkpoint is kept.
    """
    torch.manual_seed(plan.seed)
    model = ConvolutionalClassifier(vectors)
    others = [value for name, value in model.named_parameters() if name != "vectors.weight"]
    optimizer = torch.optim.AdamW(
        [
            {"params": [model.vectors.weight], "lr": _VECTORS_RATE, "weight_decay": 0.0},
            {"params": others, "lr": _RATE, "weight_decay": _DECAY},
        ]
    )
    rates = [group["lr"] for group in optimizer.param_groups]
    first = resume(plan.checkpoint, model, optimizer)
    heard = [to_ids(one.said(), vocabulary) for one in choosing]
    labels = np.array([one.label for one in choosing])
    began_s = time.monotonic()
    for epoch in range(first, plan.epochs):
        torch.manual_seed(1000 * plan.seed + epoch)  # the same after a stop
        model.train()
        losses = []
        batches = list(_batches(learning, vocabulary, np.random.default_rng((plan.seed, epoch))))
        for number, (texts, truths) in enumerate(batches):
            step = epoch * len(batches) + number
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * _schedule(step, plan.epochs * len(batches))
            scores = model(pad(texts))
            loss = functional.cross_entropy(
                scores, torch.tensor(truths), label_smoothing=_SMOOTHING
            )
            if not math.isfinite(loss.item()):
                raise FloatingPointError(
                    f"text emotion: expected a finite loss, got {loss.item()} in epoch {epoch}; "
                    f"{plan.checkpoint} holds the epoch before: go on from it with another --seed"
                )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        right = (scores_of(model, heard).argmax(1) == labels).mean() if heard else math.nan
        minutes = (time.monotonic() - began_s) / 60
        _log.info(
            "epoch %d of %d: loss %.3f, accuracy for choosing %.1f %%; %.1f min, %.1f to go",
            epoch + 1, plan.epochs, np.mean(losses), 100 * right,
            minutes, minutes / (epoch + 1 - first) * (plan.epochs - epoch - 1),
        )  # fmt: skip
        save_epoch(plan.checkpoint, epoch + 1, model, optimizer)
    return model


def _batches(
    dialogues: Sequence[LabelledDialogue], vocabulary: dict[str, int], dice: np.random.Generator
) -> Iterator[tuple[list[list[int]], list[int]]]:
    """Yield ids and labels of an epoch: each dialogue and each situation once."""
    texts: list[list[str]] = []
    for one in dialogues:
        texts.append(one.said(1 if dice.random() < _FIRST_TURN_SHARE else None))
        texts.append(one.situation)
    labels = [one.label for one in dialogues for _ in range(2)]
    order = np.argsort([len(text) + _LENGTH_SPREAD * dice.random() for text in texts])
    starts = np.arange(0, len(order), _BATCH)
    for start in dice.permutation(starts):
        rows = order[start : start + _BATCH]
        yield [to_ids(texts[row], vocabulary) for row in rows], [labels[row] for row in rows]


def _schedule(step: int, steps: int) -> float:
    """A short rise, then half a cosine down to a fiftieth."""
    return min(1.0, (step + 1) / _WARMUP_STEPS) * max(
        0.02, 0.5 + 0.5 * math.cos(math.pi * step / steps)
    )
