"""Keys and values of what a language model has read, kept where its graph runs and grown in place.

A handle says how many tokens count; what it holds is the runtime's matter. Handles share memory:
a longer one is written behind a shorter one, which stays as it is, so a preemptive reply can be
dropped and a chain be thought on from an older handle. Only who goes on from a handle behind which
somebody has written already gets a copy (a fork).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.floating[Any]]  # as wide as the graph takes them
Arrays: TypeAlias = Mapping[str, NDArray[np.generic]]
Graph: TypeAlias = Callable[[Arrays], Arrays]

# Places by which memory grows: attention looks at this many for nothing at most, and all that was
# read is copied once in so many tokens.
PLACES: Final = 128


class Cache(Protocol):
    """A handle: the first ``length`` tokens of what some memory holds."""

    @property
    def length(self) -> int:
        """Tokens."""
        ...

    def truncated(self, length: int) -> "Cache":
        """Return a handle of its first tokens; nothing is copied."""
        ...


class CachedGraph(Protocol):
    """``llm_extend`` with the memory of its caches."""

    def empty(self) -> Cache:
        """Return a handle of no tokens."""
        ...

    def extend(self, embeds: Floats, after: Sequence[Cache]) -> tuple[Arrays, list[Cache]]:
        """Read embeddings behind what was read before.

        Args:
            embeds: (B, S, width), a dialogue a row.
            after: A handle of ``empty`` or ``extend`` for each.

        Returns:
            ``hidden`` (B, S, width) and ``logits`` (B, vocabulary); and longer handles. Those given
            stay as they are.
        """
        ...


class _Memory:
    """Keys and values (2 * layers, key_heads, places, head_size) of one line of tokens."""

    def __init__(self, values: Numbers, used: int) -> None:
        self.values, self.used = values, used

    @property
    def places(self) -> int:
        return int(self.values.shape[2])


class HostCache:
    """A handle in the host's memory."""

    def __init__(self, memory: _Memory, length: int) -> None:
        self.memory, self.length = memory, length

    def truncated(self, length: int) -> "HostCache":
        """Return a handle of its first tokens."""
        return HostCache(self.memory, length)

    def appended(self, added: Sequence[Numbers]) -> "HostCache":
        """Return a longer handle, written in place unless that would change another.

        Args:
            added: Of each layer its keys and its values, (key_heads, S, head_size).
        """
        begin, end = self.length, self.length + added[0].shape[1]
        memory = self.memory
        if memory.used != begin or end > memory.places:
            sizes = list(memory.values.shape)
            sizes[2] = -(-end // PLACES) * PLACES
            memory = _Memory(np.zeros(sizes, memory.values.dtype), begin)
            memory.values[:, :, :begin] = self.memory.values[:, :, :begin]
        for kept, new in zip(memory.values, added, strict=True):
            kept[:, begin:end] = new
        memory.used = end
        return HostCache(memory, end)


class HostCachedGraph:
    """``llm_extend`` on a runtime that takes the host's arrays as they are. Not thread-safe.

    Args:
        run: The graph.
        layers: Of the language model.
        key_heads: Of each.
        head_size: Numbers of a head.
        dtype: Of the numbers: half as wide for a graph in fp16.
    """

    def __init__(
        self,
        run: Graph,
        layers: int,
        key_heads: int,
        head_size: int,
        dtype: npt.DTypeLike = np.float32,
    ) -> None:
        self._run, self._dtype = run, np.dtype(dtype)
        self._names = tuple(f"{part}_{at}" for at in range(layers) for part in ("key", "value"))
        # Not every runtime takes empty tensors: one place that is no token.
        self._shape = len(self._names), key_heads, 1, head_size

    def empty(self) -> HostCache:
        """Return a handle of no tokens; its memory is not shared."""
        return HostCache(_Memory(np.zeros(self._shape, self._dtype), 0), 0)

    def extend(self, embeds: Floats, after: Sequence[Cache]) -> tuple[Arrays, list[Cache]]:
        """Read embeddings behind what was read before; see ``CachedGraph``."""
        caches = [cache for cache in after if isinstance(cache, HostCache)]
        places = max(cache.memory.places for cache in caches)
        mask = np.zeros((len(caches), places + embeds.shape[1]), np.float32)
        mask[:, places:] = 1.0
        for row, cache in enumerate(caches):
            mask[row, : cache.length] = 1.0
        if len(caches) == 1:
            past = caches[0].memory.values[:, None]
        else:
            parts, heads, _, size = self._shape
            past = np.zeros((parts, len(caches), heads, places, size), self._dtype)
            for row, cache in enumerate(caches):
                past[:, row, :, : cache.length] = cache.memory.values[:, :, : cache.length]
        given = dict(zip(self._names, past, strict=True))
        outputs = self._run({"embeds": embeds, "mask": mask, **given})
        added = [np.asarray(outputs[f"{name}_added"], self._dtype) for name in self._names]
        return outputs, [
            cache.appended([value[row] for value in added]) for row, cache in enumerate(caches)
        ]
