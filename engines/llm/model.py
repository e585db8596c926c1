"""The language model as it is run for one dialogue: ids or vectors in, states and a cache out.

Which runtime computes is the caller's matter: a graph is anything that takes arrays by name and
gives arrays by name. The cache is a plain mapping, so a preemptive reply can be dropped and the
chain thought on from an older one: nothing is ever changed in place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]  # (tokens, width)
Arrays: TypeAlias = Mapping[str, NDArray[np.generic]]
Graph: TypeAlias = Callable[[Mapping[str, NDArray[np.generic]]], Arrays]


@dataclass(frozen=True, slots=True)
class Read:
    """What tokens led to.

    Attributes:
        hidden: (S, width), the last layer at each token's place.
        logits: (vocabulary,) of what follows.
        length: Tokens read since the beginning.
        cache: Keys and values of all of them.
    """

    hidden: Vectors
    logits: NDArray[np.float32]
    length: int
    cache: Mapping[str, NDArray[np.generic]]


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
        prefill: ``llm_prefill``.
        extend: ``llm_extend``.
        step: ``llm_step``.
    """

    def __init__(self, embed: Graph, prefill: Graph, extend: Graph, step: Graph) -> None:
        self._embed, self._prefill, self._extend, self._step = embed, prefill, extend, step

    def embed(self, ids: Sequence[int]) -> Vectors:
        """Return (S, width)."""
        if not len(ids):
            raise ValueError("language model: expected a token or more; got none")
        made = self._embed({"ids": _ids(ids)})["embeds"]
        return np.asarray(made[0], np.float32)

    def read(self, vectors: Vectors, after: Read | None = None, kept: int | None = None) -> Read:
        """Read (S, width), from the beginning or after the first of what was read before."""
        given = {"embeds": np.asarray(vectors, np.float32)[None]}
        if after is None:
            return _read(self._prefill({**given, "mask": _ones(len(vectors))}), len(vectors))
        past = after.length if kept is None else kept
        total = past + len(vectors)
        return _read(self._extend({**given, "mask": _ones(total), **_first(after, past)}), total)

    def step(self, ids: Sequence[int], after: Read) -> Read:
        """Read ids after what was read before."""
        total = after.length + len(ids)
        given = {"ids": _ids(ids), "mask": _ones(total)}
        return _read(self._step({**given, **after.cache}), total)

    def step_batch(self, ids: Sequence[int], after: Sequence[Read]) -> list[Read]:
        """Read one id of each of several dialogues in one run.

        Shorter caches are padded on the left and masked there: positions count unmasked tokens, so
        every dialogue reads as it would alone.
        """
        longest = max(read.length for read in after)
        pads = [longest - read.length for read in after]
        mask = np.ones((len(ids), longest + 1), np.float32)
        for row, pad in enumerate(pads):
            mask[row, :pad] = 0.0
        cache = {}
        for name, first in after[0].cache.items():
            cache[name] = np.zeros((len(ids), first.shape[1], longest, first.shape[3]), first.dtype)
            for row, (read, pad) in enumerate(zip(after, pads, strict=True)):
                cache[name][row, :, pad:] = read.cache[name][0]
        made = self._step({"ids": np.asarray(ids, np.int64)[:, None], "mask": mask, **cache})
        return [
            _read(_row(made, row, pad), read.length + 1)
            for row, (read, pad) in enumerate(zip(after, pads, strict=True))
        ]


def prefill_of(extend: Graph, layers: int, key_heads: int, head_size: int) -> Graph:
    """Return ``llm_prefill`` made of ``llm_extend`` and a cache of one place that is no token.

    Each exported graph holds all weights; with this and ``step_of`` one of them is enough. A cache
    of no places would be an empty tensor, which not every runtime takes.
    """
    nothing = np.zeros((1, key_heads, 1, head_size), np.float32)
    cache = {f"{part}_{layer}": nothing for layer in range(layers) for part in ("key", "value")}

    def prefill(inputs: Mapping[str, NDArray[np.generic]]) -> Arrays:
        no_token = np.zeros((1, 1), np.float32)
        mask = np.concatenate((no_token, np.asarray(inputs["mask"], np.float32)), axis=1)
        made = extend({**inputs, "mask": mask, **cache})
        return {
            name: np.ascontiguousarray(value[:, :, 1:]) if name.endswith("_next") else value
            for name, value in made.items()
        }

    return prefill


def step_of(embed: Graph, extend: Graph) -> Graph:
    """Return ``llm_step`` made of ``llm_embed`` and ``llm_extend``."""

    def step(inputs: Mapping[str, NDArray[np.generic]]) -> Arrays:
        rest = {name: value for name, value in inputs.items() if name != "ids"}
        return extend({"embeds": embed({"ids": inputs["ids"]})["embeds"], **rest})

    return step


def _first(read: Read, tokens: int) -> Mapping[str, NDArray[np.generic]]:
    """Return keys and values (1, heads, P, size) of the first tokens: each knows none behind it."""
    if not 0 < tokens <= read.length:
        raise ValueError(
            f"language model: expected to keep 1 to {read.length} tokens; got {tokens}"
        )
    if tokens == read.length:
        return read.cache
    return {name: np.ascontiguousarray(value[:, :, :tokens]) for name, value in read.cache.items()}


def _row(made: Arrays, row: int, pad: int) -> Arrays:
    """Return what a batch made of one dialogue, without the padding of its cache."""
    rows = {name: value[row : row + 1] for name, value in made.items()}
    return {
        name: np.ascontiguousarray(value[:, :, pad:] if name.endswith("_next") else value)
        for name, value in rows.items()
    }


def _ids(ids: Sequence[int]) -> NDArray[np.generic]:
    return np.asarray(ids, np.int64)[None]


def _ones(tokens: int) -> NDArray[np.generic]:
    return np.ones((1, tokens), np.float32)


def _read(made: Arrays, length: int) -> Read:
    cache = {
        name.removesuffix("_next"): value for name, value in made.items() if name.endswith("_next")
    }
    hidden, logits = (np.asarray(made[name][0], np.float32) for name in ("hidden", "logits"))
    return Read(hidden, logits, length, cache)
