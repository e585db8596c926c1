"""The vocabulary: which words, how rare each is, and which a reply may use of anything.

A word is *general* if listeners use it about as often whether the speaker said it or not: "sorry",
"happened", but not "dog", which is fifty times as frequent in replies to who spoke of one.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.engines.reply_ranker.fit import PRONOUNS
from rt_avatar.engines.reply_ranker.network import Floats
from rt_avatar.engines.training.reply_ranker.pairs import ReplyPair

_MOST: Final = 12_000
_MIN_COUNT: Final = 2  # texts of the training part
_MIN_REPLIES: Final = 25  # with a word that is general
_MOST_LIKELY: Final = 12.0  # times as frequent where it was said before


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words of appraisal: they say how something is, of anything.
_APPRAISALS: Final = _words(
    "scary annoying interesting special positive embarrassing frustrating frustrated upset "
    "stressful impressive gross weird rude lovely disappointing proud luck lucky worth "
    "surprised relaxing delicious beautiful perfect deserve deserved hurt hurtful nervous "
    "worried confident scared jealous lonely upsetting exhausting overwhelming heartbreaking "
    "painful unfair creepy nasty shame stressed thoughtful touching generous brave cute "
    "adorable helpful grateful condolences handle cope react reaction celebrate mood feelings "
    "incredible relief relieved dream memories tough situation experience"
)
# General by their numbers, yet they claim something.
_CLAIMS: Final = _words(
    "money house friends friend girl work working worked home place year week night years "
    "weeks tonight day days people"
)


@dataclass(frozen=True, slots=True, eq=False)
class WordStatistics:
    """The vocabulary, and for each word and unknown ones (words + 1,) what is known of it.

    Attributes:
        words: The most frequent first.
        idf: Inverse document frequency among replies.
        is_general: Whether a reply may use it when nobody has.
    """

    words: list[str]
    idf: Floats
    is_general: np.ndarray


def count_words(pairs: Sequence[ReplyPair]) -> WordStatistics:
    """Return the statistics of words in listeners' replies and in what they answer to."""
    seen: Counter[str] = Counter()
    replied: Counter[str] = Counter()
    said: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for pair in pairs:
        reply, context = set(pair.reply), {*pair.context.last, *pair.context.before}
        seen.update(pair.reply + pair.context.last)
        replied.update(reply)
        said.update(context)
        both.update(reply & context)
    words = [word for word, count in seen.most_common(_MOST) if count >= _MIN_COUNT]
    frequency = np.array([replied[word] for word in words] + [0], np.float32)
    idf = np.log((1 + len(pairs)) / (1 + frequency)).astype(np.float32)
    is_general = np.zeros(len(words) + 1, np.bool_)
    for row, word in enumerate(words):
        likelier = (both[word] / max(1, said[word])) / max(
            (replied[word] - both[word]) / max(1, len(pairs) - said[word]), 1e-6
        )
        is_common = replied[word] >= _MIN_REPLIES and likelier < _MOST_LIKELY
        is_number = any(char.isdigit() for char in word)
        is_general[row] = (
            (is_common or word in _APPRAISALS)
            and word not in _CLAIMS
            and word not in PRONOUNS
            and not is_number
        )
    return WordStatistics(words, idf, is_general)
