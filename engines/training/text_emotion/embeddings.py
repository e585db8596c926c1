"""Texts → vectors of words: what stands near them, counted and compressed. No gradients.

Positive pointwise mutual information of neighbours, reduced to its strongest directions: what
skip-grams converge to, in a minute.

Sources: O. Levy, Y. Goldberg, "Neural word embedding as implicit matrix factorization", NIPS 2014;
N. Halko, P.-G. Martinsson, J. Tropp, SIAM Review 53 (2011), for the randomised decomposition.
"""

import gzip
import json
import logging
import lzma
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from scipy import sparse

from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.text_emotion.network import SIZE
from rt_avatar.engines.training.text_emotion.dialogues import LabelledDialogue

_log = logging.getLogger(__name__)
_WINDOW: Final = 5  # words to each side; a neighbour counts 1 / √distance
_CONTEXT_POWER: Final = 0.75  # flattens how common contexts are
_DIALOGUE_WEIGHT: Final = 3.0  # of what people wrote to each other, against novels
_OWN_COUNT: Final = 2  # words that often in the labelled dialogues come first
_OVERSAMPLING: Final = 20
_ITERATIONS: Final = 4
_CHUNK: Final = 2_000_000  # words


def read_dialogue_texts(folder: Path) -> Iterator[list[str]]:
    """Yield the turns of the open dialogues, as words."""
    with gzip.open(folder / "self_dialogue.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from map(split_words, json.loads(line)["turns"])


def read_books(folder: Path) -> Iterator[list[str]]:
    """Yield the paragraphs of the books, as words."""
    with lzma.open(folder / "books.txt.xz", "rt", encoding="utf-8") as lines:
        yield from map(split_words, lines)


def make_vectors(
    labelled: Sequence[LabelledDialogue], folder: Path, words: int, seed: int
) -> tuple[list[str], np.ndarray]:
    """Return the words, the most useful first, and their vectors (words, SIZE), of mean length 1.

    Args:
        labelled: Dialogues to train on; their words come first.
        folder: With ``self_dialogue.jsonl.gz`` and ``books.txt.xz``.
        words: How many at most.
        seed: Of the decomposition.

    Raises:
        FileNotFoundError: A file is missing.
    """
    own = [text for one in labelled for text in (one.situation, *one.turns, *one.answers) if text]
    dialogues = own + list(read_dialogue_texts(folder))
    books = list(read_books(folder))
    own_counts: Counter[str] = Counter(chain.from_iterable(own))
    counts: Counter[str] = Counter()
    for text in chain(dialogues, books):
        counts.update(text)
    vocabulary = sorted(
        counts, key=lambda word: (own_counts[word] >= _OWN_COUNT, counts[word]), reverse=True
    )[:words]
    rows = {word: row for row, word in enumerate(vocabulary)}
    _log.info("%d words of text, %d different", sum(counts.values()), len(counts))
    pairs = _DIALOGUE_WEIGHT * _count(dialogues, rows) + _count(books, rows)
    return vocabulary, _decompose(_information(pairs), seed)


def _count(texts: Sequence[Sequence[str]], rows: dict[str, int]) -> sparse.csr_matrix:
    """Return (words, words): how often they stand near each other."""
    size = len(rows)
    gap = [-1] * _WINDOW  # texts are no neighbours of each other
    numbers = (number for text in texts for number in (*(rows.get(w, -1) for w in text), *gap))
    ids = np.fromiter(numbers, np.int32)
    total = sparse.csr_matrix((size, size), dtype=np.float32)
    for start in range(0, len(ids), _CHUNK):
        chunk = ids[start : start + _CHUNK + _WINDOW]
        for distance in range(1, _WINDOW + 1):
            one, two = chunk[:-distance], chunk[distance:]
            is_pair = (one >= 0) & (two >= 0)
            weights = np.full(int(is_pair.sum()), distance**-0.5, np.float32)
            total = total + sparse.csr_matrix(
                (weights, (one[is_pair], two[is_pair])), shape=(size, size)
            )
    return total + total.T


def _information(pairs: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the positive pointwise mutual information of pairs."""
    found = pairs.tocoo()
    often = np.asarray(pairs.sum(1)).ravel()
    context = often**_CONTEXT_POWER
    context /= context.sum()
    values = np.log(found.data / (often[found.row] * context[found.col]))
    kept = values > 0
    return sparse.csr_matrix(
        (values[kept].astype(np.float32), (found.row[kept], found.col[kept])), shape=pairs.shape
    )


def _decompose(matrix: sparse.csr_matrix, seed: int) -> np.ndarray:
    dice = np.random.default_rng(seed)
    basis = dice.standard_normal((matrix.shape[0], SIZE + _OVERSAMPLING)).astype(np.float32)
    for _ in range(_ITERATIONS):
        basis, _ = np.linalg.qr(matrix @ basis)
        basis, _ = np.linalg.qr(matrix.T @ basis)
    left, strength, _ = np.linalg.svd(matrix @ basis, full_matrices=False)
    vectors: np.ndarray = (left[:, :SIZE] * np.sqrt(strength[:SIZE])).astype(np.float32)
    return vectors / float(np.linalg.norm(vectors, axis=1).mean())
