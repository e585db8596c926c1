import asyncio

import pytest

from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.turns.caller_commands import Interrupt
from rt_avatar.turns.inbox import LATE_ITEMS, Inbox

pytestmark = pytest.mark.unit


def partial(pts: int) -> Transcript:
    return Transcript(TurnId(0), pts, "i lost", is_final=False)


def test_a_late_conversation_misses_only_what_the_next_of_its_kind_replaces():
    async def main() -> list[object]:
        inbox = Inbox()
        for number in range(1000):
            inbox.put(partial(number))
            inbox.put(Affect(TurnId(1), number))
        inbox.put(final)
        inbox.put(Interrupt())
        return [await inbox.get() for _ in range(LATE_ITEMS + 2)]

    final = Transcript(TurnId(0), 1000, "i lost my job", is_final=True)
    items = asyncio.run(main())
    assert items[:2] == [partial(0), Affect(TurnId(1), 0)]
    assert items[-2:] == [final, Interrupt()]


def test_a_conversation_that_hangs_for_good_is_told_so():
    inbox = Inbox()

    def flood() -> None:
        for _ in range(10_000):
            inbox.put(Interrupt())

    with pytest.raises(asyncio.QueueFull):
        flood()
