"""A Llama with its cache as plain tensors: embeddings and a past in, states and what to add out.

The weights live in transformers' own class, so checkpoints, training and LoRA work as everywhere.
Running is written out here: transformers keeps its cache in objects that no graph can hold.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from transformers import LlamaForCausalLM

from rt_avatar.engines.networks.attention import additive_mask, mix
from rt_avatar.engines.networks.llm.config import LlmConfig

# Of each layer its keys and its values, (B, key_heads, P, head size), keys already turned to
# their positions: key of layer 0, value of layer 0, key of layer 1, …
Past = Sequence[Tensor]


class Extended(NamedTuple):
    """What more tokens led to.

    Attributes:
        hidden: (B, S, width), the last layer after its norm, at each token's own place.
        logits: (B, vocabulary) of what follows the last token.
        added: Keys and values of these tokens, for whoever keeps the cache to put behind it.
    """

    hidden: Tensor
    logits: Tensor
    added: tuple[Tensor, ...]


class Llama(nn.Module):  # type: ignore[misc]
    """The language model; ``model`` is transformers' class, perhaps with LoRA in its layers."""

    def __init__(self, config: LlmConfig) -> None:
        super().__init__()
        self.config = config
        self.model = LlamaForCausalLM(config.huggingface())

    def embed(self, ids: Tensor) -> Tensor:
        """Return the input embeddings (B, S, width) of ids (B, S)."""
        return self.model.get_input_embeddings()(ids)

    def extend(self, embeds: Tensor, mask: Tensor, past: Past = ()) -> Extended:
        """Read more tokens.

        Args:
            embeds: (B, S, width).
            mask: (B, P + S), 1 for tokens, 0 for places that are none (padding on the left, a
                missing modality). They take no position, and nothing looks at them: the rest is
                as if they had been left out.
            past: What was read before, P places; none: the beginning.
        """
        base = self.model.model
        visible, positions = causal_mask(mask, embeds.shape[1])
        # Queries that share a key lie one behind the other: (B, 1, sharing S, P + S).
        sharing = self.config.heads // self.config.key_heads
        added_mask = additive_mask(visible).repeat(1, sharing, 1)[:, None]
        angles = positions[:, None, :, None] * base.rotary_emb.inv_freq  # (B, 1, S, head / 2)
        rotary = (angles.cos(), angles.sin())
        x = embeds
        added: list[Tensor] = []
        for index, layer in enumerate(base.layers):
            before = (past[2 * index], past[2 * index + 1]) if past else None
            mixed, new = self._attend(
                layer.self_attn, layer.input_layernorm(x), rotary, added_mask, before
            )
            added.extend(new)
            x = x + mixed
            x = x + layer.mlp(layer.post_attention_layernorm(x))
        x = base.norm(x)
        return Extended(x, self.model.lm_head(x[:, -1]), tuple(added))

    def _attend(
        self,
        attention: nn.Module,
        x: Tensor,
        rotary: tuple[Tensor, Tensor],
        mask: Tensor,
        past: tuple[Tensor, Tensor] | None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        config = self.config
        batch, tokens, size = x.shape[0], x.shape[1], config.width // config.heads
        # Sizes are written out: who traces makes fewer nodes of them than of other ways.
        query, key, value = (
            part(x).reshape(batch, tokens, heads, size).transpose(1, 2)
            for part, heads in (
                (attention.q_proj, config.heads),
                (attention.k_proj, config.key_heads),
                (attention.v_proj, config.key_heads),
            )
        )
        query, key = _rotate(query, rotary), _rotate(key, rotary)
        keys = key if past is None else torch.cat([past[0], key], 2)
        values = value if past is None else torch.cat([past[1], value], 2)
        # Queries that share a key lie together, and nothing of the cache is repeated.
        sharing = config.heads // config.key_heads
        grouped = query.reshape(batch, config.key_heads, sharing * tokens, size)
        mixed = mix(grouped, keys, values, mask)
        mixed = mixed.reshape(batch, config.heads, tokens, size).transpose(1, 2)
        return attention.o_proj(mixed.reshape(batch, tokens, config.width)), (key, value)


def causal_mask(mask: Tensor, tokens: int) -> tuple[Tensor, Tensor]:
    """Return what each new token sees (B, S, P + S) and its position (B, S), from the mask.

    A position is the number of tokens before: one product with what lies before, no running sum.
    """
    total = mask.shape[1]
    at = torch.arange(total, device=mask.device)
    new = at[total - tokens :]
    before = (at[None, :] <= new[:, None]).to(mask.dtype)  # (S, P + S)
    positions = (mask @ before.transpose(0, 1) - 1.0).clamp(min=0.0)
    return before[None] * mask[:, None, :], positions


def _rotate(x: Tensor, rotary: tuple[Tensor, Tensor]) -> Tensor:
    # Rotary positions: the first half of a head's numbers with the second, as Llama pairs them.
    cos, sin = rotary
    half = x.shape[-1] // 2
    low, high = x[..., :half], x[..., half:]
    return torch.cat([low * cos - high * sin, high * cos + low * sin], dim=-1)
