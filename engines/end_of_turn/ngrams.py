"""Whether a turn is over by its last words: text → a logit, by n-grams of dialogues.

Of every one to four last words (the beginning of the turn counts as one) that dialogues have often
enough, the file holds how often a turn ended behind them, smoothed by what the shorter ones say.
The longest that is known answers. Words are kept as hashes of 32 bits: one in some ten thousand
unknown ones is taken for another.

Source: I. H. Witten, T. C. Bell, "The zero-frequency problem", IEEE Trans. IT 37 (1991), for the
way in which longer contexts are mixed with shorter ones.
"""

import re
import zlib
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.weights_file import find_wrong, read_arrays

LONGEST: Final = 4
BEGINNING: Final = "<s>"
STEP: Final = 1 / 16  # of a logit: what one unit of the file means
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MAKE: Final = "Make it with: python -m rt_avatar.engines.training.end_of_turn words"


def split_words(text: str) -> list[str]:
    """Return the words of a text as n-grams have them: lower case, without punctuation."""
    return [word.replace("’", "'") for word in _WORD.findall(text.lower())]


def key_of(words: list[str]) -> int:
    """Return the hash under which the last words of a turn are kept."""
    return zlib.crc32(" ".join(words).encode())


class EndOfTurnNgrams:
    """The n-grams, once a process; any thread."""

    def __init__(self, path: Path | None = None) -> None:
        """Load the file; the one that comes with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold n-grams.
        """
        packaged = resources.files("rt_avatar.engines.end_of_turn") / "ngrams.npz"
        found = read_arrays(path or packaged, "end of turn", _MAKE)
        size = (found["keys"].size if "keys" in found else 0,)
        if wrong := find_wrong(found, {"keys": (np.uint32, size), "logits": (np.int8, size)}):
            raise ValueError(
                f"end of turn: expected keys of words and as many logits in {path}; got {wrong}. "
                f"{_MAKE}"
            )
        self._keys, self._logits = found["keys"], found["logits"]

    def logit(self, text: str) -> float | None:
        """Return the logit that a turn is over behind this text; None where nothing is known."""
        words = split_words(text)
        if not words:
            return None
        context = [BEGINNING, *words]
        for length in range(min(LONGEST, len(context)), 0, -1):
            key = np.uint32(key_of(context[-length:]))
            place = int(np.searchsorted(self._keys, key))
            if place < len(self._keys) and self._keys[place] == key:
                return float(self._logits[place]) * STEP
        return None
