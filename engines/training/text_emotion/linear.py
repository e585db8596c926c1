"""The linear part: logistic regression over TF-IDF of words and pairs, by L-BFGS."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from rt_avatar.engines.text_emotion.features import ngrams
from rt_avatar.engines.text_emotion.network import CLASSES

_log = logging.getLogger(__name__)
_STEPS: Final = 40
_PENALTY: Final = 1 / 3  # on the square of the weights, against one text


@dataclass(frozen=True, slots=True)
class Linear:
    """What logistic regression learnt.

    Attributes:
        grams: n-gram → row.
        idf: (rows,) inverse document frequency.
        weights: (rows, CLASSES).
        bias: (CLASSES,).
    """

    grams: dict[str, int]
    idf: np.ndarray
    weights: np.ndarray
    bias: np.ndarray

    def scores(self, texts: Sequence[Sequence[str]]) -> np.ndarray:
        """Return scores (texts, CLASSES)."""
        found: np.ndarray = _matrix(texts, self.grams, self.idf) @ self.weights + self.bias
        return found


def train_linear(
    texts: Sequence[Sequence[str]], labels: Sequence[int], min_count: int = 2
) -> Linear:
    """Learn from texts, as words, and a label each.

    Args:
        texts: At least one.
        labels: 0 to 31, one a text.
        min_count: Texts that a word or a pair must occur in.
    """
    counts = Counter(gram for text in texts for gram in set(ngrams(text)))
    kept = sorted(gram for gram, count in counts.items() if count >= min_count)
    grams = {gram: row for row, gram in enumerate(kept)}
    often = np.array([counts[gram] for gram in kept])
    idf = (1 + np.log((1 + len(texts)) / (1 + often))).astype(np.float32)
    x = _matrix(texts, grams, idf)
    weights, bias = _fit(x, np.array(labels))
    _log.info("linear: %d texts, %d words and pairs", *x.shape)
    return Linear(grams, idf, weights, bias)


def _matrix(
    texts: Sequence[Sequence[str]], grams: dict[str, int], idf: np.ndarray
) -> sparse.csr_matrix:
    """Return (texts, rows): 1 + ln(count), times idf, each text of length 1."""
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, text in enumerate(texts):
        counts = Counter(grams[gram] for gram in ngrams(text) if gram in grams)
        if counts:
            which = list(counts)
            each = (1 + np.log(np.array(list(counts.values())))) * idf[which]
            rows += [row] * len(which)
            columns += which
            values += (each / np.linalg.norm(each)).tolist()
    return sparse.csr_matrix(
        (np.array(values, np.float32), (rows, columns)), shape=(len(texts), len(grams))
    )


def _fit(x: sparse.csr_matrix, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    texts, features = x.shape
    is_label = np.eye(CLASSES, dtype=np.float32)[labels]
    transposed = x.T.tocsr()
    size = features * CLASSES

    def loss(packed: np.ndarray) -> tuple[float, np.ndarray]:
        weights = packed[:size].reshape(features, CLASSES).astype(np.float32)
        scores = x @ weights + packed[size:].astype(np.float32)
        scores -= scores.max(1, keepdims=True)
        shares = np.exp(scores)
        sums = shares.sum(1, keepdims=True)
        right = scores[np.arange(texts), labels]
        value = float((np.log(sums[:, 0]) - right).sum() + 0.5 * _PENALTY * (weights**2).sum())
        slope = shares / sums - is_label
        down = (transposed @ slope + _PENALTY * weights).ravel()
        return value, np.concatenate((down, slope.sum(0))).astype(np.float64)

    found = minimize(
        loss, np.zeros(size + CLASSES), jac=True, method="L-BFGS-B",
        options={"maxiter": _STEPS, "maxcor": 5},
    ).x.astype(np.float32)  # fmt: skip
    return found[:size].reshape(features, CLASSES), found[size:]
