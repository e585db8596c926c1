"""Emotions named by words alone: by baselines and networks, by turns heard, and how surely."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from rt_avatar.engines.emotion_words import FINE, Fine
from rt_avatar.engines.text_emotion import EmotionEstimate, TextEmotionClassifier
from rt_avatar.engines.text_emotion.features import ngrams, split_words
from rt_avatar.engines.text_emotion.network import linear_scores, load_weights
from rt_avatar.reasoner.chat.voting import Opinion, by_lexicon, by_network, vote
from rt_avatar.reasoner.nlu.feelings import detect

MOST_TURNS: Final = 4
_MIN_DIALOGUES: Final = 30  # fewer with so many turns say nothing


def name_by_words(
    said: Sequence[Sequence[str]], estimates: Sequence[EmotionEstimate]
) -> dict[str, list[Fine | None]]:
    """Return what is named of each dialogue, by who names it.

    Args:
        said: What the speakers said, turn by turn.
        estimates: What the network makes of it.
    """
    weights = load_weights()
    found: dict[str, list[Fine | None]] = {
        "linear": [
            FINE[int(linear_scores(weights, ngrams(split_words(" ".join(turns)))).argmax())]
            for turns in said
        ],
        "lexicon": [detect(" ".join(turns)).fine for turns in said],
        "network": [estimate.fine for estimate in estimates],
    }
    return found | _voted(estimates, found)


def _voted(
    estimates: Sequence[EmotionEstimate], by_words: Mapping[str, Sequence[Fine | None]]
) -> dict[str, list[Fine | None]]:
    """Return what votes of the opinions name: weighed, and of the network first among equals."""
    weighed, equal = [], []
    for at, estimate in enumerate(estimates):
        cues = by_words["lexicon"][at]
        opinions = [by_network(estimate), *([by_lexicon(cues)] if cues else [])]
        weighed.append(next(iter(vote(opinions))))
        heads = (by_words[name][at] for name in ("network", "linear", "lexicon"))
        equal.append(next(iter(vote(Opinion({fine: 1.0}) for fine in heads if fine))))
    return {"voted": weighed, "equal_votes": equal}


def by_turns(
    classifier: TextEmotionClassifier, said: Sequence[Sequence[str]], labels: Sequence[Fine]
) -> dict[str, float]:
    """Return how often the network names the emotion by the first turns alone."""
    figures = {}
    for turns in range(1, MOST_TURNS + 1):
        those = [at for at, one in enumerate(said) if len(one) >= turns]
        if len(those) >= _MIN_DIALOGUES:
            right = [classifier.classify(said[at][:turns]).fine == labels[at] for at in those]
            figures[f"turns{turns}_acc32"] = 100 * sum(right) / len(right)
    return figures


def sureness(estimates: Sequence[EmotionEstimate], labels: Sequence[Fine]) -> dict[str, float]:
    """Return how often the network is sure, and how often it is right then."""
    sure = [at for at, estimate in enumerate(estimates) if estimate.is_sure]
    right = [estimates[at].fine == labels[at] for at in sure]
    share = 100 * sum(right) / len(right) if right else math.nan
    return {"sure_percent": 100 * len(sure) / len(labels), "sure_acc32": share}
