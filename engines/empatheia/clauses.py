"""Tokens of a reply, one by one → clauses with their states: what is spoken in one breath.

Contents are made a clause at a time, so that speech begins before the reply is whole. Where a
clause ends depends on the tokens alone, not on when they come. Or the whole reply is one, as the
papers have it, and nothing is said before its last word is known.
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from rt_avatar.engines.llm.answer import Replied
from rt_avatar.engines.llm.model import Vectors

_ENDS: Final = ".!?…"
_SOFT: Final = ",;:—"
SOFT_WORDS: Final = 8  # before a comma ends a clause: about three seconds
MOST_TOKENS: Final = 32  # a clause then ends before the next word
LIMIT_TOKENS: Final = 48  # and here in any case: positions of the voice's text encoder are few
# A whole reply is cut all the same before the voice has no symbols for it (512): 400 letters of our
# replies became 486 at most, 442 in the middle.
REPLY_LETTERS: Final = 384  # then before the next word
LIMIT_LETTERS: Final = 400
# Where time is short, the first clause is about a second of speech, by whose end the next is made.
SHORT_SOFT_WORDS: Final = 1
SHORT_WORDS: Final = 6

Span = Literal["clause", "reply"]


@dataclass(frozen=True, slots=True, eq=False)
class ReplyClause:
    """A part of the reply.

    Attributes:
        text: Its words.
        states: (S, width), the language model's last layer at its tokens.
        index: Which it is, from 0.
    """

    text: str
    states: Vectors
    index: int


class ClauseCutter:
    """One reply.

    Args:
        is_first_short: End the first clause as early as it can be spoken by itself.
        span: What one is: a clause, or the whole reply, however short the time.
    """

    def __init__(self, is_first_short: bool = False, span: Span = "clause") -> None:
        self._is_first_short, self._span = is_first_short, span
        self._tokens: list[Replied] = []
        self._text = ""
        self._count = 0

    def push(self, token: Replied) -> list[ReplyClause]:
        """Take the next token; return the clause that it is not part of any more, if any."""
        done = self._cut() if self._ends_before(token) else []
        self._tokens.append(token)
        self._text += token.text
        return done

    def flush(self) -> list[ReplyClause]:
        """Return the rest; the next token is another reply's first."""
        rest = self._cut()
        self._count = 0
        return rest

    def _ends_before(self, token: Replied) -> bool:
        if self._span == "reply":
            letters, is_word = len(self._text), token.text[:1].isspace()
            return letters >= (REPLY_LETTERS if is_word else LIMIT_LETTERS)
        count, said = len(self._tokens), self._text.rstrip("\"'”’) ")
        if not said or not any(letter.isalnum() for letter in said):
            return count >= LIMIT_TOKENS
        if count >= LIMIT_TOKENS:
            return True
        if not token.text[:1].isspace():
            return False
        words, is_short = len(said.split()), self._is_first_short and not self._count
        is_soft = said[-1] in _SOFT and words >= (SHORT_SOFT_WORDS if is_short else SOFT_WORDS)
        is_long = count >= MOST_TOKENS or (is_short and words >= SHORT_WORDS)
        return said[-1] in _ENDS or is_soft or is_long

    def _cut(self) -> list[ReplyClause]:
        if not self._tokens:
            return []
        states = np.stack([token.state for token in self._tokens])
        clause = ReplyClause(self._text.strip(), states, self._count)
        self._tokens, self._text = [], ""
        self._count += 1
        return [clause]
