"""The network that hears whether a turn is over: the last two seconds before a pause → a logit.

Of the rows of ``features`` and their summary it tells two things: how likely the turn was over when
the pause began, and how long a pause would last after which the caller goes on (a log-logistic
distribution: median and shape). From both follows the probability that the turn is over in a pause
that has lasted so long, by Bayes' rule. Three convolutions and two linear layers, in plain numpy;
only in pauses, and only in their first three quarters of a second: what follows is silence.
"""

import math
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines import weights_file
from rt_avatar.engines.end_of_turn.features import FEATURES, SUMMARY, WINDOW_S, Features

ROWS: Final = 64  # windows it looks at, 2 s
TAPS: Final = 4  # windows of each convolution, every second one
CHANNELS: Final = 48
HIDDEN: Final = 64
PLACES: Final = 6  # that are left of the rows after three convolutions
# Names and shapes of the weights: rows are what comes in, columns what goes out.
WEIGHTS: Final[dict[str, tuple[int, ...]]] = {
    "first": (TAPS * FEATURES, CHANNELS),
    "first_bias": (CHANNELS,),
    "second": (TAPS * CHANNELS, CHANNELS),
    "second_bias": (CHANNELS,),
    "third": (TAPS * CHANNELS, CHANNELS),
    "third_bias": (CHANNELS,),
    "hidden": (PLACES * CHANNELS + SUMMARY, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "answer": (HIDDEN, 3),  # logit, ln of the median pause in s, ln of the shape
    "answer_bias": (3,),
}
BEGIN_S: Final = 0.1  # of a pause: shorter ones were not learnt from
# Bounds of the answer: median of 0.08 to 4.5 s, shape of 0.5 to 5.
LOG_MEDIAN: Final = (-2.5, 1.5)
LOG_SHAPE: Final = (-0.7, 1.6)
SPEAKING: Final = -8.0  # the logit while the caller speaks
# In a pause it looks this often; the room that follows tells nothing.
_LOOKS: Final = 24
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.end_of_turn"
Floats = NDArray[np.float32]
Answer = tuple[float, float, float]


def load_weights(path: Path | None = None) -> dict[str, Floats]:
    """Return the weights in a file; those that come with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold ``WEIGHTS``, all finite.
    """
    packaged = resources.files("rt_avatar.engines.end_of_turn") / "weights.npz"
    return weights_file.load_weights(path or packaged, WEIGHTS, "end of turn", _MAKE)


class NetworkStream:
    """One caller through the network. Not thread-safe."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._weights = weights
        self.reset()

    def reset(self) -> None:
        """Forget the turn so far."""
        self._rows: Floats = np.zeros((ROWS, FEATURES), np.float32)
        self._answer: Answer = (0.0, 0.0, 0.0)

    def push(self, row: Floats, features: Features) -> float:
        """Take the next window; return the logit that the turn is over.

        Args:
            row: (FEATURES,) of the window.
            features: What it was taken from: its silence and its summary.
        """
        self._rows = np.concatenate((self._rows[1:], row[None]))
        if features.silence_s == 0:
            return SPEAKING
        if round(features.silence_s / WINDOW_S) <= _LOOKS:
            self._answer = answer(self._rows, features.summary(), self._weights)
        return logit_in_pause(self._answer, features.silence_s)


def answer(rows: Floats, summary: Floats, weights: dict[str, Floats]) -> Answer:
    """Return the logit that the turn is over, ln of the median and of the shape of its pauses.

    Args:
        rows: (ROWS, FEATURES), the newest last.
        summary: (SUMMARY,).
        weights: As in ``WEIGHTS``.
    """
    x = rows
    for name in ("first", "second", "third"):
        spans = np.stack([x[at : at + TAPS].ravel() for at in range(0, len(x) - TAPS + 1, 2)])
        x = np.maximum(spans @ weights[name] + weights[f"{name}_bias"], 0.0)
    x = np.concatenate((x.ravel(), summary))
    x = np.maximum(x @ weights["hidden"] + weights["hidden_bias"], 0.0)
    logit, median, shape = map(float, x @ weights["answer"] + weights["answer_bias"])
    return (
        logit,
        min(max(median, LOG_MEDIAN[0]), LOG_MEDIAN[1]),
        min(max(shape, LOG_SHAPE[0]), LOG_SHAPE[1]),
    )


def logit_in_pause(found: Answer, silence_s: float) -> float:
    """Return the logit that the turn is over in a pause that has lasted so long.

    Args:
        found: As ``answer`` gives it.
        silence_s: Of the pause so far.
    """
    logit, median, shape = found[0], found[1], math.exp(found[2])

    def growth(at_s: float) -> float:
        return math.log1p(math.exp(shape * (math.log(at_s) - median)))

    return logit + growth(max(BEGIN_S, silence_s)) - growth(BEGIN_S)
