"""The graphs that the language model leaves torch as.

``llm_prefill`` reads a prompt of embeddings, ``llm_step`` reads more tokens on top of a cache (one
while decoding, 32 signal tokens at once), ``llm_extend`` more embeddings on top of a cache (what
somebody goes on to say while the chain is thought). ``llm_embed`` is the table of embeddings.
Positions and attention are to be computed in fp32 where the rest is narrower.
"""

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.graph import Graph
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


class Prefill(nn.Module):  # type: ignore[misc]
    """Embeddings and a mask → hidden, logits, cache."""

    def __init__(self, llama: Llama) -> None:
        super().__init__()
        self.llama = llama

    def forward(self, embeds: Tensor, mask: Tensor) -> tuple[Tensor, ...]:
        """Return the states, the logits of what follows, and keys and values of each layer."""
        hidden, logits, past = self.llama.extend(embeds, mask)
        return hidden, logits, *past


class Extend(nn.Module):  # type: ignore[misc]
    """Embeddings on top of a cache → hidden, logits, longer cache."""

    def __init__(self, llama: Llama) -> None:
        super().__init__()
        self.llama = llama

    def forward(self, embeds: Tensor, mask: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        """Return the states, the logits of what follows, and keys and values of each layer."""
        hidden, logits, longer = self.llama.extend(embeds, mask, past)
        return hidden, logits, *longer


class Step(nn.Module):  # type: ignore[misc]
    """Ids on top of a cache → hidden, logits, longer cache."""

    def __init__(self, llama: Llama) -> None:
        super().__init__()
        self.llama = llama

    def forward(self, ids: Tensor, mask: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        """Return the states, the logits of what follows, and keys and values of each layer."""
        hidden, logits, longer = self.llama.extend(self.llama.embed(ids), mask, past)
        return hidden, logits, *longer


def graphs(llama: Llama) -> tuple[Graph, ...]:
    """List them; LoRA must have been merged (``engines.networks.llm.lora``)."""
    config = llama.config
    names = cache_names(config.layers)
    outputs = ("hidden", "logits", *(f"{name}_next" for name in names))
    ids = torch.zeros(1, _TOKENS, dtype=torch.int64)
    embeds = torch.zeros(1, _TOKENS, config.width)
    shape = (1, config.key_heads, _PAST, config.width // config.heads)
    past = {name: torch.zeros(shape) for name in names}
    grown = {name: {0: "batch", 2: "past"} for name in names}
    tokens, total = {0: "batch", 1: "tokens"}, {0: "batch", 1: "total"}

    longer = {
        "hidden": tokens,
        "logits": {0: "batch"},
        **{f"{name}_next": {0: "batch", 2: "total"} for name in names},
    }

    def mask() -> Tensor:
        return torch.ones(1, _PAST + _TOKENS)

    return (
        Graph("llm_embed", Embed(llama), {"ids": ids}, ("embeds",), {"ids": tokens}, traced=True),
        Graph(
            "llm_prefill",
            Prefill(llama),
            {"embeds": embeds, "mask": torch.ones(1, _TOKENS)},
            outputs,
            {"embeds": tokens, "mask": tokens},
            traced=True,
            dynamic_outputs=longer,
        ),
        Graph(
            "llm_extend",
            Extend(llama),
            {"embeds": embeds.clone(), "mask": mask(), **past},
            outputs,
            {"embeds": tokens, "mask": total, **grown},
            traced=True,
            dynamic_outputs=longer,
        ),
        Graph(
            "llm_step",
            Step(llama),
            {"ids": ids.clone(), "mask": mask(), **past},
            outputs,
            {"ids": tokens, "mask": total, **grown},
            traced=True,
            dynamic_outputs=longer,
        ),
    )


def cache_names(layers: int) -> tuple[str, ...]:
    """Return the cache's tensors as the graphs name them; outputs bear ``_next`` behind."""
    return tuple(f"{part}_{layer}" for layer in range(layers) for part in ("key", "value"))
