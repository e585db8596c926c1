"""Whether a turn is over, every 32 ms: ``EndOfTurnInput`` → a logit; with the words, a probability.

It decides nothing: what follows from it and the silence is a matter of turn detection
(``rt_avatar.perception.endpointing``).
"""

import math
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.end_of_turn.features import WINDOW_SAMPLES, EndOfTurnInput, Features
from rt_avatar.engines.end_of_turn.network import NetworkStream, load_weights
from rt_avatar.engines.end_of_turn.ngrams import EndOfTurnNgrams
from rt_avatar.engines.types import INPUT_RATE_HZ

# Weight of the words' logit. Set, not found: readers whose recordings end within sentences would
# have it below zero, and say nothing about callers. An open word (logit -6, trusted by .65) divides
# the odds by 2.6.
_OF_WORDS: Final = 0.25
# So that two readers of whom nothing was learnt are waited for as long as by the rules, in the
# median: fewer of them are cut off then.
_EARLY_COST: Final = 0.35


class EndOfTurnEngine:
    """Network and n-grams, once a process."""

    early_cost = _EARLY_COST

    def __init__(self, weights: Path | None = None, ngrams: Path | None = None) -> None:
        """Load the files; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        self._weights = load_weights(weights)
        self._ngrams = EndOfTurnNgrams(ngrams)

    @property
    def spec(self) -> EngineSpec:
        """One logit a window, without look-ahead."""
        rate_hz = INPUT_RATE_HZ // WINDOW_SAMPLES  # 31.25, as a whole number
        return EngineSpec("end of turn", rate_hz, rate_hz, 1)

    def warmup(self) -> None:
        """Run one window: the first run allocates."""
        self.open().push(EndOfTurnInput(np.zeros(WINDOW_SAMPLES, np.float32), 0.0, None))

    def open(self) -> "EndOfTurnStream":
        """Create the state of one caller."""
        return EndOfTurnStream(NetworkStream(self._weights))

    def probability(self, logit: float, text: str, confidence: float) -> float:
        """Return how likely (0..1) the turn is over, by its sound and its words so far.

        Args:
            logit: What a stream said of the latest window.
            text: The words so far, as a recogniser writes them.
            confidence: 0..1, how far the words can be trusted.
        """
        words = self._ngrams.logit(text)
        total = logit if words is None else logit + _OF_WORDS * confidence * words
        return 0.5 + 0.5 * math.tanh(0.5 * total)


class EndOfTurnStream:
    """One caller's turns. Not thread-safe."""

    def __init__(self, network: NetworkStream) -> None:
        self._network = network
        self._features = Features()

    def push(self, item: EndOfTurnInput) -> list[float]:
        """Take the next window; return the logit that the turn is over."""
        return [self._network.push(self._features.push(item), self._features)]

    def begin_turn(self) -> None:
        """Forget the last turn; the caller's level, pitch and pauses are kept."""
        self._features.begin_turn()
        self._network.reset()

    def flush(self) -> list[float]:
        """Return nothing: there is no look-ahead. The next window begins anew."""
        self.reset()
        return []

    def reset(self) -> None:
        """Forget everything."""
        self._features = Features()
        self._network.reset()

    def close(self) -> None:
        """Nothing to give back: the weights are shared."""
