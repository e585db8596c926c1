"""What is read of a long history: its newest part, beginning with the caller, moving seldom."""

import pytest

from rt_avatar.messages import TurnId
from rt_avatar.reasoner import ChatMessage
from rt_avatar.reasoner.network.history_window import HistoryWindow

pytestmark = pytest.mark.unit


def history(*turns: int) -> tuple[ChatMessage, ...]:
    """A caller's exchange and the avatar's of each turn."""
    return tuple(
        ChatMessage(role, f"{role} {turn}", turn=TurnId(turn))
        for turn in turns
        for role in ("caller", "avatar")
    )


def cut(window: HistoryWindow, said: tuple[ChatMessage, ...], room: int, cost: int = 10):
    return window.cut(said, [cost] * len(said), room)


def test_what_there_is_room_for_is_read_whole():
    said = history(1, 2, 3)
    assert cut(HistoryWindow(), said, 60) == said
    assert cut(HistoryWindow(), (), 60) == ()


def test_it_begins_with_the_caller():
    greeting = ChatMessage("avatar", "Hello!", turn=TurnId(1))
    assert cut(HistoryWindow(), (greeting, *history(2)), 100) == history(2)
    assert cut(HistoryWindow(), (greeting,), 100) == ()


def test_when_there_is_no_more_room_half_of_it_goes():
    window = HistoryWindow()
    cut(window, history(1, 2, 3, 4), 80)
    kept = cut(window, history(1, 2, 3, 4, 5), 80)
    assert kept == history(4, 5)
    assert cut(window, history(1, 2, 3, 4, 5), 80) == kept
    assert cut(window, history(1, 2, 3, 4, 5, 6), 80) == history(4, 5, 6)


def test_what_memory_forgot_moves_it_by_half():
    window = HistoryWindow()
    first = history(*range(1, 13))
    assert cut(window, first, 1000) == first
    begins = [cut(window, history(*range(n, n + 12)), 1000)[0].turn for n in range(2, 15)]
    assert len(set(begins)) == 2  # of thirteen


def test_what_is_too_long_by_itself_is_left_out():
    window = HistoryWindow()
    assert cut(window, history(1), 15) == ()
    assert cut(window, history(1, 2), 60) == history(1, 2)


def test_history_without_turns_is_read_too():
    said = (ChatMessage("caller", "hello"), ChatMessage("avatar", "Hi."))
    assert cut(HistoryWindow(), said, 100) == said
