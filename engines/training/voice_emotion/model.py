"""Kernel ridge regression: recordings → axes, centres and their answers, for ``voice_emotion``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.voice_emotion.kernel import (
    AXES,
    CENTRES,
    CLASSES,
    QUANTIZED,
    nearness,
    shares_of,
    turned,
)

Rows = NDArray[np.float32]
_RIDGE: Final = 0.3
_LARGEST: Final = 31  # whole number that is written: 6 bits, which compress well
_HEARD: Final = 2.0  # neutral utterances that a caller's own level is taken from at first


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """Recordings that others are compared with."""

    kind: str
    mean: Rows
    deviation: Rows
    basis: Rows
    centres: Rows
    answers: Rows

    def shares(self, seen: Rows) -> NDArray[np.float64]:
        """Return the probabilities (N, CLASSES) of what is seen (N, VIEWS)."""
        places = turned(seen, self.mean, self.deviation, self.basis)
        near = nearness(places, self.centres, seen.shape[-1])
        return shares_of(near, self.answers).astype(np.float64)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what is written to a file: axes and centres in 6 bits, answers in 16."""
        spare = ((0, CENTRES - len(self.centres)), (0, 0))
        found: dict[str, np.ndarray] = {
            "mean": self.mean, "deviation": self.deviation,
            "answers": np.pad(self.answers, spare).astype(np.float16),
        }  # fmt: skip
        for name, layer in zip(QUANTIZED, (self.basis, np.pad(self.centres, spare)), strict=True):
            found[name], found[f"{name}_scale"] = _quantized(layer)
        return {f"{self.kind}_{name}": array for name, array in found.items()}


def _quantized(layer: Rows) -> tuple[NDArray[np.int8], Rows]:
    """Return (N, M) in whole numbers, and what one of them is, (1, M)."""
    scale = np.abs(layer).max(axis=0, keepdims=True) / _LARGEST
    return np.round(layer / scale).astype(np.int8), scale


def _as_written(layer: Rows) -> Rows:
    whole, scale = _quantized(layer)
    return whole * scale


def trust_of(neutral: Sequence[Rows]) -> Rows:
    """Return (FUNCTIONALS,) how far a caller's neutral is believed, 0 to 1.

    The variance between speakers, as a share of that of means of a few utterances.

    Args:
        neutral: Of each speaker the neutral utterances, (2 or more, FUNCTIONALS).
    """
    within = np.mean([one.var(axis=0, ddof=1) for one in neutral], axis=0)
    means = np.var([one.mean(axis=0) for one in neutral], axis=0, ddof=1)
    between = np.maximum(means - within / min(map(len, neutral)), 0.0)
    found: Rows = (between / (between + within / _HEARD + 1e-9)).astype(np.float32)
    return found


def train(
    kind: str, seen: Rows, labels: NDArray[np.int64], weights: NDArray[np.float64]
) -> Trained:
    """Return what is to be compared with.

    Args:
        kind: ``UNKNOWN`` or ``KNOWN``.
        seen: (N, VIEWS), at most ``CENTRES``.
        labels: (N,) index of the emotion.
        weights: (N,) how much each counts.

    Raises:
        ValueError: Functionals are no numbers, or there are too many recordings.
    """
    if not np.isfinite(seen).all():
        raise ValueError("voice emotion: expected functionals of numbers; got some that are none")
    if len(seen) > CENTRES:
        raise ValueError(f"voice emotion: expected at most {CENTRES} recordings; got {len(seen)}")
    mean, deviation = seen.mean(axis=0), seen.std(axis=0) + np.float32(1e-6)
    scaled = turned(seen, mean, deviation, np.eye(seen.shape[1], dtype=np.float32))
    _, axes = np.linalg.eigh(np.cov(scaled, rowvar=False))  # of rising variance
    basis = _as_written(axes[:, -AXES[kind] :].astype(np.float32))
    centres = _as_written(scaled @ basis)
    asked = np.eye(CLASSES)[labels]
    near = nearness(centres, centres, seen.shape[1]) + np.diag(_RIDGE / weights)
    answers = np.linalg.solve(near, asked - asked.mean(axis=0)).astype(np.float32)
    return Trained(kind, mean, deviation, basis, centres, answers)
