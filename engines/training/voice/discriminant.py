"""Linear discriminant analysis: rows with labels → which label a row has, and how near two are."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
_SHRINKAGE: Final = 0.05  # of the covariance towards its diagonal
_LEAST_VARIANCE: Final = 1e-3


class LinearDiscriminant:
    """Classes as normal distributions with one covariance, equally likely.

    Source: R. Fisher, "The use of multiple measurements in taxonomic problems" (1936).

    Args:
        rows: (N, C) measures.
        labels: N of them.

    Raises:
        ValueError: There are fewer than two labels, or not one a row.
    """

    def __init__(self, rows: Doubles, labels: Sequence[str]) -> None:
        self.classes = tuple(sorted(set(labels)))
        if len(self.classes) < 2 or len(labels) != len(rows):
            raise ValueError(
                f"labels: expected one for each of {len(rows)} rows, of two kinds or more; "
                f"got {len(labels)} of {', '.join(self.classes)}"
            )
        named = np.array(labels)
        self._shift, self._scale = rows.mean(axis=0), rows.std(axis=0) + 1e-9
        rows = (rows - self._shift) / self._scale
        self._means = np.stack([rows[named == one].mean(axis=0) for one in self.classes])
        index = np.searchsorted(self.classes, named)
        rest = rows - self._means[index]
        within = rest.T @ rest / len(rest)
        within += _SHRINKAGE * (np.diag(np.diag(within)) - within)
        within += _LEAST_VARIANCE * np.eye(len(within))  # of a measure that never changes
        self._weights = np.linalg.solve(within, self._means.T)
        # What parts the classes most, with the spread within them as the unit.
        values, vectors = np.linalg.eigh(within)
        white = vectors / np.sqrt(values)
        centred = (self._means - self._means.mean(axis=0)) @ white
        axes = np.linalg.svd(centred, full_matrices=False)[2][: len(self.classes) - 1]
        self._axes = white @ axes.T

    def classify(self, rows: Doubles) -> list[str]:
        """Return the likeliest label of each row (N, C)."""
        scaled = (rows - self._shift) / self._scale
        offset = (self._means.T * self._weights).sum(axis=0) / 2
        best = (scaled @ self._weights - offset).argmax(axis=1)
        return [self.classes[index] for index in best]

    def embed(self, rows: Doubles) -> Doubles:
        """Return rows (N, C) in the space that parts the classes, (N, classes - 1).

        Distances there are in deviations within a class.
        """
        embedded: Doubles = ((rows - self._shift) / self._scale) @ self._axes
        return embedded


def held_out_labels(rows: Doubles, labels: Sequence[str], groups: Sequence[str]) -> list[str]:
    """Return what each row is classified as by the rows of all other groups."""
    named, grouped = np.array(labels), np.array(groups)
    predicted = np.empty(len(named), dtype=named.dtype)
    for group in sorted(set(groups)):
        own = grouped == group
        predicted[own] = LinearDiscriminant(rows[~own], named[~own].tolist()).classify(rows[own])
    return [str(one) for one in predicted]


def equal_error_rate(same: Doubles, different: Doubles) -> tuple[float, float]:
    """Return the error rate and the distance at which as many pairs of both kinds are mistaken.

    Args:
        same: Distances of pairs of one speaker.
        different: Distances of pairs of two.
    """
    limits = np.sort(np.concatenate([same, different]))
    missed = 1.0 - np.searchsorted(np.sort(same), limits, side="right") / len(same)
    confused = np.searchsorted(np.sort(different), limits, side="right") / len(different)
    at = int(np.argmin(np.abs(missed - confused)))
    return float((missed[at] + confused[at]) / 2), float(limits[at])
