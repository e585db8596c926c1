"""What somebody feels, by all they have said so far: turns → a probability for each emotion."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import COARSE, FINE, PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.text_emotion.network import load_weights, probabilities
from rt_avatar.engines.types import Emotion

_SIDES: Final = tuple(np.array([fine in side for fine in FINE]) for side in (PLEASANT, UNPLEASANT))
# Cheering at somebody's grief is worse than asking how they feel: of such pleasure or more it is
# said how nice that is, of 1 less this how hard (docs/LOG.md, 2026-11-23).
CLEAR: Final = 0.8
MIN_WORDS: Final = 3  # fewer tell nothing: "yes, I did"
# All that the network learnt from has a feeling, and a few words of everyday talk have mostly none.
_FEW, _SURE_OF_FEW = 12, 0.6
_LIKELIER: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class EmotionEstimate:
    """How likely each emotion is.

    Attributes:
        probabilities: (32,) in the order of ``FINE``; they sum to 1.
        is_sure: Whether the likeliest one is likely enough to be named.
    """

    probabilities: NDArray[np.float32]
    is_sure: bool

    @property
    def fine(self) -> Fine:
        """The likeliest emotion."""
        return FINE[int(self.probabilities.argmax())]

    @property
    def confidence(self) -> float:
        """Its probability, 0 to 1."""
        return float(self.probabilities.max())

    @property
    def pleasure(self) -> float:
        """The probability that it is pleasant, among those that are pleasant or unpleasant."""
        return pleasure_of(self.probabilities)

    def among(self, feelings: Set[Fine]) -> "EmotionEstimate":
        """Return the same where only these can be felt; sure where one is likelier than not.

        All are alike where nothing spoke for any of them.
        """
        can_be_felt = np.array([fine in feelings for fine in FINE])
        shares = np.where(can_be_felt, self.probabilities, 0.0)
        shares = shares if shares.any() else can_be_felt
        shares = (shares / shares.sum()).astype(np.float32)
        return EmotionEstimate(shares, float(shares.max()) >= _LIKELIER)

    def without(self, feelings: Set[Fine]) -> "EmotionEstimate":
        """Return the same where what speaks for these tells nothing: their share is everybody's."""
        is_told = np.array([fine not in feelings for fine in FINE])
        told = np.where(is_told, self.probabilities, 0.0)
        shares = (told + (1 - told.sum()) / len(FINE)).astype(np.float32)
        return EmotionEstimate(shares, self.is_sure and self.fine not in feelings)

    def coarse(self) -> dict[Emotion, float]:
        """Return the probability of each of AvaMERG's classes."""
        shares = dict.fromkeys(COARSE.values(), 0.0)
        for fine, probability in zip(FINE, self.probabilities.tolist(), strict=True):
            shares[COARSE[fine]] += probability
        return shares


def pleasure_of(probabilities: NDArray[np.floating]) -> float:
    """Return the share of the pleasant emotions among those that are pleasant or unpleasant.

    Args:
        probabilities: (32,) in the order of ``FINE``.
    """
    pleasant, unpleasant = (float(probabilities[rows].sum()) for rows in _SIDES)
    return pleasant / max(pleasant + unpleasant, 1e-9)


class TextEmotionClassifier:
    """The network, once a process; any thread."""

    def __init__(self, weights: Path | None = None) -> None:
        """Load the weights; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        self._weights = load_weights(weights)
        self._threshold = float(self._weights["calibration"][2])

    def warmup(self) -> None:
        """Classify once: the first run allocates."""
        self.classify(["hello"])

    def classify(self, turns: Sequence[str]) -> EmotionEstimate:
        """Return what somebody feels who said this.

        Args:
            turns: What they said, the oldest first; not what was said to them.
        """
        words = split_words(" ".join(turns))
        shares = probabilities(self._weights, words)
        least = max(self._threshold, _SURE_OF_FEW) if len(words) <= _FEW else self._threshold
        is_sure = len(words) >= MIN_WORDS and float(shares.max()) >= least
        return EmotionEstimate(shares, is_sure)
