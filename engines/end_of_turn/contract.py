"""What turn detection takes from a network that hears the end of a turn, ours or another's."""

from typing import Protocol

from rt_avatar.engines.contract import Engine, Stream
from rt_avatar.engines.end_of_turn.features import EndOfTurnInput


class EndOfTurnHearing(Stream[EndOfTurnInput, float], Protocol):
    """One caller's turns: a logit each window that the turn is over; it means it in silence."""

    def begin_turn(self) -> None:
        """Forget the last turn."""
        ...


class EndOfTurnModel(Engine[EndOfTurnInput, float], Protocol):
    """Weights, once a process.

    Attributes:
        early_cost: By what the odds that the caller goes on are multiplied before a silence follows
            from them: the more, the longer it waits.
    """

    early_cost: float

    def open(self) -> EndOfTurnHearing:
        """Create the state of one caller."""
        ...

    def probability(self, logit: float, text: str, confidence: float) -> float:
        """Return how likely (0..1) the turn is over, by its sound and its words so far.

        Args:
            logit: What a stream said of the latest window.
            text: The words so far, as a recogniser writes them.
            confidence: 0..1, how far the words can be trusted.
        """
        ...
