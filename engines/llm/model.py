"""The language model as it is run for one dialogue: ids or vectors in, states and a cache out.

Which runtime computes is the caller's matter: a graph is anything that takes arrays by name and
gives arrays by name. The cache is a handle (``engines.llm.cache``) that never changes, though its
memory is shared: a preemptive reply can be dropped and the chain thought on from an older one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.llm.cache import Arrays, CachedGraph, Graph

Vectors: TypeAlias = NDArray[np.float32]  # (tokens, width)


@dataclass(frozen=True, slots=True)
class Read:
    """What tokens led to.

    Attributes:
        hidden: (S, width), the last layer at each token's place.
        logits: (vocabulary,) of what follows.
        length: Tokens read since the beginning.
        cache: The model's own handle of all of them, ``engines.llm.cache.Cache``.
    """

    hidden: Vectors
    logits: NDArray[np.float32]
    length: int
    cache: Any


class LanguageModel(Protocol):
    """What decoding needs."""

    def embed(self, ids: Sequence[int]) -> Vectors:
        """Return the input embeddings of ids."""
        ...

    def read(self, vectors: Vectors, after: Read | None = None, kept: int | None = None) -> Read:
        """Read embeddings, from the beginning or after what was read before.

        Args:
            vectors: (S, width), one or more.
            after: What was read before.
            kept: How many of its tokens count, from the first on, one or more; None: all.
        """
        ...

    def step(self, ids: Sequence[int], after: Read) -> Read:
        """Read ids after what was read before."""
        ...

    def step_batch(self, ids: Sequence[int], after: Sequence[Read]) -> list[Read]:
        """Read one id of each of several dialogues in one run."""
        ...


class GraphModel:
    """A language model of exported graphs.

    Args:
        embed: ``llm_embed``.
        extend: ``llm_extend`` with its caches.
    """

    def __init__(self, embed: Graph, extend: CachedGraph) -> None:
        self._embed, self._extend = embed, extend

    def embed(self, ids: Sequence[int]) -> Vectors:
        """Return (S, width)."""
        if not len(ids):
            raise ValueError("language model: expected a token or more; got none")
        return np.asarray(self._table(np.asarray(ids, np.int64)[None])[0], np.float32)

    def read(self, vectors: Vectors, after: Read | None = None, kept: int | None = None) -> Read:
        """Read (S, width), from the beginning or after the first of what was read before."""
        if after is None:
            cache = self._extend.empty()
        else:
            length = after.length if kept is None else kept
            if not 0 < length <= after.length:
                raise ValueError(
                    f"language model: expected to keep 1 to {after.length} tokens; got {length}"
                )
            cache = after.cache.truncated(length)
        outputs, (longer,) = self._extend.extend(np.asarray(vectors, np.float32)[None], [cache])
        return _read(outputs, 0, longer)

    def step(self, ids: Sequence[int], after: Read) -> Read:
        """Read ids after what was read before."""
        return self.read(self.embed(ids), after)

    def step_batch(self, ids: Sequence[int], after: Sequence[Read]) -> list[Read]:
        """Read one id of each of several dialogues in one run.

        Places behind a shorter dialogue's tokens are masked, and positions count tokens that are
        not: every dialogue reads as it would alone.
        """
        embeds = self._table(np.asarray(ids, np.int64)[:, None])
        outputs, caches = self._extend.extend(embeds, [read.cache for read in after])
        return [_read(outputs, row, cache) for row, cache in enumerate(caches)]

    def _table(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.asarray(self._embed({"ids": ids})["embeds"], np.float32)


def _read(outputs: Arrays, row: int, cache: Any) -> Read:
    hidden, logits = (np.asarray(outputs[name][row], np.float32) for name in ("hidden", "logits"))
    return Read(hidden, logits, cache.length, cache)
