"""Bounded queues between stages, with an explicit end item."""

import asyncio
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

Item = TypeVar("Item")
Pipe: TypeAlias = asyncio.Queue[Item]


@dataclass(frozen=True, slots=True)
class End:
    """No more items come."""


END: Final = End()


def put_dropping_oldest(queue: asyncio.Queue[Item], item: Item) -> bool:
    """Put without waiting; a full queue loses its oldest item. Return whether one was lost."""
    lost = queue.full()
    if lost:
        queue.get_nowait()
    queue.put_nowait(item)
    return lost
