"""Text → words and n-grams, and the rows of a table that they are kept in.

Words are lower case without punctuation, since a recogniser writes none. Tables hold hashes of 32
bits instead of the words: one in some ten thousand unknown words is taken for a known one.
"""

import itertools
import re
import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint32]
_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)*")


def split_words(text: str) -> list[str]:
    """Return the words of a text, lower case; ``"Don't!"`` → ``["don't"]``."""
    return _WORD.findall(text.lower().replace("’", "'").replace("_comma_", " "))


def ngrams(words: Sequence[str]) -> list[str]:
    """Return the words and the pairs of neighbours."""
    return [*words, *(f"{one} {two}" for one, two in itertools.pairwise(words))]


def key_of(gram: str) -> int:
    """Return the hash that a word or a pair is kept under."""
    return zlib.crc32(gram.encode())


def find_rows(keys: Keys, grams: Sequence[str]) -> NDArray[np.intp]:
    """Return the row (count,) of each word or pair in a table; -1 where it has none.

    Args:
        keys: (rows,) hashes of the table, rising.
        grams: What to find.
    """
    wanted = np.array([key_of(gram) for gram in grams], np.uint32)
    rows = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[rows] == wanted, rows, -1)
