"""Scores → probabilities that can be believed: weights of both parts, threshold, its picture."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import minimize

_BINS: Final = 10
# Of texts as unsure as the least sure ones that are named, so much is right. All labelled dialogues
# are about a feeling; in a call many remarks are not, and should get none.
_SURE: Final = 0.4


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far probabilities are believable: bins of the likeliest emotion's.

    Attributes:
        stated: (bins,) mean probability; only bins that hold something.
        right: (bins,) share of right ones.
        count: (bins,) texts.
    """

    stated: np.ndarray
    right: np.ndarray
    count: np.ndarray

    @property
    def error(self) -> float:
        """Expected calibration error, 0 to 1.

        Source: C. Guo et al., "On calibration of modern neural networks", ICML 2017.
        """
        return float(np.average(np.abs(self.stated - self.right), weights=self.count))


def shares_of(scores: np.ndarray) -> np.ndarray:
    """Return the probabilities (texts, classes) of scores."""
    raised = np.exp(scores - scores.max(1, keepdims=True))
    shares: np.ndarray = raised / raised.sum(1, keepdims=True)
    return shares


def calibrate(parts: list[np.ndarray], labels: np.ndarray) -> np.ndarray:
    """Return a weight for each part's scores, (texts, classes): the likeliest by the labels."""
    rows = np.arange(len(labels))

    def loss(weights: np.ndarray) -> float:
        shares = shares_of(sum(w * part for w, part in zip(weights, parts, strict=True)))
        return float(-np.log(shares[rows, labels] + 1e-12).mean())

    found: np.ndarray = minimize(loss, np.ones(len(parts)), method="Nelder-Mead").x
    weights: np.ndarray = np.maximum(found, 0.0)
    return weights


def find_threshold(shares: np.ndarray, right: np.ndarray) -> float:
    """Return the probability of the likeliest emotion from which it is right often enough.

    Args:
        shares: (texts, classes) probabilities.
        right: (texts,) whether it was right. Of texts near the threshold, not of all above it, so
            much must be right as ``_SURE`` says.
    """
    stated = shares.max(1)
    order = np.argsort(stated)
    near = max(1, len(order) // 10)
    smoothed = np.convolve(right[order], np.ones(near) / near, "valid")
    wanted = np.flatnonzero(smoothed >= _SURE)
    return float(stated[order][wanted[0] + near // 2]) if len(wanted) else 1.0


def reliability(shares: np.ndarray, labels: np.ndarray) -> Reliability:
    """Return how often the likeliest emotion is right, by its probability."""
    stated, right = shares.max(1), shares.argmax(1) == labels
    bins = np.minimum((stated * _BINS).astype(int), _BINS - 1)
    used = np.unique(bins)
    return Reliability(
        np.array([stated[bins == one].mean() for one in used]),
        np.array([right[bins == one].mean() for one in used]),
        np.array([(bins == one).sum() for one in used]),
    )


def draw(path: Path, found: Reliability, title: str) -> None:
    """Write a reliability diagram as PNG."""
    from matplotlib.figure import Figure  # only here

    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.7", label="what is stated is so")
    axes.plot(found.stated, found.right, "o-", label=f"error {100 * found.error:.1f} %")
    for x, y, count in zip(found.stated, found.right, found.count, strict=True):
        axes.annotate(str(count), (x, y), (4, -12), textcoords="offset points", fontsize=8)
    axes.set(xlabel="probability stated", ylabel="share that was right", title=title)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.legend(loc="upper left")
    figure.savefig(path, dpi=110)
