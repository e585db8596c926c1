"""Whether a turn is over, as heard and as read: a small network, and n-grams of dialogues."""

from rt_avatar.engines.end_of_turn.contract import EndOfTurnHearing, EndOfTurnModel
from rt_avatar.engines.end_of_turn.engine import EndOfTurnEngine, EndOfTurnStream
from rt_avatar.engines.end_of_turn.features import EndOfTurnInput

__all__ = [
    "EndOfTurnEngine",
    "EndOfTurnHearing",
    "EndOfTurnInput",
    "EndOfTurnModel",
    "EndOfTurnStream",
]
