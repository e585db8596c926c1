"""Thoughts: what a reasoner made of the words while the caller spoke, and whether they still fit.

Every reasoner keeps its own kind: a chain as text, the fields of one. Who lets them think, and one
thought at a time, is ``prethink``.

A thought is too old when fewer than ``ENOUGH`` of the words said in the end, in their order, are
those that it was thought from, or as many of these were taken back by the recogniser: the point of
an English sentence is mostly made by then, and a chain that missed it costs more than a late one.
"""

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Generic, TypeVar

from rt_avatar.messages import TurnId
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.nlu.feelings import words_of

ENOUGH: Final = 0.6
# Words that must be new for another thought: a thought costs some 50 tokens, and four words are
# about as much as is said while they are decoded.
_NEW_WORDS: Final = 4


Content = TypeVar("Content")


@dataclass(frozen=True, slots=True)
class Thought(Generic[Content]):
    """A chain, or its beginning.

    Attributes:
        turn: Of the reply that it is for.
        words: What it was thought from.
        content: What was thought.
        is_whole: Whether it came to its end.
    """

    turn: TurnId
    words: list[str]
    content: Content
    is_whole: bool = True

    def fits(self, words: list[str]) -> bool:
        """Whether it was thought from most of these words, and from few others."""
        matcher = SequenceMatcher(None, self.words, words, autojunk=False)
        common = sum(block.size for block in matcher.get_matching_blocks())
        return common >= ENOUGH * max(len(words), len(self.words))


class Thoughts(Generic[Content]):
    """The newest thought of one caller, and the newest that came to its end."""

    def __init__(self) -> None:
        self._whole: Thought[Content] | None = None
        self._newest: Thought[Content] | None = None

    def is_worth_another(self, turn: TurnId, words: list[str]) -> bool:
        """Whether so much was said since the newest thought that another may tell more."""
        newest = self._newest
        known = len(newest.words) if newest is not None and newest.turn == turn else 0
        return len(words) - known >= _NEW_WORDS

    def keep(self, thought: Thought[Content]) -> None:
        """Keep a thought in the place of an older one."""
        self._newest = thought
        if thought.is_whole:
            self._whole = thought

    def for_reply(self, request: ReplyRequest) -> Thought[Content] | None:
        """Return what is best to answer a request with: whatever there is where time is short."""
        words = words_of(request.transcript.text)
        return self.find(request.turn, words, however_old=not request.effort.has_fresh_chain)

    def find(
        self, turn: TurnId, words: list[str], *, however_old: bool = False
    ) -> Thought[Content] | None:
        """Return what is best to answer these words with, a whole one first.

        Args:
            turn: The reply; thoughts for others are none.
            words: Said in the end.
            however_old: Whether one that does not fit is better than none.
        """
        own = [each for each in (self._whole, self._newest) if each and each.turn == turn]
        fitting = [thought for thought in own if thought.fits(words)]
        return next(iter(fitting or (own if however_old else [])), None)
