"""Answers of several dialogues decoded together: a token of each is read in one run."""

import logging
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from rt_avatar.engines.llm.answer import NextToken
from rt_avatar.engines.llm.model import LanguageModel

Item = TypeVar("Item")

_log = logging.getLogger(__name__)


class Decoding(Generic[Item]):
    """An answer, or a thought, while it is decoded.

    Args:
        steps: What ``Answerer.steps`` or ``Answerer.think`` returns.

    Attributes:
        next_token: What it waits for the model to read; None before it begins and when it is over.
        is_over: Whether nothing more comes.
    """

    def __init__(self, steps: Iterator[Item | NextToken]) -> None:
        self.next_token: NextToken | None = None
        self.is_over = False
        self._steps = steps

    def advance(self) -> list[Item]:
        """Return what comes until the next token is to be read, or until the end.

        Raises:
            RuntimeError: A graph failed.
        """
        items: list[Item] = []
        for step in self._steps:
            if isinstance(step, NextToken):
                self.next_token = step
                return items
            items.append(step)
        self.next_token, self.is_over = None, True
        return items


def advance_batch(
    model: LanguageModel, decodings: Sequence[Decoding[Item]]
) -> list[list[Item] | Exception]:
    """Advance each by a token, all tokens read in one run; return what comes of each, or its error.

    If the run fails, each token is read alone: what one dialogue brings ends no other's answer.
    """
    tokens = [decoding.next_token for decoding in decodings if decoding.next_token is not None]
    if len(tokens) > 1:
        try:
            reads = model.step_batch(
                [token.token for token in tokens], [token.after for token in tokens]
            )
        except Exception:
            _log.warning(
                "a batch of %d tokens failed; each is read alone", len(tokens), exc_info=True
            )
        else:
            for token, read in zip(tokens, reads, strict=True):
                token.read = read
    return [_advanced(decoding) for decoding in decodings]


def _advanced(decoding: Decoding[Item]) -> list[Item] | Exception:
    try:
        return decoding.advance()
    except Exception as error:
        return error
