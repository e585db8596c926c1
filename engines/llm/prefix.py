"""Prompts of one dialogue, one after the other: what two of them begin with alike is read once.

A prompt grows at its end: the caller says more, then comes the next turn. Keys and values of its
first tokens do not depend on what follows, so only what is new is read. Prompts are compared as the
model gets them, vector for vector, so nothing has to be told of what changed.
"""

import numpy as np

from rt_avatar.engines.llm.model import LanguageModel, Read, Vectors


class PrefixReader:
    """One dialogue's prompts. It keeps the newest, whose size the prompts themselves bound."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._newest: tuple[Vectors, Read] | None = None

    def read(self, vectors: Vectors) -> Read:
        """Return what a prompt (S, width) leads to; if the model fails, nothing is changed."""
        kept = 0
        if self._newest is not None:
            before, read = self._newest
            kept = shared(before, vectors)
            if kept == len(before) == len(vectors):
                return read
            kept = min(kept, len(vectors) - 1)  # one is read anew: what follows it is wanted
        if self._newest is None or not kept:
            result = self._model.read(vectors)
        else:
            result = self._model.read(vectors[kept:], read, kept)
        self._newest = vectors, result
        return result

    def forget(self) -> None:
        """Begin anew."""
        self._newest = None


def shared(one: Vectors, other: Vectors) -> int:
    """Return with how many equal rows both begin."""
    count = min(len(one), len(other))
    differs = (one[:count] != other[:count]).any(axis=1)
    return int(np.argmax(differs)) if differs.any() else count
