"""The pronouncing dictionary: a word → its pronunciations, the usual one first.

Kept as two blocks of text, words in alphabetical order and packed phones in the same order, in
which a word is found by bisection: loading is decompressing (some 20 ms), and no table of 126,000
Python objects is made.

Source of the pronunciations: CMUdict, Carnegie Mellon University (NOTICE).
"""

import functools
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.g2p.phones import Phones, pack_phones, unpack_phones
from rt_avatar.engines.weights_file import read_arrays

_MAKE: Final = "Make it with: python -m rt_avatar.engines.training.g2p --dictionary cmudict.dict"
_SEPARATOR: Final = b"\t"  # between the pronunciations of a word


class Lexicon:
    """Words and their pronunciations. Thread-safe: nothing changes after loading."""

    def __init__(self, words: bytes, phones: bytes) -> None:
        """Take words (one a line, sorted by bytes) and their packed phones (one line a word).

        Raises:
            ValueError: There are not as many lines of phones as of words.
        """
        self._words = _Lines(words)
        self._phones = _Lines(phones)
        if len(self._words) != len(self._phones):
            raise ValueError(
                f"lexicon: expected as many words as pronunciations; "
                f"got {len(self._words)} and {len(self._phones)}"
            )

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._index(word) >= 0

    def find(self, word: str) -> tuple[Phones, ...]:
        """Return the pronunciations of a word in lower case; none where it is not known."""
        index = self._index(word)
        if index < 0:
            return ()
        return tuple(unpack_phones(packed) for packed in self._phones[index].split(_SEPARATOR))

    def words(self) -> list[str]:
        """Return all words in alphabetical order."""
        return self._words.text.decode("ascii").split("\n")

    def _index(self, word: str) -> int:
        if not word.isascii():
            return -1
        key = word.encode("ascii")
        index = bisect_left(self._words, key)
        return index if index < len(self._words) and self._words[index] == key else -1


class _Lines:
    """Lines of a text by number."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
        self._edges = np.concatenate(([-1], ends, [len(text)])).tolist() if text else [-1]

    def __len__(self) -> int:
        return len(self._edges) - 1

    def __getitem__(self, index: int) -> bytes:
        return self.text[self._edges[index] + 1 : self._edges[index + 1]]


def save_lexicon(path: Path, entries: Mapping[str, Iterable[Phones]]) -> None:
    """Write the file that ``load_lexicon`` reads; words are ASCII, in lower case."""
    words = sorted(entries)
    lines = ["\t".join(pack_phones(phones) for phones in entries[word]) for word in words]
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            allow_pickle=False,
            words=np.frombuffer("\n".join(words).encode("ascii"), np.uint8),
            phones=np.frombuffer("\n".join(lines).encode("ascii"), np.uint8),
        )


@functools.cache
def load_lexicon() -> Lexicon:
    """Return the dictionary that comes with the package; the first call loads it."""
    return read_lexicon(resources.files("rt_avatar.engines.g2p") / "lexicon.npz")


def read_lexicon(path: Path | Traversable) -> Lexicon:
    """Return the dictionary in a file.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is not such a file.
    """
    found = read_arrays(path, "lexicon", _MAKE)
    if not {"words", "phones"} <= found.keys():
        raise ValueError(
            f"lexicon: expected words and phones in {path}; got {sorted(found)}. {_MAKE}"
        )
    return Lexicon(found["words"].tobytes(), found["phones"].tobytes())
