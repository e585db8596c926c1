"""The vocabulary: which words, and how rare each is among replies."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.engines.reply_ranker.network import Floats
from rt_avatar.engines.training.reply_ranker.pairs import ReplyPair

_MOST: Final = 12_000
_MIN_COUNT: Final = 2  # texts of the training part


@dataclass(frozen=True, slots=True, eq=False)
class WordStatistics:
    """The vocabulary, and for each word and unknown ones (words + 1,) what is known of it.

    Attributes:
        words: The most frequent first.
        idf: Inverse document frequency among replies.
    """

    words: list[str]
    idf: Floats


def count_words(pairs: Sequence[ReplyPair]) -> WordStatistics:
    """Return the statistics of words in listeners' replies and in what they answer to."""
    seen: Counter[str] = Counter()
    replied: Counter[str] = Counter()
    for pair in pairs:
        seen.update(pair.reply + pair.context.last)
        replied.update(set(pair.reply))
    words = [word for word, count in seen.most_common(_MOST) if count >= _MIN_COUNT]
    frequency = np.array([replied[word] for word in words] + [0], np.float32)
    idf = np.log((1 + len(pairs)) / (1 + frequency)).astype(np.float32)
    return WordStatistics(words, idf)
