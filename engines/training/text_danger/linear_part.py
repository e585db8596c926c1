"""The linear part: logistic regression over n-grams, on what is written and on mined real talk."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.text_danger.classifier import CLASSES, DANGERS
from rt_avatar.engines.text_danger.features import danger_grams
from rt_avatar.engines.training.text_danger.sentences import NONE, Sentence
from rt_avatar.engines.training.text_emotion.calibration import shares_of
from rt_avatar.engines.training.text_emotion.linear import Linear, train_linear
from rt_avatar.engines.training.text_emotion.packing import pack_linear, save

_log = logging.getLogger("text_danger")
_MIN_COUNT: Final = 4  # sentences with an n-gram
_PENALTY: Final = 0.2
_BEGIN: Final = 8_000  # turns of real talk, drawn at random
_MINED: Final = 6_000  # turns more of it in each round, those that sound most like danger
_ROUNDS: Final = 2
_AT_ONCE: Final = 20_000


def train_linear_part(written: Sequence[Sentence], talk: Sequence[Sentence], path: Path) -> None:
    """Learn, mine real talk for what is wrongly heard, learn again, write the file.

    Args:
        written: What is in danger, and what is not.
        talk: Real talk in which nobody is, at random.
        path: Of the file.
    """
    linear = _learn(written, talk)
    labels, bias = np.array(DANGERS), linear.bias.astype(np.float16)
    save(path, pack_linear(linear) | {"labels": labels, "linear_bias": bias})


def _learn(written: Sequence[Sentence], talk: Sequence[Sentence]) -> Linear:
    real = list(talk[:_BEGIN])
    linear = _train([*written, *real])
    for _ in range(_ROUNDS):
        starts = range(0, len(talk), _AT_ONCE)
        heard = np.concatenate([_dangers(linear, talk[at : at + _AT_ONCE]) for at in starts])
        known = {one.text for one in real}
        mined = [talk[at] for at in np.argsort(-heard, kind="stable")[:_MINED]]
        real += [one for one in mined if one.text not in known]
        _log.info("%d turns of real talk", len(real))
        linear = _train([*written, *real])
    return linear


def _dangers(linear: Linear, talk: Sequence[Sentence]) -> np.ndarray:
    """Return the probability (turns,) of all dangers together."""
    shares = shares_of(linear.scores([one.words for one in talk]))
    found: np.ndarray = 1 - shares[:, NONE]
    return found


def _train(sentences: Sequence[Sentence]) -> Linear:
    return train_linear(
        [one.words for one in sentences],
        [one.kind for one in sentences],
        _MIN_COUNT,
        danger_grams,
        classes=CLASSES,
        penalty=_PENALTY,
    )
