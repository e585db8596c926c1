"""Perplexity a word of replies that people gave, where nothing of them was learnt from.

The exponential of the loss of all tokens of all replies over the number of their words, so that it
does not depend on how words are cut into tokens. Two counts: with marks as words and the reply's
end as one, as published figures count (theirs are of lower-case words, rare ones all read as one
unknown word, which is easier: they are no more than a scale); and of words between spaces alone.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from rt_avatar.engines.llm.templates import Turn
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.training.llm.dataset import Replies, pack
from rt_avatar.engines.training.llm.examples import Example, Writer
from rt_avatar.engines.training.llm.train import token_losses

# On EmpatheticDialogues' test split, as the papers have them.
PUBLISHED: Final = {"MoEL": 36.6, "EmpDG": 37.3, "KEMP": 36.9, "CASE": 35.4}
_WORD: Final = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_BATCH: Final = 4096  # tokens


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Replies that nothing was learnt from.

    Attributes:
        replies: Each in its dialogue, without a chain.
        words: Of all of them, marks and ends among them.
        spaced: Words between spaces, of all of them.
    """

    replies: Replies
    words: int
    spaced: int


@dataclass(frozen=True, slots=True)
class Perplexity:
    """What a word costs: ``words``, marks and ends among them; ``spaced`` between spaces alone."""

    words: float
    spaced: float
    replies: int


def held_out(
    writer: Writer, dialogues: Iterable[Sequence[Turn]], limit: int | None = None
) -> HeldOut:
    """Return the listeners' replies of dialogues, in order.

    Args:
        writer: Of the model's tokens.
        dialogues: That nothing was learnt from, their turns in order.
        limit: Replies at most.

    Raises:
        ValueError: There is no reply.
    """
    examples: list[Example] = []
    words = spaced = 0
    for turns, reply in _replies(dialogues):
        if limit is not None and len(examples) == limit:
            break
        examples.append(writer.example(turns, reply, None))
        words += count_words(reply) + 1
        spaced += len(reply.split())
    if not examples:
        raise ValueError("perplexity: expected listeners' replies; got none")
    return HeldOut(pack(examples), words, spaced)


def count_words(text: str) -> int:
    """Return words and marks."""
    return len(_WORD.findall(text))


def measure(model: Llama, those: HeldOut) -> Perplexity:
    """Return the perplexity of replies, the signal tokens read and the chain left out."""
    where = next(model.parameters()).device
    model.eval()
    lengths = those.replies.lengths
    total = 0.0
    with torch.inference_mode():
        for batch in _by_length(lengths):
            ids, counts = those.replies.rows(batch)
            losses = token_losses(
                model,
                torch.from_numpy(ids.astype(np.int64)).to(where),
                torch.from_numpy(counts).to(where),
            )
            total += float(losses.double().sum())
    return Perplexity(
        _exponential(total / those.words),
        _exponential(total / max(those.spaced, 1)),
        len(lengths),
    )


def _exponential(loss: float) -> float:
    """Return the exponential; infinity where it is more than a float holds."""
    try:
        return math.exp(loss)
    except OverflowError:
        return math.inf


def _replies(dialogues: Iterable[Sequence[Turn]]) -> Iterable[tuple[Sequence[Turn], str]]:
    for turns in dialogues:
        for at, turn in enumerate(turns):
            if turn.role == "avatar" and at and turns[at - 1].role == "user":
                yield turns[:at], turn.text


def _by_length(lengths: np.ndarray) -> Iterable[np.ndarray]:
    order = np.argsort(lengths, kind="stable")
    rows = max(1, _BATCH // int(lengths.max()))
    return (order[start : start + rows] for start in range(0, len(order), rows))
