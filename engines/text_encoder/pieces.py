"""Words → word pieces and their vectors.

A word that the table lacks is cut from its left into the longest pieces that it has, as BERT's
WordPiece does; a piece that continues a word begins with ``##``.

Source: J. Devlin et al., "BERT", arXiv 1810.04805, §3.
"""

import re
import unicodedata
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.weights_file import find_wrong, read_arrays

SIZE: Final = 384  # of a vector
UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
_LONGEST: Final = 20  # letters of a piece
_MAKE: Final = "Make it with: python -m rt_avatar.engines.training.text_danger --data FOLDER"
_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)*")
_MARKED: Final = re.compile(r"'|[^']+")
# Recognisers and people in a hurry write no apostrophes; what is a word without one is left.
_CONTRACTED: Final = {
    word.replace("'", ""): word
    for word in (
        "ain't", "aren't", "can't", "couldn't", "didn't", "doesn't", "don't", "hadn't", "hasn't",
        "haven't", "he's", "i'm", "i've", "isn't", "it's", "shouldn't", "she's", "that's",
        "there's", "they're", "they've", "they'd", "wasn't", "we've", "weren't", "what's", "who's",
        "won't", "wouldn't", "you'd", "you'll", "you're", "you've",
    )
}  # fmt: skip


def split_words(text: str) -> list[str]:
    """Return the words, lower case and without accents; ``"Cant I?"`` → ``["can't", "i"]``."""
    plain = unicodedata.normalize("NFD", text.lower().replace("’", "'"))
    words = _WORD.findall("".join(sign for sign in plain if not unicodedata.combining(sign)))
    return [_CONTRACTED.get(word, word) for word in words]


class Splitter:
    """Cuts words into the pieces of a vocabulary; any thread.

    Args:
        pieces: The vocabulary, in the order of its rows.

    Attributes:
        pieces: Likewise.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = tuple(pieces)
        self._rows = {piece: row for row, piece in enumerate(pieces)}
        self._unknown = self._rows.get(UNKNOWN, 0)

    def rows_of(self, words: Sequence[str]) -> list[int]:
        """Return the rows of the pieces of words."""
        return [
            row for word in words for part in _MARKED.findall(word) for row in self._split(part)
        ]

    def row_of(self, piece: str) -> int:
        """Return the row of a piece.

        Raises:
            KeyError: There is no such piece.
        """
        return self._rows[piece]

    def _split(self, part: str) -> list[int]:
        found: list[int] = []
        begin = 0
        while begin < len(part):
            prefix = "##" if begin else ""
            ends = range(min(len(part), begin + _LONGEST), begin, -1)
            rows = (self._rows.get(prefix + part[begin:end], -1) for end in ends)
            at, row = next(((at, row) for at, row in enumerate(rows) if row >= 0), (0, -1))
            if row < 0:
                return [self._unknown]
            found.append(row)
            begin = ends[at]
        return found


class PieceTable(Splitter):
    """Pieces and their vectors, once a process; any thread. Only the rows that are used are read.

    Args:
        path: The file; the one that comes with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold what it should.
    """

    def __init__(self, path: Path | None = None) -> None:
        packaged = resources.files("rt_avatar.engines.text_encoder") / "pieces.npz"
        found = read_arrays(path or packaged, "word pieces", _MAKE)
        stored = found.get("pieces", np.empty(0, np.uint8))
        pieces = stored.tobytes().decode(errors="replace").split("\n")
        wrong = find_wrong(
            found,
            {
                "pieces": (np.uint8, (stored.size,)),  # UTF-8, one a line
                "vectors": (np.int8, (len(pieces), SIZE)),
                "vectors_scale": (np.float16, (len(pieces),)),  # what one unit of the row means
            },
        )
        missing = [piece for piece in (UNKNOWN, BEGIN, END) if piece not in pieces]
        if wrong or missing:
            wrong = wrong or f"no {', '.join(missing)}"
            raise ValueError(f"word pieces: expected pieces in {path}; got {wrong}. {_MAKE}")
        super().__init__(pieces)
        self._vectors, self._scale = found["vectors"], found["vectors_scale"].astype(np.float32)

    def vectors(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """Return (rows, SIZE)."""
        at = np.asarray(rows, np.int64)
        found: NDArray[np.float32] = self._vectors[at] * self._scale[at, None]
        return found
