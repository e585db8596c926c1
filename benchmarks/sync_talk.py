"""Keeps the avatar talking: messages of the call in, the next thing to say to it out."""

from itertools import cycle
from typing import Any, Final

# What a caller types, one after the other: the replies to them are of 10 to 25 words.
TEXTS: Final = (
    "I lost my job last week and I do not know how to tell my family.",
    "My daughter was born on Sunday and I have never been so happy.",
    "My neighbour parked in front of my door again and I am really angry.",
    "I am afraid of the operation that I will have on Monday.",
    "My best friend has moved away and I feel lonely in the evenings.",
)
# A reply begins within a second; a machine that is busy with other things may need some more.
PATIENCE_S: Final = 10.0


class Prompter:
    """Says the next thing when the avatar has finished, or has not begun in ten seconds."""

    def __init__(self) -> None:
        self._texts = cycle(TEXTS)
        self._is_due = True
        self._has_begun = False
        self._give_up_s = float("inf")

    def note(self, message: dict[str, Any]) -> None:
        """Take in a message of the server (docs/protocol.md); others than states do not count."""
        if message.get("type") != "state":
            return
        if message["state"] == "speaking":
            self._has_begun = True
            self._give_up_s = float("inf")
        elif message["state"] == "listening" and self._has_begun:
            self._is_due = True

    def due(self, now_s: float) -> dict[str, Any] | None:
        """Return the message to send now, if it is time."""
        if not self._is_due and now_s < self._give_up_s:
            return None
        self._is_due = self._has_begun = False
        self._give_up_s = now_s + PATIENCE_S
        return {"type": "text", "text": next(self._texts)}
