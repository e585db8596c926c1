"""What was said in a call, as it was *heard*: the history that reasoners get.

The avatar's side holds only words that were played; a reply that was cut ends at the last word
heard. Bounded: a call may last for hours.
"""

from collections import deque
from typing import Final

from rt_avatar.messages import TurnId
from rt_avatar.reasoner import Exchange

# A language model of the sizes we serve has 2,048 to 4,096 tokens of context; 24 exchanges of some
# 40 tokens leave room for the prompt and the chain.
MAX_EXCHANGES: Final = 24


class Memory:
    """History of one call, oldest first."""

    def __init__(self) -> None:
        self._exchanges: deque[Exchange] = deque(maxlen=MAX_EXCHANGES)

    def add_caller(self, text: str, turn: TurnId) -> None:
        """Keep what the caller said before that reply; an empty text is not kept."""
        if text.strip():
            self._exchanges.append(Exchange("caller", text.strip(), turn=turn))

    def add_avatar(self, heard: str, turn: TurnId, *, was_interrupted: bool) -> None:
        """Keep what was heard of a reply; a reply of which nothing was heard is not kept."""
        if heard.strip():
            self._exchanges.append(Exchange("avatar", heard.strip(), was_interrupted, turn))

    def forget_caller(self, turn: TurnId) -> None:
        """Take back what the caller said last, if it was before that reply: there was more."""
        last = self._exchanges[-1] if self._exchanges else None
        if last is not None and (last.role, last.turn) == ("caller", turn):
            self._exchanges.pop()

    def history(self) -> tuple[Exchange, ...]:
        """Return the exchanges so far."""
        return tuple(self._exchanges)
