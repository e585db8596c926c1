"""Whether a turn is over by its last words: text → a logit, by n-grams of dialogues.

Of every one to four last words (the beginning of the turn counts as one) that dialogues have often
enough, the file holds how often a turn ended behind them, smoothed by what the shorter ones say.
The longest that is known answers. Words are kept as hashes of 32 bits: one in some ten thousand
unknown ones is taken for another.

Source: I. H. Witten, T. C. Bell, "The zero-frequency problem", IEEE Trans. IT 37 (1991), for the
way in which longer contexts are mixed with shorter ones.
"""

import re
import zipfile
import zlib
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np

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
        with resources.as_file(resources.files("rt_avatar.engines.end_of_turn")) as folder:
            path = path or folder / "ngrams.npz"
        try:
            with np.load(path, allow_pickle=False) as stored:
                keys, logits = stored["keys"], stored["logits"]
        except FileNotFoundError:
            raise FileNotFoundError(
                f"end of turn: expected n-grams at {path}; got no file. {_MAKE}"
            ) from None
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"end of turn: expected an npz of keys and logits at {path}; got {error}. {_MAKE}"
            ) from error
        if keys.dtype != np.uint32 or logits.dtype != np.int8 or keys.shape != logits.shape:
            raise ValueError(
                f"end of turn: expected uint32 keys and as many int8 logits in {path}; got "
                f"{keys.dtype} {keys.shape}, {logits.dtype} {logits.shape}. {_MAKE}"
            )
        self._keys, self._logits = keys, logits

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
