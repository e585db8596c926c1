"""One turn of a caller's: what was said, what rules, network and bank make of it, what it is.

Says nothing itself; ``nano`` asks it what may answer.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rt_avatar.engines.emotion_words import Fine
from rt_avatar.engines.reply_ranker import Choice
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.text_emotion import EmotionEstimate
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.nlu.grave import is_grave, tells_loss
from rt_avatar.reasoner.nlu.intents import Intent
from rt_avatar.reasoner.nlu.word_emotion import HALF_HEARD
from rt_avatar.reasoner.responses.remembered import find_remembered

# Told by a caller, rules answer: a reply to another's story of this may harm.
_LEFT_TO_RULES: Final = frozenset({"revenge", "courtship"})
_PROPOSAL: Final = re.compile(r"\bmarry me\b")  # may be told of
# Where the avatar asked something, the bank may know what a word or two answer.
TOLD: Final = frozenset[Intent]({"telling", "yes", "no", "dont_know"})
SELF_REPROACH: Final = frozenset[Fine]({"guilty", "ashamed", "embarrassed"})
_CONTRITE: Final = SELF_REPROACH | {"sad"}


@dataclass(frozen=True)
class Turn:
    """A caller's turn, and what rules and bank make of it.

    Attributes:
        answer: What the rules understand and would say.
        said: The caller's last turns and this one, as they are understood, the oldest first.
        estimate: What the network makes of them; None of what was hardly heard.
        choice: The bank's reply; None where it has none, or must not answer.
    """

    answer: Listening
    said: tuple[str, ...]
    estimate: EmotionEstimate | None
    choice: Choice | None = None

    @property
    def text(self) -> str:
        """What the caller said, as heard."""
        return self.answer.request.transcript.text

    @property
    def confidence(self) -> float:
        """How surely it was heard, 0 to 1."""
        return self.answer.request.transcript.confidence

    @property
    def told(self) -> list[str]:
        """The caller's turns before it, the oldest first."""
        return [one.text for one in self.answer.request.history if one.role == "caller"]

    @property
    def own(self) -> list[str]:
        """The avatar's turns, the oldest first."""
        return self.answer.earlier.said

    @property
    def last(self) -> str:
        """The avatar's turn before it; empty where it has said nothing."""
        return self.own[-1] if self.own else ""

    @property
    def is_told(self) -> bool:
        """Whether something is told, or answered in a word, that the bank may answer."""
        return (
            self.answer.intent in TOLD
            and self.confidence >= HALF_HEARD
            and self.answer.feeling.looks is None  # voice and face would be unheard
            and all(
                find_unsafe(_PROPOSAL.sub("marry", one.lower())) not in _LEFT_TO_RULES
                for one in self.said
            )
        )

    @property
    def is_left_to_rules(self) -> bool:
        """Whether words of it, or of what was told before, leave to the rules what is heard."""
        return self._is_heard and not self.is_told

    @property
    def _is_heard(self) -> bool:
        """Whether something is told, heard well, and not shown by voice and face alone."""
        return (
            self.answer.intent == "telling"
            and self.confidence >= HALF_HEARD
            and self.answer.feeling.looks is None
        )

    @property
    def is_story(self) -> bool:
        """Whether it is more than a word in answer."""
        return self.is_told and self.answer.intent == "telling"

    @cached_property
    def is_grave(self) -> bool:
        """Whether something grave was told, lately or now."""
        return any(map(_is_grave, self.said))

    @property
    def is_grave_now(self) -> bool:
        """Whether something grave is told now."""
        return _is_grave(self.said[-1])

    @property
    def is_loss(self) -> bool:
        """Whether a death was told, lately or now."""
        return any(map(tells_loss, self.said))

    @property
    def has_topic(self) -> bool:
        """Whether the bank's reply knows a topic of it."""
        return self.choice is not None and not self.choice.is_general

    @property
    def needs_room(self) -> bool:
        """Whether it is grave, and the bank knows no more of it than that."""
        asks, choice = self.answer.asks_gravely, self.choice
        return self.answer.is_quiet and (asks or (choice is not None and choice.is_general))


def _is_grave(text: str) -> bool:
    """Whether something grave is told, and nobody only remembered by the way."""
    return is_grave(text) and find_remembered(text) is None


def is_of_guilt(feels: frozenset[Fine]) -> bool:
    """Whether what is said to who feels one of these is said to guilt: of shame alone it is not."""
    return "guilty" in feels and feels <= _CONTRITE
