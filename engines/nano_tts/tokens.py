"""Words with their phonemes → what the voice reads: symbols, places in words and phrases, marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.g2p.phones import PHONE_ID, PHONES

PAUSE: Final = 0  # every phone's symbol is its number and one
SYMBOLS: Final = len(PHONES) + 1
PLACES: Final = 5  # alone in its word, first, within, last, a pause
MARKS: Final = ("", ",", ".", "!", "?", "unknown")
UNKNOWN_MARK: Final = MARKS.index("unknown")  # of texts without punctuation
PHRASE_NUMBERS: Final = 2
_PHRASE_REACH: Final = 30.0  # tokens


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A word as it is said.

    Attributes:
        phones: Of ``engines.g2p.phones``.
        mark: Index in ``MARKS`` of what stands behind it.
        pause: Whether there is a silence behind it.
    """

    phones: tuple[str, ...]
    mark: int = 0
    pause: bool = False


@dataclass(frozen=True, slots=True)
class Tokens:
    """N tokens: phones and pauses.

    Attributes:
        symbol: (N,) 0 a pause, else the phone's number and one.
        place: (N,) 0 to 4.
        mark: (N,) index in ``MARKS`` of what stands behind the token's word.
        phrase: (N, 2) how far it is from the phrase's first and last token, 0 to 1.
        word: (N,) index of the word; -1 for pauses.
    """

    symbol: NDArray[np.int64]
    place: NDArray[np.int64]
    mark: NDArray[np.int64]
    phrase: NDArray[np.float32]
    word: NDArray[np.int64]


def make_tokens(words: Sequence[SpokenWord], leading_pause: bool = True) -> Tokens:
    """Return the tokens of words; a pause first, if asked for, and where words have one behind.

    Raises:
        KeyError: A phone is not of the set.
    """
    rows: list[tuple[int, int, int, int]] = []
    if leading_pause:
        rows.append((PAUSE, 4, 0, -1))
    for index, word in enumerate(words):
        last = len(word.phones) - 1
        for at, phone in enumerate(word.phones):
            place = 0 if last == 0 else 1 if at == 0 else 3 if at == last else 2
            rows.append((PHONE_ID[phone] + 1, place, word.mark, index))
        if word.pause:
            rows.append((PAUSE, 4, word.mark, -1))
    table = np.array(rows, np.int64).reshape(-1, 4)
    return Tokens(table[:, 0], table[:, 1], table[:, 2], _phrases(table[:, 0]), table[:, 3])


def _phrases(symbol: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return each token's distance from its phrase's ends; phrases lie between pauses."""
    numbers = np.zeros((len(symbol), PHRASE_NUMBERS), np.float32)
    edges = np.concatenate([[-1], np.flatnonzero(symbol == PAUSE), [len(symbol)]])
    for before, after in pairwise(edges):
        inside = np.arange(before + 1, after)
        numbers[inside, 0] = np.minimum((inside - before - 1) / _PHRASE_REACH, 1.0)
        numbers[inside, 1] = np.minimum((after - 1 - inside) / _PHRASE_REACH, 1.0)
    return numbers
