"""The chat history that reasoners get; the avatar's messages are cut to what was heard.

The avatar's side holds only words that were played; a reply that was cut ends at the last word
heard. Bounded: a call may last for hours.
"""

from collections import deque
from typing import Final

from rt_avatar.messages import TurnId
from rt_avatar.reasoner import ChatMessage

# 100 exchanges: the rules look at all of them with every reply, and keep what they find in 512
# turns. What is read by a language model is cut to its context elsewhere.
MAX_MESSAGES: Final = 200


class ChatHistory:
    """History of one call, oldest first."""

    def __init__(self) -> None:
        self._messages: deque[ChatMessage] = deque(maxlen=MAX_MESSAGES)

    def add_caller(self, text: str, turn: TurnId) -> None:
        """Keep what the caller said before that reply; an empty text is not kept."""
        if text.strip():
            self._messages.append(ChatMessage("caller", text.strip(), turn=turn))

    def add_avatar(self, heard: str, turn: TurnId, *, was_interrupted: bool) -> None:
        """Keep what was heard of a reply; a reply of which nothing was heard is not kept."""
        if heard.strip():
            self._messages.append(ChatMessage("avatar", heard.strip(), was_interrupted, turn))

    def forget_caller(self, turn: TurnId) -> None:
        """Take back what the caller said last, if it was before that reply: there was more."""
        last = self._messages[-1] if self._messages else None
        if last is not None and (last.role, last.turn) == ("caller", turn):
            self._messages.pop()

    def history(self) -> tuple[ChatMessage, ...]:
        """Return the exchanges so far."""
        return tuple(self._messages)
