"""A turn → how likely a life is in danger, and by what: logistic regression over n-grams, in numpy.

It hears what no list of phrases has: of words that people say it in, more than one writer thought
of. It knows one turn and nothing before it.
"""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from rt_avatar.engines.text_danger.features import danger_grams, split_words
from rt_avatar.engines.text_emotion.network import linear_scores, softmax
from rt_avatar.engines.weights_file import find_wrong, read_arrays

Danger: TypeAlias = Literal[
    "suicide",  # the caller's own, or self-harm
    "others_suicide",  # of somebody near
    "unclear",  # may be meant as suicide
    "violence",  # somebody hurts or threatens the caller
    "fear",  # the caller is afraid of somebody near, or not free
    "threat",  # the caller may hurt somebody, or did
    "overdose",
    "emergency",
]
DANGERS: Final[tuple[Danger, ...]] = get_args(Danger)
CLASSES: Final = len(DANGERS) + 1  # the last one: none
# Probability of all dangers together from which one may be meant, and from which it is taken for
# granted: what that costs is in the model card.
HEARD: Final = 0.75
SURE: Final = 0.85
_WEIGHTS: Final = "weights.npz"
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.text_danger --data FOLDER"


@dataclass(frozen=True, slots=True)
class DangerEstimate:
    """What a turn tells of danger.

    Attributes:
        likeliest: The likeliest kind.
        probability: 0 to 1, of all kinds together.
    """

    likeliest: Danger
    probability: float


class TextDangerClassifier:
    """The network, once a process; any thread."""

    def __init__(self, weights: Path | None = None) -> None:
        """Load the weights; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        packaged = resources.files("rt_avatar.engines.text_danger") / _WEIGHTS
        found = read_arrays(weights or packaged, "text danger", _MAKE)
        if wrong := _find_wrong(found):
            raise ValueError(f"text danger: expected weights in {weights}; got {wrong}. {_MAKE}")
        self._weights = found | {"linear_bias": found["linear_bias"].astype(np.float32)}

    def classify(self, text: str) -> DangerEstimate:
        """Return what one turn tells, by itself."""
        scores = linear_scores(self._weights, danger_grams(split_words(text)))
        shares = softmax(scores, 0)
        return DangerEstimate(DANGERS[int(shares[:-1].argmax())], float(1 - shares[-1]))


def _find_wrong(found: dict[str, np.ndarray]) -> str:
    """Return what is wrong with the arrays of a file; empty if nothing is."""
    grams = len(np.atleast_1d(found.get("ngrams", ())))
    wrong = find_wrong(
        found,
        {
            "labels": (np.str_, (CLASSES - 1,)),
            "ngrams": (np.uint32, (grams,)),  # hashes, rising
            "linear": (np.int8, (grams, CLASSES)),
            "linear_scale": (np.float16, (grams,)),  # what one unit of the row means
            "linear_bias": (np.float16, (CLASSES,)),
            "idf": (np.float16, (grams,)),  # inverse document frequency
        },
    )
    if wrong or tuple(found["labels"].tolist()) == DANGERS:
        return wrong or ("" if grams else "an empty table")
    return f"other labels than {', '.join(DANGERS)}"
