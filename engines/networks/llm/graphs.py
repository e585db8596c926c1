"""The graphs that the language model leaves torch as.

``llm_embed`` is the table of embeddings. ``llm_extend`` reads embeddings on top of a cache, of
which the mask says what counts: a whole prompt, what somebody goes on to say, 32 signal tokens at
once, or one token while decoding. It gives keys and values of the new tokens alone; whoever keeps
the cache writes them behind it (``engines.llm.cache``).
Positions and attention are to be computed in fp32 where the rest is narrower.
"""

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.lazy_weights import LazyWeights
from rt_avatar.engines.networks.llm.llama import Llama

_TOKENS = 3  # of the examples
_PAST = 5


class Embed(nn.Module):  # type: ignore[misc]
    """Ids (B, S) → embeddings (B, S, width)."""

    def __init__(self, llama: Llama) -> None:
        super().__init__()
        self.llama = llama

    def forward(self, ids: Tensor) -> Tensor:
        """Return the embeddings."""
        return self.llama.embed(ids)


class Extend(nn.Module):  # type: ignore[misc]
    """Embeddings on top of a cache → hidden, logits, what to add to the cache."""

    def __init__(self, llama: Llama) -> None:
        super().__init__()
        self.llama = llama

    def forward(self, embeds: Tensor, mask: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        """Return states, logits of what follows, and each layer's keys and values to be added."""
        hidden, logits, added = self.llama.extend(embeds, mask, past)
        return hidden, logits, *added


def graphs(llama: Llama, weights: LazyWeights | None = None) -> tuple[Graph, ...]:
    """List them; LoRA must have been merged (``engines.networks.llm.lora``).

    Args:
        llama: The model.
        weights: By its names, where it lies on the ``meta`` device; None: it has its own.
    """
    lazy = {f"llama.{name}": read for name, read in (weights or {}).items()}
    config = llama.config
    names = cache_names(config.layers)
    outputs = ("hidden", "logits", *(f"{name}_added" for name in names))
    ids = torch.zeros(1, _TOKENS, dtype=torch.int64)
    embeds = torch.zeros(1, _TOKENS, config.width)
    shape = (1, config.key_heads, _PAST, config.width // config.heads)
    past = {name: torch.zeros(shape) for name in names}
    grown = {name: {0: "batch", 2: "past"} for name in names}
    tokens, total = {0: "batch", 1: "tokens"}, {0: "batch", 1: "total"}

    return (
        Graph(
            "llm_embed",
            Embed(llama),
            {"ids": ids},
            ("embeds",),
            {"ids": tokens},
            traced=True,
            weights=lazy,
        ),
        Graph(
            "llm_extend",
            Extend(llama),
            {"embeds": embeds, "mask": torch.ones(1, _PAST + _TOKENS), **past},
            outputs,
            {"embeds": tokens, "mask": total, **grown},
            traced=True,
            dynamic_outputs={
                "hidden": tokens,
                "logits": {0: "batch"},
                **{name: {0: "batch", 2: "tokens"} for name in outputs[2:]},
            },
            weights=lazy,
        ),
    )


def cache_names(layers: int) -> tuple[str, ...]:
    """Return the cache's tensors as the graphs name them; outputs bear ``_added`` behind."""
    return tuple(f"{part}_{layer}" for layer in range(layers) for part in ("key", "value"))
