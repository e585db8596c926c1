"""Words of a turn → the n-grams that tell of danger.

Apostrophes are left out, since recognisers and people in a hurry write none. Pairs know where a
turn begins and ends ("i cant" alone is no "i cant swim"), pairs with a gap what stands between
("wont _ me"), and pieces of long words hear "suicidal" in "sucidal".
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

_WORD: Final = re.compile(r"[a-z0-9]+")
_LONG: Final = 4  # letters; longer words are heard in pieces, too
_PIECES: Final = (4, 5)  # letters, the edges of the word among them


def split_words(text: str) -> list[str]:
    """Return the words of a turn, lower case; ``"I can't!"`` → ``["i", "cant"]``."""
    return _WORD.findall(text.lower().replace("'", "").replace("’", ""))


def danger_grams(words: Sequence[str]) -> list[str]:
    """Return words, pairs of neighbours, pairs with one word between, and pieces of long words."""
    return [
        *words,
        *(f"{one} {two}" for one, two in itertools.pairwise(("<", *words, ">"))),
        *(f"{one} _ {two}" for one, two in zip(words, words[2:], strict=False)),
        *(piece for word in words if len(word) >= _LONG for piece in _pieces(f"<{word}>")),
    ]


def _pieces(word: str) -> Iterator[str]:
    for size in _PIECES:
        yield from (f"#{word[at : at + size]}" for at in range(len(word) - size + 1))
