"""Cut the history to a language model's context: the newest messages, in stable steps.

All that is read behind the beginning must be read anew when the beginning moves, so it moves
seldom, and then by half of the history at once.
"""

from collections.abc import Sequence

from rt_avatar.messages import TurnId
from rt_avatar.reasoner import ChatMessage


class HistoryWindow:
    """The window of one call; the same history gives the same window again.

    It begins with something the caller said, as the dialogues do that models learn from.
    """

    def __init__(self) -> None:
        self._first: TurnId | None = None  # turn of the exchange that it begins with

    def cut(
        self, history: tuple[ChatMessage, ...], costs: Sequence[int], room: int
    ) -> tuple[ChatMessage, ...]:
        """Return what is read of a history.

        Args:
            history: All that is remembered, oldest first.
            costs: Tokens of each exchange.
            room: Tokens at most, of all together.
        """
        begins = [at for at, exchange in enumerate(history) if exchange.role == "caller"]
        wanted = (at for at in begins if self._first in (None, history[at].turn))
        at = next(wanted, None)
        if at is None or sum(costs[at:]) > room:
            # It is forgotten by now, or too much came behind it.
            newer = (at for at in begins if at >= len(history) / 2)
            at = next((at for at in newer if sum(costs[at:]) <= room / 2), None)
        if at is None:
            return ()
        self._first = history[at].turn
        return history[at:]
