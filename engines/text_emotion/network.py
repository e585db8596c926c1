"""Words → a score for each emotion: weights, and the two networks that they are for, in numpy.

The *linear* one sees which words and pairs of neighbours occur (TF-IDF, logistic regression). The
*convolutional* one sees vectors of the words in their order: convolutions over one, two and three
words, pooled by maximum, mean and four heads of attention, two linear layers. Their errors differ,
so that the weighted sum of both is better than either.

Sources: Y. Kim, "Convolutional neural networks for sentence classification", EMNLP 2014; Z. Lin et
al., "A structured self-attentive sentence embedding", ICLR 2017.
"""

import math
from collections import Counter
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.text_emotion.features import find_rows, ngrams
from rt_avatar.engines.weights_file import find_wrong, read_arrays

Floats = NDArray[np.float32]
Weights = dict[str, np.ndarray]
CLASSES: Final = len(FINE)
SIZE: Final = 128  # of a word's vector
CHANNELS: Final = 96  # of each convolution
SPANS: Final = (1, 2, 3)  # words that a convolution sees at once
HEADS: Final = 4
HIDDEN: Final = 192
MAX_WORDS: Final = 160  # the last ones of longer texts
_CHANNELS_ALL: Final = CHANNELS * len(SPANS)
_HEAD: Final = _CHANNELS_ALL // 4
_POOLED: Final = 2 * _CHANNELS_ALL + HEADS * _HEAD
# Arrays of fixed shape, beside tables with a row a word (the last: unknown ones) or an n-gram:
# rows are what comes in, columns what goes out.
SHAPES: Final[dict[str, tuple[int, ...]]] = {
    **{f"convolution{span}": (span * SIZE, CHANNELS) for span in SPANS},
    **{f"convolution{span}_bias": (CHANNELS,) for span in SPANS},
    "attention": (_CHANNELS_ALL, HEADS),
    "attention_bias": (HEADS,),
    "values": (_CHANNELS_ALL, _HEAD),
    "values_bias": (_HEAD,),
    "hidden": (_POOLED, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "output": (HIDDEN, CLASSES),
    "output_bias": (CLASSES,),
    "linear_bias": (CLASSES,),
    # Weight of the linear scores, of the convolutional ones, and the probability below which no
    # emotion is named.
    "calibration": (3,),
}
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.text_emotion --data FOLDER"


def load_weights(path: Path | None = None) -> Weights:
    """Return the weights in a file; those that come with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold what it should, or for other emotions.
    """
    packaged = resources.files("rt_avatar.engines.text_emotion") / "weights.npz"
    found = read_arrays(path or packaged, "text emotion", _MAKE)
    if wrong := _find_wrong(found):
        raise ValueError(f"text emotion: expected weights in {path}; got {wrong}. {_MAKE}")
    return {
        name: array.astype(np.float32) if name in SHAPES else array for name, array in found.items()
    }


def _find_wrong(found: Weights) -> str:
    """Return what is wrong with the arrays of a file; empty if nothing is."""
    words, grams = (len(np.atleast_1d(found.get(name, ()))) for name in ("words", "ngrams"))
    wrong = find_wrong(
        found,
        {
            "labels": (np.str_, (CLASSES,)),
            **{name: (np.floating, shape) for name, shape in SHAPES.items()},
            "words": (np.uint32, (words,)),  # hashes, rising
            "vectors": (np.int8, (words + 1, SIZE)),
            "vectors_scale": (np.float16, (words + 1,)),  # what one unit of the row means
            "ngrams": (np.uint32, (grams,)),  # hashes, rising
            "linear": (np.int8, (grams, CLASSES)),
            "linear_scale": (np.float16, (grams,)),
            "idf": (np.float16, (grams,)),  # inverse document frequency
        },
    )
    if wrong:
        return wrong
    if tuple(found["labels"].tolist()) != FINE:
        return "labels other than EmpatheticDialogues' 32"
    return "" if words and grams else "an empty table"


def linear_scores(weights: Weights, grams: Sequence[str]) -> Floats:
    """Return a linear network's scores (classes,) of a text; unknown n-grams count nothing."""
    scores: Floats = weights["linear_bias"].copy()
    counts = Counter(find_rows(weights["ngrams"], grams).tolist())
    counts.pop(-1, None)
    if counts:
        rows = np.fromiter(counts, np.intp)
        values = 1 + np.log(np.fromiter(counts.values(), np.float32))
        values *= weights["idf"][rows].astype(np.float32)
        values *= weights["linear_scale"][rows].astype(np.float32) / np.linalg.norm(values)
        scores += values.astype(np.float32) @ weights["linear"][rows].astype(np.float32)
    return scores


def convolutional_scores(weights: Weights, words: Sequence[str]) -> Floats:
    """Return the convolutional network's scores (CLASSES,) of a text of one or more words."""
    rows = find_rows(weights["words"], words[-MAX_WORDS:])
    scale = weights["vectors_scale"][rows].astype(np.float32)
    x = weights["vectors"][rows].astype(np.float32) * scale[:, None]
    # Beyond the edges there is nothing; a span of two begins one word before the text.
    padded = np.pad(x, ((1, 1), (0, 0)))
    parts = []
    for span in SPANS:
        start = 0 if span > 1 else 1
        seen = np.concatenate([padded[start + at : start + at + len(x)] for at in range(span)], 1)
        parts.append(seen @ weights[f"convolution{span}"] + weights[f"convolution{span}_bias"])
    features = gelu(np.concatenate(parts, 1))
    attention = softmax(features @ weights["attention"] + weights["attention_bias"], 0)
    values = features @ weights["values"] + weights["values_bias"]
    pooled = np.concatenate((features.max(0), features.mean(0), (attention.T @ values).ravel()))
    hidden = gelu(pooled @ weights["hidden"] + weights["hidden_bias"])
    scores: Floats = (hidden @ weights["output"] + weights["output_bias"]).astype(np.float32)
    return scores


def probabilities(weights: Weights, words: Sequence[str]) -> Floats:
    """Return the probability (CLASSES,) of each emotion, in the order of ``FINE``."""
    of_linear, of_convolutional, _ = weights["calibration"].tolist()
    scores = of_linear * linear_scores(weights, ngrams(words))
    if words:
        scores = scores + of_convolutional * convolutional_scores(weights, words)
    return softmax(scores, 0)


def softmax(x: Floats, axis: int) -> Floats:
    """Return numbers that sum to 1 along an axis."""
    raised = np.exp(x - x.max(axis, keepdims=True))
    shares: Floats = raised / raised.sum(axis, keepdims=True)
    return shares


def gelu(x: Floats) -> Floats:
    """The approximation by tanh of D. Hendrycks, K. Gimpel, arXiv 1606.08415."""
    y: Floats = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return y
