"""Logistic regression over TF-IDF of the n-grams of texts, by L-BFGS."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from rt_avatar.engines.text_emotion.features import ngrams
from rt_avatar.engines.text_emotion.network import CLASSES

_log = logging.getLogger(__name__)
_STEPS: Final = 40
_PENALTY: Final = 1 / 3  # on the square of the weights, against one text

GramsOf: TypeAlias = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Linear:
    """What logistic regression learnt.

    Attributes:
        grams: n-gram → row.
        idf: (rows,) inverse document frequency.
        weights: (rows, classes).
        bias: (classes,).
        grams_of: What n-grams the words of a text have.
    """

    grams: dict[str, int]
    idf: np.ndarray
    weights: np.ndarray
    bias: np.ndarray
    grams_of: GramsOf

    def scores(self, texts: Sequence[Sequence[str]]) -> np.ndarray:
        """Return scores (texts, classes)."""
        counts = [Counter(self.grams_of(text)) for text in texts]
        found: np.ndarray = _matrix(counts, self.grams, self.idf) @ self.weights + self.bias
        return found


def train_linear(
    texts: Sequence[Sequence[str]],
    labels: Sequence[int],
    min_count: int = 2,
    grams_of: GramsOf = ngrams,
    *,
    classes: int = CLASSES,
    penalty: float = _PENALTY,
) -> Linear:
    """Learn from texts, as words, and a label each.

    Args:
        texts: At least one.
        labels: One a text, from 0 on.
        min_count: Texts that an n-gram must occur in.
        grams_of: What n-grams the words of a text have.
        classes: How many labels there are, among the texts or not.
        penalty: On the square of the weights, against one text.
    """
    each = [Counter(grams_of(text)) for text in texts]
    counts = Counter(gram for one in each for gram in one)
    kept = sorted(gram for gram, count in counts.items() if count >= min_count)
    grams = {gram: row for row, gram in enumerate(kept)}
    often = np.array([counts[gram] for gram in kept])
    idf = (1 + np.log((1 + len(texts)) / (1 + often))).astype(np.float32)
    x = _matrix(each, grams, idf)
    weights, bias = _fit(x, np.eye(classes, dtype=np.float32)[list(labels)], penalty)
    _log.info("linear: %d texts, %d n-grams", *x.shape)
    return Linear(grams, idf, weights, bias, grams_of)


def _matrix(
    texts: Sequence[Counter[str]], grams: dict[str, int], idf: np.ndarray
) -> sparse.csr_matrix:
    """Return (texts, rows): 1 + ln(count), times idf, each text of length 1."""
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, text in enumerate(texts):
        counts = {grams[gram]: count for gram, count in text.items() if gram in grams}
        if counts:
            which = list(counts)
            each = (1 + np.log(np.array(list(counts.values())))) * idf[which]
            rows += [row] * len(which)
            columns += which
            values += (each / np.linalg.norm(each)).tolist()
    return sparse.csr_matrix(
        (np.array(values, np.float32), (rows, columns)), shape=(len(texts), len(grams))
    )


def _fit(
    x: sparse.csr_matrix, is_label: np.ndarray, penalty: float
) -> tuple[np.ndarray, np.ndarray]:
    texts, features = x.shape
    classes = is_label.shape[1]
    labels = is_label.argmax(1)
    transposed = x.T.tocsr()
    size = features * classes

    def loss(packed: np.ndarray) -> tuple[float, np.ndarray]:
        weights = packed[:size].reshape(features, classes).astype(np.float32)
        scores = x @ weights + packed[size:].astype(np.float32)
        scores -= scores.max(1, keepdims=True)
        shares = np.exp(scores)
        sums = shares.sum(1, keepdims=True)
        right = scores[np.arange(texts), labels]
        value = float((np.log(sums[:, 0]) - right).sum() + 0.5 * penalty * (weights**2).sum())
        slope = shares / sums - is_label
        down = (transposed @ slope + penalty * weights).ravel()
        return value, np.concatenate((down, slope.sum(0))).astype(np.float64)

    found = minimize(
        loss, np.zeros(size + classes), jac=True, method="L-BFGS-B",
        options={"maxiter": _STEPS, "maxcor": 5},
    ).x.astype(np.float32)  # fmt: skip
    return found[:size].reshape(features, classes), found[size:]
