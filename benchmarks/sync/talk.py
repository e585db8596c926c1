"""Keeps the avatar talking and notes what was said: messages in, the next thing to say out."""

from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final

# What a caller types, one after the other: the replies to them are of 10 to 25 words.
TEXTS: Final = (
    "I lost my job last week and I do not know how to tell my family.",
    "My daughter was born on Sunday and I am so happy.",
    "My neighbour parked in front of my door again and I am really angry.",
    "I am afraid of the operation that I will have on Monday.",
    "My best friend has moved away and I feel lonely in the evenings.",
)
# A reply begins within a second; a machine that is busy with other things may need some more.
PATIENCE_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Said:
    """One exchange of a call: what was typed, what was answered.

    Attributes:
        at_s: About when the answer began, on the clock of the call.
        text: Typed.
        answer: All words of the answer.
        affect: The last ``affect`` message before it (docs/protocol.md).
    """

    at_s: float
    text: str
    answer: str
    affect: dict[str, Any]


class Prompter:
    """Says the next thing when the avatar has finished, or has not begun in ten seconds.

    Attributes:
        exchanges: What was typed and answered, in order; only what was answered to the end.
    """

    def __init__(self) -> None:
        self.exchanges: list[Said] = []
        self._texts = cycle(TEXTS)
        self._text = ""
        self._affect: dict[str, Any] = {}
        self._felt: dict[str, Any] = {}
        self._begun_at_s: float | None = None
        self._is_due = True
        self._give_up_s = float("inf")

    def note(self, message: dict[str, Any], at_s: float) -> None:
        """Take in a message of the server (docs/protocol.md) and when it came."""
        match message:
            case {"type": "affect"}:
                self._affect = message
            case {"type": "caption", "role": "avatar", "final": True, "text": answer}:
                if self._begun_at_s is not None:
                    said = Said(self._begun_at_s, self._text, answer, self._felt)
                    self.exchanges.append(said)
            case {"type": "state", "state": "speaking"}:
                self._begun_at_s, self._felt = at_s, self._affect
                self._give_up_s = float("inf")
            case {"type": "state", "state": "listening"} if self._begun_at_s is not None:
                self._is_due = True

    def due(self, now_s: float) -> dict[str, Any] | None:
        """Return the message to send now, if it is time."""
        if not self._is_due and now_s < self._give_up_s:
            return None
        self._is_due, self._begun_at_s = False, None
        self._give_up_s = now_s + PATIENCE_S
        self._text = next(self._texts)
        return {"type": "text", "text": self._text}
