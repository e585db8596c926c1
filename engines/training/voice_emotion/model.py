"""Ensembles of networks in torch, as ``engines.voice_emotion.network`` computes them; training."""

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rt_avatar.engines.training.schedule import share_of_rate
from rt_avatar.engines.voice_emotion.network import CLASSES, HIDDEN, MEMBERS, standardised

Rows = NDArray[np.float32]
COMPONENTS: Final = 176  # principal ones that are learnt from: quicker by two thirds, and no worse
_BATCH: Final = 64
_RATE: Final = 2e-3
_DECAY: Final = 0.2
_WARMUP_STEPS: Final = 50
_DROPOUT: Final = (0.2, 0.5)  # of components, of what is hidden
_SMOOTHING: Final = 0.1
_MIXED: Final = 0.3  # of the beta distribution that says how much of another utterance is mixed in


class Ensemble(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """Networks side by side, of other beginnings and other batches."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (COMPONENTS, *HIDDEN, CLASSES)
        pairs = list(itertools.pairwise(sizes))
        self.weights = nn.ParameterList(
            torch.randn(MEMBERS, into, out) / into**0.5 for into, out in pairs
        )
        self.biases = nn.ParameterList(torch.zeros(MEMBERS, 1, out) for _, out in pairs)

    def forward(self, x: Tensor) -> Tensor:
        """Return scores (MEMBERS, B, CLASSES) of (MEMBERS, B, COMPONENTS)."""
        x = nn.functional.dropout(x, _DROPOUT[0], self.training)
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = nn.functional.relu(torch.baddbmm(bias, x, weight))
            x = nn.functional.dropout(x, _DROPOUT[1], self.training)
        return torch.baddbmm(self.biases[-1], x, self.weights[-1])


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """An ensemble with what its functionals are standardised and turned by."""

    kind: str
    mean: Rows
    deviation: Rows
    basis: Rows
    ensemble: Ensemble

    def shares(self, rows: Rows) -> NDArray[np.float64]:
        """Return the probabilities (N, CLASSES) of (N, FUNCTIONALS), averaged over the members."""
        x = standardised(rows, self.mean, self.deviation, self.kind) @ self.basis
        with torch.inference_mode():
            scores = self.ensemble(torch.from_numpy(x).expand(MEMBERS, -1, -1))
        shares: NDArray[np.float64] = torch.softmax(scores.double(), -1).mean(0).numpy()
        return shares

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what is written to a file: the largest layer in 8 bits, the others in 16."""
        turned, second, answer = (weight.detach().numpy() for weight in self.ensemble.weights)
        first = self.basis @ turned  # (MEMBERS, FUNCTIONALS, hidden): of functionals again
        biases = [bias.detach().numpy() for bias in self.ensemble.biases]
        scale = np.abs(first).max(axis=1, keepdims=True) / 127
        found = {
            "mean": self.mean, "deviation": self.deviation,
            "first": np.round(first / scale).astype(np.int8), "first_scale": scale,
            "first_bias": biases[0], "second": second.astype(np.float16), "second_bias": biases[1],
            "answer": answer.astype(np.float16), "answer_bias": biases[2],
        }  # fmt: skip
        return {f"{self.kind}_{name}": array for name, array in found.items()}


def train(
    kind: str,
    rows: Rows,
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    steps: int,
    seed: int,
) -> Trained:
    """Return an ensemble that has learnt.

    Args:
        kind: ``ABSOLUTE`` or ``RELATIVE``.
        rows: (N, FUNCTIONALS).
        labels: (N,) index of the emotion.
        weights: (N,) how much each counts.
        steps: Of the optimizer.
        seed: Of all that is drawn.

    Raises:
        ValueError: Functionals are no numbers.
        FloatingPointError: The loss is none.
    """
    if not np.isfinite(rows).all():
        raise ValueError("voice emotion: expected functionals of numbers; got some that are none")
    torch.manual_seed(seed)
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + np.float32(1e-6)
    scaled = standardised(rows, mean, deviation, kind)
    _, axes = np.linalg.eigh(np.cov(scaled, rowvar=False))  # of rising variance
    basis = axes[:, -COMPONENTS:].astype(np.float32)
    x = torch.from_numpy(scaled @ basis)
    asked = nn.functional.one_hot(torch.from_numpy(labels).long(), CLASSES).float()
    asked = asked * (1 - _SMOOTHING) + _SMOOTHING / CLASSES
    counts = torch.from_numpy(weights).float()[:, None]
    ensemble = Ensemble()
    optimizer = torch.optim.AdamW(ensemble.parameters(), lr=_RATE, weight_decay=_DECAY)
    mixing = torch.distributions.Beta(_MIXED, _MIXED)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * share_of_rate(step, steps, _WARMUP_STEPS)
        one, other = torch.randint(len(x), (2, MEMBERS, _BATCH))
        share = mixing.sample((MEMBERS, _BATCH, 1))
        seen = share * x[one] + (1 - share) * x[other]
        wanted = share * asked[one] * counts[one] + (1 - share) * asked[other] * counts[other]
        loss = -(torch.log_softmax(ensemble(seen), -1) * wanted).sum(-1).mean() * MEMBERS
        if not torch.isfinite(loss):
            raise FloatingPointError(f"voice emotion: expected a loss; got {loss} at step {step}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return Trained(kind, mean, deviation, basis, ensemble.eval())
