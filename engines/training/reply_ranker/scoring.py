"""What the parts of a score count, and recall as it ships."""

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np

from rt_avatar.engines.reply_ranker.network import Floats
from rt_avatar.engines.reply_ranker.ranker import Scorer
from rt_avatar.engines.training.reply_ranker.model import groups_of_100
from rt_avatar.engines.training.reply_ranker.pairs import ReplyPair

_COSINES: Final = (6.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 16.0, 18.0)
_OVERLAPS: Final = (0.0, 2.0, 4.0, 6.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 16.0, 18.0)


def fit(scorer: Scorer, pairs: Sequence[ReplyPair]) -> tuple[float, float]:
    """Return what a cosine and an overlap of words count: the likeliest among 100 replies.

    Args:
        scorer: With any weights of its parts.
        pairs: 100 or more.
    """
    cosines, overlaps = _parts(scorer, pairs)

    def loss(counts: tuple[float, float]) -> float:
        scores = counts[0] * cosines + counts[1] * overlaps
        top = scores.max(2)
        spread = top + np.log(np.exp(scores - top[:, :, None]).sum(2))
        return float((spread - scores.diagonal(axis1=1, axis2=2)).mean())

    return min(itertools.product(_COSINES, _OVERLAPS), key=loss)


def recall(scorer: Scorer, pairs: Sequence[ReplyPair], ranks: Sequence[int]) -> list[float]:
    """Return how often the true reply is among the first so many of 100."""
    scores = scorer.scores(*_parts(scorer, pairs))
    places = (scores > scores.diagonal(axis1=1, axis2=2)[:, :, None]).sum(2)
    return [float((places < rank).mean()) for rank in ranks]


def _parts(scorer: Scorer, pairs: Sequence[ReplyPair]) -> tuple[Floats, Floats]:
    """Return cosines and overlaps (groups, 100 contexts, 100 replies)."""
    found = []
    for group in groups_of_100(len(pairs)):
        those = [pairs[at] for at in group]
        found.append(scorer.parts([one.context for one in those], [one.reply for one in those]))
    cosines, overlaps = zip(*found, strict=True)
    return np.array(cosines), np.array(overlaps)
