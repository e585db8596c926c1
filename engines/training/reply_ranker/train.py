"""Training of the ranker: contrastive over the other replies of a batch, in two courses."""

import logging
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch.nn import functional

from rt_avatar.engines.training.reply_ranker.model import BiEncoder, EncodedPair, recall
from rt_avatar.engines.training.reply_ranker.pairs import NO_EMOTION
from rt_avatar.engines.training.schedule import (
    load_checkpoint,
    save_checkpoint,
    share_of_rate,
    write_state,
)

_log = logging.getLogger(__name__)
_TABLE_SHARE: Final = 0.35  # of the rate, for vectors
_DECAY: Final = 0.05
_WARMUP_STEPS: Final = 100
_EMOTION_WEIGHT: Final = 0.3  # of naming the emotion, against finding the reply


@dataclass(frozen=True, slots=True)
class Course:
    """One course of training.

    Attributes:
        name: For the log and the checkpoint.
        epochs: How often all pairs are seen.
        batch: Pairs at once: each reply is wrong for all other contexts.
        rate: The highest learning rate.
        seed: Of the order.
    """

    name: str
    epochs: int
    batch: int
    rate: float
    seed: int


def train(
    model: BiEncoder,
    learning: Sequence[EncodedPair],
    choosing: Sequence[EncodedPair],
    course: Course,
    folder: Path,
) -> Path:
    """Train; return the file with the best epoch by recall on ``choosing``.

    A course that was stopped goes on after its last epoch; one that is through is not done again.

    Raises:
        FloatingPointError: The loss is no number any more; the file holds the best epoch before.
    """
    optimizer = _optimizer(model)
    kept, checkpoint = (folder / f"{course.name}-{end}.pt" for end in ("best", "checkpoint"))
    parts = {"model": model, "optimizer": optimizer}
    first_epoch = load_checkpoint(checkpoint, parts)
    best = sum(recall(_loaded(model, kept), choosing, (1, 10))[0]) if kept.exists() else -1.0
    load_checkpoint(checkpoint, parts)
    starts = range(0, len(learning) - course.batch + 1, course.batch)
    began_s = time.monotonic()
    for epoch in range(first_epoch, course.epochs):
        torch.manual_seed(1000 * course.seed + epoch)  # the same after a stop
        model.train()
        order = np.random.default_rng((course.seed, epoch)).permutation(len(learning))
        losses = []
        for number, start in enumerate(starts):
            step = epoch * len(starts) + number
            rate = course.rate * share_of_rate(step, course.epochs * len(starts), _WARMUP_STEPS)
            for part, share in zip(optimizer.param_groups, (_TABLE_SHARE, 1.0), strict=True):
                part["lr"] = rate * share
            loss = _loss(model, [learning[at] for at in order[start : start + course.batch]])
            if not math.isfinite(loss.item()):
                raise FloatingPointError(
                    f"reply ranker: expected a finite loss, got {loss.item()} in epoch "
                    f"{epoch + 1}; {kept} holds the best epoch before: use another --seed"
                )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        first, tenth = recall(model, choosing, (1, 10))[0]
        minutes = (time.monotonic() - began_s) / 60
        _log.info(
            "%s, epoch %d of %d: loss %.2f, recall @1 %.1f %%, @10 %.1f %%; %.1f min, %.1f to go",
            course.name, epoch + 1, course.epochs, np.mean(losses), 100 * first, 100 * tenth,
            minutes, minutes / (epoch + 1 - first_epoch) * (course.epochs - epoch - 1),
        )  # fmt: skip
        if first + tenth > best:
            best = first + tenth
            write_state(kept, model.state_dict())
        save_checkpoint(checkpoint, epoch + 1, parts)
    return kept


def _loaded(model: BiEncoder, path: Path) -> BiEncoder:
    model.load_state_dict(torch.load(path, weights_only=True))
    return model


def _optimizer(model: BiEncoder) -> torch.optim.Optimizer:
    named = dict(model.named_parameters())
    tables = [name for name in named if ".words." in name or ".pairs." in name]
    return torch.optim.AdamW(
        [
            {"params": [named[name] for name in tables], "weight_decay": 0.0},
            {"params": [named[name] for name in named if name not in tables]},
        ],
        weight_decay=_DECAY,
        fused=True,
    )


def _loss(model: BiEncoder, group: Sequence[EncodedPair]) -> torch.Tensor:
    contexts, of_contexts = model.contexts(group)
    replies, of_replies = model.replies(group)
    scores = model.scale.exp() * contexts @ replies.T
    truth = torch.arange(len(group))
    loss = functional.cross_entropy(scores, truth) + functional.cross_entropy(scores.T, truth)
    emotions = torch.tensor([pair.emotion for pair in group])
    if (emotions != NO_EMOTION).any():
        for named in (of_contexts, of_replies):
            loss = loss + _EMOTION_WEIGHT * functional.cross_entropy(
                named, emotions, ignore_index=NO_EMOTION
            )
    return loss
