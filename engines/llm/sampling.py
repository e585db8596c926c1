"""Logits → the next token: greedy, or drawn from the likeliest ones by a seeded generator."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SamplingOptions:
    """How to choose.

    Attributes:
        temperature: 0: always the likeliest.
        top_p: Draw only among the likeliest that together have this probability, above 0 to 1.
        seed: Of the generator; the same seed draws the same.
    """

    temperature: float = 0.0
    top_p: float = 0.9
    seed: int = 0

    def __post_init__(self) -> None:
        if self.temperature < 0 or not 0 < self.top_p <= 1:
            raise ValueError(
                "sampling: expected a temperature of 0 or more and top_p above 0 to 1; "
                f"got {self.temperature} and {self.top_p}"
            )


class Sampler:
    """Chooses tokens of one answer; some it never does."""

    def __init__(self, options: SamplingOptions, banned: Iterable[int] = ()) -> None:
        self._options = options
        self._banned = np.array(sorted(set(banned)), np.int64)
        self._generator = np.random.default_rng(options.seed)

    def pick(self, logits: NDArray[np.float32]) -> int:
        """Return an id.

        Raises:
            ValueError: The logits are not finite: the network or its weights are broken.
        """
        if not np.isfinite(logits).all():
            raise ValueError("language model: expected finite logits; got NaN or infinity")
        scores = logits.astype(np.float64)
        scores[self._banned] = -np.inf
        if self._options.temperature == 0:
            return int(scores.argmax())
        shares = np.exp((scores - scores.max()) / self._options.temperature)
        shares /= shares.sum()
        order = np.argsort(-shares, kind="stable")
        before = np.cumsum(shares[order]) - shares[order]
        kept = order[before < self._options.top_p]
        return int(self._generator.choice(kept, p=shares[kept] / shares[kept].sum()))
