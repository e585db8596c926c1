"""Words of contexts and of replies → directions; what fits lies close. In numpy.

Each side sums weighted vectors of words and of hashed pairs of neighbours for each of its *places*
(a context has three: what was said last, before, and what who replies said), and has two layers on
top. Tables are in eight bits, a row's scale beside them; layers in sixteen.

Source of the training: M. Henderson et al., "Efficient natural language response suggestion for
smart reply", arXiv 1705.00652.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.text_emotion.features import key_of
from rt_avatar.engines.text_emotion.network import gelu
from rt_avatar.engines.weights_file import find_wrong, read_arrays

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
Weights = dict[str, np.ndarray]
SIZE: Final = 128  # of a word's vector
PAIRS: Final = 16_384  # rows for pairs of neighbours; several share one
HIDDEN: Final = 384
OUTPUT: Final = 192  # of a direction
PLACES: Final[Mapping[str, int]] = {"context": 3, "reply": 1}  # texts that each side sums
_AT_ONCE: Final = 256  # texts; more of them leave the processor's cache while a bank is encoded
_EPSILON: Final = 1e-5  # of layer normalisation, as torch has it
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.reply_ranker --data FOLDER"


def pair_rows(words: Sequence[str]) -> Rows:
    """Return the row (words + 1,) of each pair of neighbours, the edges of the text among them."""
    edges = itertools.pairwise(("<s>", *words, "</s>"))
    return np.array([key_of(f"{one} {two}") % PAIRS for one, two in edges], np.int64)


def load_weights(path: Path | None = None) -> Weights:
    """Return the weights in a file; those that come with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold what it should.
    """
    packaged = resources.files("rt_avatar.engines.reply_ranker") / "weights.npz"
    found = read_arrays(path or packaged, "reply ranker", _MAKE)
    text = found.get("words", np.empty(0, np.uint8))
    words = len(vocabulary(found)) if text.size and text.dtype == np.uint8 else 0
    if wrong := find_wrong(found, shapes(words, text.size)) or ("" if words else "no words"):
        raise ValueError(f"reply ranker: expected weights in {path}; got {wrong}. {_MAKE}")
    return {
        name: array.astype(np.float32) if array.dtype == np.float16 else array
        for name, array in found.items()
    }


def vocabulary(weights: Weights) -> list[str]:
    """Return the words that have a row each, in the order of the rows."""
    return weights["words"].tobytes().decode().split("\n")


def shapes(words: int, size: int) -> dict[str, tuple[type, tuple[int, ...]]]:
    """Return what a file of weights holds for a vocabulary of so many words, of so many bytes."""
    found: dict[str, tuple[type, tuple[int, ...]]] = {
        "words": (np.uint8, (size,)),  # UTF-8, one a line
        "idf": (np.float16, (words + 1,)),  # inverse document frequency; the last: unknown words
        # What the cosine and the overlap of words count.
        "scoring": (np.float32, (2,)),
    }
    for side, places in PLACES.items():
        size = places * 2 * SIZE
        found |= {
            f"{side}_words": (np.int8, (words + 1, SIZE)),
            f"{side}_words_scale": (np.float16, (words + 1,)),
            f"{side}_pairs": (np.int8, (PAIRS, SIZE)),
            f"{side}_pairs_scale": (np.float16, (PAIRS,)),
            f"{side}_weights": (np.float16, (places, words + 1)),
            f"{side}_norm": (np.float16, (size,)),
            f"{side}_norm_bias": (np.float16, (size,)),
            f"{side}_hidden": (np.float16, (size, HIDDEN)),
            f"{side}_hidden_bias": (np.float16, (HIDDEN,)),
            f"{side}_output": (np.float16, (HIDDEN, OUTPUT)),
            f"{side}_output_bias": (np.float16, (OUTPUT,)),
        }
    return found


class Encoder:
    """One side of the network; any thread."""

    def __init__(self, weights: Weights, side: str, rows: Mapping[str, int]) -> None:
        """Take the weights of ``side``, ``"context"`` or ``"reply"``, and the row of each word."""
        self._rows = rows
        self._places = PLACES[side]
        prefix = f"{side}_"
        self._weights = {
            name.removeprefix(prefix): array
            for name, array in weights.items()
            if name.startswith(prefix)
        }

    def word_rows(self, words: Sequence[str]) -> Rows:
        """Return the row (words,) of each word; the last row is that of unknown ones."""
        unknown = len(self._rows)
        return np.array([self._rows.get(word, unknown) for word in words], np.int64)

    def encode(self, texts: Iterable[Sequence[Sequence[str]]]) -> Floats:
        """Return directions (texts, OUTPUT) of length 1.

        Args:
            texts: Words of each place of each text; a place may be empty.
        """
        left = iter(texts)
        found = []
        while some := list(itertools.islice(left, _AT_ONCE)):
            found.append(self._encode(some))
        return np.concatenate(found) if found else np.empty((0, OUTPUT), np.float32)

    def _encode(self, texts: Sequence[Sequence[Sequence[str]]]) -> Floats:
        summed = []
        for place in range(self._places):
            words = [self.word_rows(text[place]) for text in texts]
            pairs = [pair_rows(text[place]) for text in texts]
            summed += [
                self._sum("words", words, self._weights["weights"][place]),
                self._sum("pairs", pairs, None),
            ]
        x = np.concatenate(summed, 1)
        weights = self._weights
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + _EPSILON)
        x = x * weights["norm"] + weights["norm_bias"]
        x = gelu(x @ weights["hidden"] + weights["hidden_bias"])
        x = x @ weights["output"] + weights["output_bias"]
        directions: Floats = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
        return directions

    def _sum(self, table: str, texts: Sequence[Rows], weights: Floats | None) -> Floats:
        """Return the sum (texts, SIZE) of each text's rows by the root of their number."""
        sizes = np.array([len(text) for text in texts])
        rows = np.concatenate(texts)
        summed = np.zeros((len(texts), SIZE), np.float32)
        if len(rows):
            each = self._weights[f"{table}_scale"][rows]
            if weights is not None:
                each = each * weights[rows]
            seen = self._weights[table][rows] * each[:, None]
            starts = np.cumsum(sizes) - sizes
            filled = sizes > 0
            summed[filled] = np.add.reduceat(seen, starts[filled])
        scaled: Floats = summed / np.sqrt(np.maximum(sizes, 1))[:, None].astype(np.float32)
        return scaled
