"""Replies that are chosen: is people's own found among 100, and is what is said fit to be said?"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from rt_avatar.benchmarks.quality.replies import Dialogue
from rt_avatar.engines.emotion_words import PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.reply_ranker.context import context_of
from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.engines.reply_ranker.ranker import Scorer
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.text_emotion.features import split_words

_AMONG: Final = 100


def recall_percent(scorer: Scorer, dialogues: Sequence[Dialogue], rank: int) -> float:
    """Return how often people's reply is among the first ``rank`` of 100; NaN of fewer replies.

    Source of the measure: H. Rashkin et al., ACL 2019. Groups are made with a fixed seed.
    """
    pairs = []
    for dialogue in dialogues:
        for at, turn in enumerate(dialogue.turns):
            said = [one.text for one in dialogue.turns[:at] if one.role == "caller"]
            own = [one.text for one in dialogue.turns[:at] if one.role == "avatar"]
            if turn.role == "avatar" and said and (words := split_words(turn.text)):
                pairs.append((context_of(said, own), words))
    count = len(pairs) // _AMONG * _AMONG
    if not count:
        return math.nan
    order = np.random.default_rng(0).permutation(len(pairs))[:count].reshape(-1, _AMONG)
    found = []
    for group in order:
        contexts, replies = zip(*(pairs[at] for at in group), strict=True)
        scores = scorer.scores(*scorer.parts(contexts, replies))
        found.append((scores > scores.diagonal()[:, None]).sum(1) < rank)
    return 100 * float(np.mean(found))


def unsafe_count(texts: Sequence[str]) -> float:
    """Return how many replies the list of what must never be said forbids."""
    return float(sum(bool(find_unsafe(text)) for text in texts))


def misplaced_percent(texts: Sequence[str], labels: Sequence[Fine]) -> float:
    """Return how many replies cheer at a bad emotion or pity a good one; NaN of none.

    Args:
        texts: Replies.
        labels: The emotion of the story that each answers to.
    """
    wrong = [
        (label in UNPLEASANT and tone_of(text) == 1) or (label in PLEASANT and tone_of(text) == -1)
        for text, label in zip(texts, labels, strict=True)
    ]
    return 100 * sum(wrong) / len(wrong) if wrong else math.nan
