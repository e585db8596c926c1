"""Things to say: random phrases of common words and of the recogniser's dictionary.

They mean nothing; what matters is that every sound meets every other, at the usual rhythm of short
and long words. The dictionary (CMUdict) comes with the package pocketsphinx.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import pocketsphinx

# The most frequent words of spoken English by kind, in no order: half of all words said.
_COMMON: Final[str] = (
    "the a of and to in that it is was for on you he be with as I at by this had not are but from "
    "or have they which one were her all she there would their we him been has when who will more "
    "no if out so said what up its about into than them can only other new some could time these "
    "two may then do first any my now such like our over man me even most made after also did many "
    "before must through back years where much your way well down should because each just those "
    "people how too little good very make world still own see work long here get both between life "
    "being under never day same another know while last might us great old year off come since go "
    "against came right take three maybe baby people problem number remember probably summer happy "
    "moment important person somebody family morning umbrella member please simple example bubble "
    "whoever you'll we'll always away water window follow yellow show choose June blue moon food "
    "father calm hot spa cheese keep feel these believe thing think both breath mother fever over"
)
_MARKS: Final = (".", ".", ".", ",", ",", "?", "!", ";", "")
_ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


@lru_cache(maxsize=1)
def _dictionary() -> tuple[str, ...]:
    path = Path(pocketsphinx.get_model_path()) / "en-us" / "cmudict-en-us.dict"
    words = (line.split(" ", 1)[0] for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(word for word in words if 3 <= len(word) <= 10 and _ALPHABET.issuperset(word))


def random_phrase(dice: np.random.Generator) -> str:
    """Return a phrase of two to twelve words with a mark at its end."""
    count = int(dice.integers(2, 13))
    common, rare = _COMMON.split(), _dictionary()
    words = [
        common[int(dice.integers(len(common)))]
        if dice.random() < 0.62
        else rare[int(dice.integers(len(rare)))]
        for _ in range(count)
    ]
    return " ".join(words) + str(dice.choice(_MARKS))
