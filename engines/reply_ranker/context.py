"""What was said in a call → the words that a reply is chosen by."""

from collections.abc import Sequence
from dataclasses import dataclass

from rt_avatar.engines.text_emotion.features import split_words

_LAST, _BEFORE, _OWN = 60, 80, 30  # words that are read of each, the last ones


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The words before a reply.

    Attributes:
        last: What the other said just now.
        before: What the other said earlier.
        own: What who replies said last.
    """

    last: list[str]
    before: list[str]
    own: list[str]


def context_of(said: Sequence[str], own: Sequence[str]) -> ReplyContext:
    """Return the context of a reply.

    Args:
        said: The other's turns, the oldest first; one or more.
        own: The turns of who replies, the oldest first; may be empty.
    """
    before = [word for text in said[:-1] for word in split_words(text)]
    asked = split_words(own[-1]) if own else []
    return ReplyContext(split_words(said[-1])[-_LAST:], before[-_BEFORE:], asked[-_OWN:])


def places_of(context: ReplyContext) -> tuple[list[str], list[str], list[str]]:
    """Return the texts that the network sums, in its order."""
    return context.last, context.before, context.own
