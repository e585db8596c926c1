"""What is remembered of a call: what was heard, in order, and not for ever."""

import pytest

from rt_avatar.messages import TurnId
from rt_avatar.reasoner import ChatMessage
from rt_avatar.turns.chat_history import MAX_MESSAGES, ChatHistory

pytestmark = pytest.mark.unit


def test_both_sides_are_kept_with_their_turn():
    memory = ChatHistory()
    memory.add_caller(" hello ", TurnId(1))
    memory.add_avatar("Hi, how", TurnId(1), was_interrupted=True)
    assert memory.history() == (
        ChatMessage("caller", "hello", turn=TurnId(1)),
        ChatMessage("avatar", "Hi, how", True, TurnId(1)),
    )


def test_what_nobody_said_or_heard_is_not_kept():
    memory = ChatHistory()
    memory.add_caller("  ", TurnId(1))
    memory.add_avatar("", TurnId(1), was_interrupted=True)
    assert memory.history() == ()


def test_only_the_callers_last_words_before_that_reply_are_taken_back():
    memory = ChatHistory()
    memory.forget_caller(TurnId(1))
    memory.add_caller("hello", TurnId(1))
    memory.forget_caller(TurnId(2))
    assert len(memory.history()) == 1
    memory.add_avatar("Hi.", TurnId(1), was_interrupted=False)
    memory.forget_caller(TurnId(1))
    assert len(memory.history()) == 2
    memory.add_caller("hello", TurnId(2))
    memory.forget_caller(TurnId(2))
    assert [exchange.role for exchange in memory.history()] == ["caller", "avatar"]


def test_the_oldest_are_forgotten():
    memory = ChatHistory()
    for turn in range(MAX_MESSAGES + 1):
        memory.add_caller(f"word {turn}", TurnId(turn))
    assert len(memory.history()) == MAX_MESSAGES
    assert memory.history()[-1].text == f"word {MAX_MESSAGES}"


def test_a_hundred_exchanges_are_remembered():
    memory = ChatHistory()
    for turn in range(100):
        memory.add_caller(f"word {turn}", TurnId(turn))
        memory.add_avatar("Mm.", TurnId(turn), was_interrupted=False)
    assert memory.history()[0].text == "word 0"
