"""Whether a turn is over, every 32 ms: ``EndOfTurnInput`` → a logit; with the words, a probability.

It decides nothing: what follows from it and the silence is a matter of turn detection
(``rt_avatar.perception.endpointing``).
"""

import math
from pathlib import Path

import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.end_of_turn.features import WINDOW_SAMPLES, EndOfTurnInput, Features
from rt_avatar.engines.end_of_turn.network import NetworkStream, load_weights
from rt_avatar.engines.end_of_turn.ngrams import EndOfTurnNgrams
from rt_avatar.engines.types import INPUT_RATE_HZ


class EndOfTurnEngine:
    """Network and n-grams, once a process."""

    def __init__(self, weights: Path | None = None, ngrams: Path | None = None) -> None:
        """Load the files; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        self._weights = load_weights(weights)
        self._ngrams = EndOfTurnNgrams(ngrams)
        self._offset, self._of_sound, self._of_words = map(float, self._weights["combination"])

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
        total = self._offset + self._of_sound * logit
        if words is not None:
            total += self._of_words * confidence * words
        return 0.5 + 0.5 * math.tanh(0.5 * total)


class EndOfTurnStream:
    """One caller's turns. Not thread-safe."""

    def __init__(self, network: NetworkStream) -> None:
        self._network = network
        self._features = Features()

    def push(self, item: EndOfTurnInput) -> list[float]:
        """Take the next window; return the logit that the turn is over; it means it in silence."""
        return [self._network.push(self._features.push(item))]

    def begin_turn(self) -> None:
        """Forget the last turn; the caller's level and pitch are kept."""
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
