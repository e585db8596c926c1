"""The judge in torch, as ``engines.reply_judge.network`` computes it, and how it learns."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.reply_judge.network import (
    BOUND,
    CLASSES,
    DIRECTION_SCALE,
    FEATURES,
    HIDDEN,
    RANK,
    SHAPES,
)
from rt_avatar.engines.reply_ranker.network import OUTPUT

_BATCH: Final = 64
_RATE: Final = 2e-3
_DECAY: Final = 0.03
_DIRECTIONS_DROPPED: Final = 0.3
_HIDDEN_DROPPED: Final = 0.4
_LEAST_DEVIATION: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Replies that were judged, as the network sees them.

    Attributes:
        features: (replies, FEATURES).
        contexts: (replies, 192) direction of what each answers.
        replies: (replies, 192).
        labels: (replies,) 0 beside the point, 1 weak, 2 fitting.
    """

    features: np.ndarray
    contexts: np.ndarray
    replies: np.ndarray
    labels: np.ndarray

    def part(self, rows: np.ndarray) -> "Judgements":
        """Return those of some rows, flags or numbers."""
        return Judgements(
            self.features[rows], self.contexts[rows], self.replies[rows], self.labels[rows]
        )


class JudgeNetwork(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """Features, directions of context and reply → scores (replies, CLASSES)."""

    def __init__(self, features: np.ndarray) -> None:
        """Take mean and deviation of these features (replies, FEATURES)."""
        super().__init__()
        deviation = np.maximum(features.std(0), _LEAST_DEVIATION)
        self.register_buffer("mean", torch.from_numpy(features.mean(0)))
        self.register_buffer("deviation", torch.from_numpy(deviation))
        self.context, self.reply = nn.Linear(OUTPUT, RANK), nn.Linear(OUTPUT, RANK)
        self.hidden = nn.Linear(FEATURES + 3 * RANK, HIDDEN)
        self.output = nn.Linear(HIDDEN, CLASSES)
        self.direct = nn.Linear(FEATURES, CLASSES, bias=False)

    def forward(self, features: Tensor, contexts: Tensor, replies: Tensor) -> Tensor:
        """Return the scores; parts of the directions are dropped at random in training."""
        x = ((features - self.mean) / self.deviation).clamp(-BOUND, BOUND)
        contexts, replies = (
            functional.dropout(DIRECTION_SCALE * one, _DIRECTIONS_DROPPED, self.training)
            for one in (contexts, replies)
        )
        said, reply = self.context(contexts), self.reply(replies)
        seen = torch.cat((x, said, reply, said * reply), 1)
        hidden = functional.gelu(self.hidden(seen), approximate="tanh")
        hidden = functional.dropout(hidden, _HIDDEN_DROPPED, self.training)
        scores: Tensor = self.output(hidden) + self.direct(x)
        return scores

    def export(self) -> dict[str, np.ndarray]:
        """Return the weights as ``engines.reply_judge.network`` names and shapes them."""
        state = {name.removesuffix(".weight"): one for name, one in self.state_dict().items()}
        found = {name: state[name.replace("_bias", ".bias")].numpy() for name in SHAPES}
        return {name: array.T if array.ndim > 1 else array for name, array in found.items()}


def train(judgements: Judgements, epochs: int, seed: int) -> JudgeNetwork:
    """Return a network that learnt from these.

    Raises:
        FloatingPointError: The loss is no number any more.
    """
    torch.manual_seed(seed)
    model = JudgeNetwork(judgements.features)
    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE, weight_decay=_DECAY)
    parts = [
        torch.from_numpy(one)
        for one in (judgements.features, judgements.contexts, judgements.replies)
    ]
    labels = torch.from_numpy(judgements.labels)
    for epoch in range(epochs):
        model.train()
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - epoch / epochs)
        for rows in torch.randperm(len(labels)).split(_BATCH):
            loss = functional.cross_entropy(model(*(one[rows] for one in parts)), labels[rows])
            if not math.isfinite(loss.item()):
                raise FloatingPointError(
                    f"reply judge: expected a finite loss, got {loss.item()} in epoch {epoch + 1}: "
                    f"use another --seed"
                )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    return model


def probabilities(model: nn.Module, judgements: Judgements) -> np.ndarray:
    """Return how likely each reply (replies, CLASSES) is beside the point, weak, fitting."""
    with torch.no_grad():
        scores = model(
            *(
                torch.from_numpy(one)
                for one in (judgements.features, judgements.contexts, judgements.replies)
            )
        )
        found: np.ndarray = scores.softmax(1).numpy()
    return found
