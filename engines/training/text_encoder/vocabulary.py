"""Which of a checkpoint's word pieces are kept: those that people say, and every letter."""

import string
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rt_avatar.engines.text_encoder.pieces import BEGIN, END, UNKNOWN, Splitter, split_words

_MIN_COUNT: Final = 3


def used_pieces(pieces: Sequence[str], texts: Iterable[str]) -> list[str]:
    """Return the pieces that occur in texts often enough, in the order of the checkpoint."""
    splitter = Splitter(pieces)
    counts: Counter[int] = Counter()
    for text in texts:
        counts.update(splitter.rows_of(split_words(text)))
    letters = string.ascii_lowercase + string.digits
    kept = {UNKNOWN, BEGIN, END, "'", *letters, *(f"##{one}" for one in letters)}
    return [piece for row, piece in enumerate(pieces) if counts[row] >= _MIN_COUNT or piece in kept]
