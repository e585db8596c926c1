"""The inbox of one conversation: all that happens to it, in order, bounded.

It knows what may be left out when the conversation is late, and nothing of what is done with the
items.
"""

import asyncio
from typing import Final, TypeAlias

from rt_avatar.messages import Affect, Transcript
from rt_avatar.perception.perception import PerceptionEvent
from rt_avatar.playout.tracks import PlayoutEvent
from rt_avatar.turns.caller_commands import Command

Item: TypeAlias = PerceptionEvent | PlayoutEvent | Command

# So many items waiting are several seconds of a call (some ten come in one): the conversation is
# late, because the recogniser is on a machine that is too busy.
LATE_ITEMS: Final = 64
# Full means that the conversation hangs.
_MOST_ITEMS: Final = 512


class Inbox:
    """Filled by perception, playout and transports on the event loop; read by one task."""

    def __init__(self) -> None:
        self._items: asyncio.Queue[Item] = asyncio.Queue(maxsize=_MOST_ITEMS)

    def put(self, item: Item) -> None:
        """Put without waiting; what the next of its kind replaces is left out when much waits.

        So a conversation that is merely late survives.

        Raises:
            asyncio.QueueFull: The conversation hangs; it ends this session and no other.
        """
        # By the next of its kind; and when so much waits, a pause is long over.
        is_replaced = isinstance(item, Affect) or (
            isinstance(item, Transcript) and not item.is_final
        )
        if not is_replaced or self._items.qsize() < LATE_ITEMS:
            self._items.put_nowait(item)

    async def get(self) -> Item:
        """Wait for the oldest."""
        return await self._items.get()
