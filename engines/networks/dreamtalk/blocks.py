"""Blocks of DreamTalk's transformers: post-norm layers over (..., tokens, width).

The parameters are named as torch's own layers name them, since the published weights are.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.attention import attend, split_heads
from rt_avatar.engines.networks.dreamtalk.config import DreamTalkConfig

_SLOWEST = 10_000.0  # longest wavelength of the sinusoids, in tokens / 2 pi


def frequencies(width: int) -> Tensor:
    """Return (width // 2,) angular frequencies, from 1 a token downwards."""
    return _SLOWEST ** (-torch.arange(width // 2, dtype=torch.float64) * 2 / width)


class PositionTable(nn.Module):  # type: ignore[misc]
    """Sinusoids of the tokens' places: even columns sine, odd ones cosine."""

    def __init__(self, tokens: int, width: int) -> None:
        super().__init__()
        angles = torch.arange(tokens, dtype=torch.float64)[:, None] * frequencies(width)
        table = torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
        self.register_buffer("pos_table", table[None].float())

    def forward(self, tokens: int) -> Tensor:
        """Return the first ``tokens`` rows, (tokens, width)."""
        return self.pos_table[0, :tokens]


class Attention(nn.Module):  # type: ignore[misc]
    """Attention of several heads; query, key and value in one matrix."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.scale = math.sqrt(heads / width)
        self.in_proj_weight = nn.Parameter(torch.empty(3 * width, width))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * width))
        self.out_proj = nn.Linear(width, width)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.zeros_(self.out_proj.bias)

    def forward(self, query: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        """Look from (..., Q, width) at (..., K, width); ``mask`` is added to the scores."""
        width = query.shape[-1]
        q = functional.linear(query, self.in_proj_weight[:width], self.in_proj_bias[:width])
        key_value = functional.linear(
            memory, self.in_proj_weight[width:], self.in_proj_bias[width:]
        )
        k, v = key_value.chunk(2, -1)
        q, k, v = (split_heads(part, self.heads) for part in (q, k, v))
        return self.out_proj(attend(q, k, v, mask))


class EncoderLayer(nn.Module):  # type: ignore[misc]
    """Self-attention and a feed-forward part, each added and then normalised."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        width = config.model_size
        self.self_attn = Attention(width, config.heads)
        self.linear1 = nn.Linear(width, config.feedforward_size)
        self.linear2 = nn.Linear(config.feedforward_size, width)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Take and return (..., tokens, width); ``mask`` is added to the scores."""
        x = self.norm1(x + self.dropout(self.self_attn(x, x, mask)))
        hidden = self.dropout(self.linear1(x).relu())
        return self.norm2(x + self.dropout(self.linear2(hidden)))


class DecoderLayer(nn.Module):  # type: ignore[misc]
    """Self-attention, attention to a memory, a feed-forward part; each added, then normalised."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        width = config.model_size
        self.self_attn = Attention(width, config.heads)
        self.multihead_attn = Attention(width, config.heads)
        self.linear1 = nn.Linear(width, config.feedforward_size)
        self.linear2 = nn.Linear(config.feedforward_size, width)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.norm3 = nn.LayerNorm(width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, memory: Tensor) -> Tensor:
        """Take and return (..., tokens, width); look at the memory (..., K, width)."""
        x = self.norm1(x + self.dropout(self.self_attn(x, x)))
        x = self.norm2(x + self.dropout(self.multihead_attn(x, memory)))
        hidden = self.dropout(self.linear1(x).relu())
        return self.norm3(x + self.dropout(self.linear2(hidden)))


class Encoder(nn.Module):  # type: ignore[misc]
    """Encoder layers without a norm at the end."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Take and return (..., tokens, width); ``mask`` is added to the scores."""
        for layer in self.layers:
            x = layer(x, mask)
        return x
