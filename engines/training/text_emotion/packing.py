"""What was learnt → the file that ships: eight bits for tables, sixteen for layers."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.text_emotion.features import key_of
from rt_avatar.engines.text_emotion.network import Weights
from rt_avatar.engines.training.text_emotion.linear import Linear
from rt_avatar.engines.training.text_emotion.model import FIRST, UNKNOWN, ConvolutionalClassifier
from rt_avatar.engines.training.text_emotion.model import export as export_layers


def pack(
    linear: Linear,
    model: ConvolutionalClassifier,
    vocabulary: Sequence[str],
    calibration: Sequence[float],
) -> Weights:
    """Return the arrays of ``network.SHAPES`` and the tables.

    Args:
        linear: The linear part.
        model: The convolutional part.
        vocabulary: Its words, in the order of its vectors.
        calibration: Weight of each part, threshold.
    """
    state = model.state_dict()
    layers = export_layers(state)
    layers["linear_bias"] = linear.bias
    found: Weights = {name: array.astype(np.float16) for name, array in layers.items()}
    found["calibration"] = np.array(calibration, np.float32)
    found["labels"] = np.array(FINE)
    vectors = state["vectors.weight"].numpy()
    keys, order = _sorted_keys(vocabulary)
    rows, scale = to_int8(vectors[np.append(order + FIRST, UNKNOWN)])
    found |= {"words": keys, "vectors": rows, "vectors_scale": scale}
    return found | pack_linear(linear)


def pack_linear(linear: Linear) -> Weights:
    """Return the arrays that ``network.linear_scores`` reads, but the bias."""
    keys, order = _sorted_keys(list(linear.grams))
    rows, scale = to_int8(linear.weights[order])
    idf = linear.idf[order].astype(np.float16)
    return {"ngrams": keys, "linear": rows, "linear_scale": scale, "idf": idf}


def save(path: Path, weights: Weights) -> None:
    """Write the file, not compressed, so that it is mapped; there is all of it or nothing."""
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **weights)
    temporary.replace(path)


def _sorted_keys(grams: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return rising hashes and the row of each; of two with the same hash the first is kept."""
    return np.unique(np.array([key_of(gram) for gram in grams], np.uint32), return_index=True)


def to_int8(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows in eight bits and what one unit of each means."""
    scale = np.maximum(np.abs(table).max(1) / 127, 1e-6).astype(np.float16)
    rows = np.round(table / scale[:, None].astype(np.float32))
    return np.clip(rows, -127, 127).astype(np.int8), scale
