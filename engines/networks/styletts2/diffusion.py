"""The denoiser of styles: a noisy style and its sentence → the style (EDM's inner network F).

Two kinds: LJSpeech's sees the sentence alone, LibriTTS's the reference style too (adaptive norms,
and one more feature in the mapping). The sampler's loop is ``engines.styletts2.sampling``.

Hazards kept: the mapping is added before *every* layer; queries and the context have norms of
their own over the same input; the feed-forward part has none; there is no mask and no position, so
that padding would change the result: one sentence at a time, or pass ``mask``.
"""

import math

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.attention import additive_mask, attend, split_heads
from rt_avatar.engines.networks.styletts2.config import DiffusionConfig, StyleTTS2Config
from rt_avatar.engines.networks.styletts2.primitives import AdaLayerNorm


class TimeFeatures(nn.Module):  # type: ignore[misc]
    """A time (B,) → itself, sines and cosines of learned frequencies, (B, 2 n + 1)."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.randn(features))

    def forward(self, time: Tensor) -> Tensor:
        """Return (B, 2 n + 1)."""
        angle = time[:, None] * self.weights * (2.0 * math.pi)
        return torch.cat([time[:, None], angle.sin(), angle.cos()], dim=1)


class StyleAttention(nn.Module):  # type: ignore[misc]
    """Attention of the tokens to one another; norms with or without a reference style."""

    def __init__(self, channels: int, config: DiffusionConfig, reference: int) -> None:
        super().__init__()
        inner = config.heads * config.head_size
        self.heads = config.heads
        self.reference = config.reference
        self.norm = self._norm(channels, reference)
        self.norm_context = self._norm(channels, reference)
        self.to_q = nn.Linear(channels, inner, bias=False)
        self.to_kv = nn.Linear(channels, 2 * inner, bias=False)
        self.attention = nn.Module()
        self.attention.to_out = nn.Linear(inner, channels)

    def _norm(self, channels: int, reference: int) -> nn.Module:
        return AdaLayerNorm(channels, reference) if self.reference else nn.LayerNorm(channels)

    def forward(self, x: Tensor, reference: Tensor | None, mask: Tensor | None) -> Tensor:
        """Return (B, T, C)."""
        given = (reference,) if self.reference else ()
        query = self.to_q(self.norm(x, *given))
        key, value = self.to_kv(self.norm_context(x, *given)).chunk(2, dim=2)
        query, key, value = (split_heads(part, self.heads) for part in (query, key, value))
        return self.attention.to_out(attend(query, key, value, mask))


class StyleBlock(nn.Module):  # type: ignore[misc]
    """Attention and feed-forward, each added to its input."""

    def __init__(self, channels: int, config: DiffusionConfig, reference: int) -> None:
        super().__init__()
        self.attention = StyleAttention(channels, config, reference)
        self.feed_forward = nn.Sequential(
            nn.Linear(channels, config.multiplier * channels),
            nn.GELU(),
            nn.Linear(config.multiplier * channels, channels),
        )

    def forward(self, x: Tensor, reference: Tensor | None, mask: Tensor | None) -> Tensor:
        """Return (B, T, C)."""
        x = x + self.attention(x, reference, mask)
        return x + self.feed_forward(x)


class StyleDenoiser(nn.Module):  # type: ignore[misc]
    """The network F of the sampler."""

    def __init__(self, config: StyleTTS2Config, diffusion: DiffusionConfig) -> None:
        super().__init__()
        style, context = 2 * config.style, config.bert.hidden
        channels = style + context
        self.reference = diffusion.reference
        self.blocks = nn.ModuleList(
            StyleBlock(channels, diffusion, style) for _ in range(diffusion.layers)
        )
        self.to_out = nn.ModuleDict({"1": nn.Conv1d(channels, style, 1)})
        self.to_mapping = nn.Sequential(
            nn.Linear(channels, channels), nn.GELU(), nn.Linear(channels, channels), nn.GELU()
        )
        times = diffusion.time_features
        self.to_time = nn.Sequential(
            nn.Sequential(TimeFeatures(times), nn.Linear(2 * times + 1, channels)), nn.GELU()
        )
        if diffusion.reference:
            self.to_features = nn.Sequential(nn.Linear(style, channels), nn.GELU())
        self.fixed_embedding = nn.Module()
        self.fixed_embedding.embedding = nn.Embedding(diffusion.positions, context)

    def forward(
        self,
        x: Tensor,
        time: Tensor,
        embedding: Tensor,
        reference: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return F(x), (B, 1, 256).

        Args:
            x: (B, 1, 256) the scaled noisy style.
            time: (B,) ln(sigma) / 4.
            embedding: (B, T, 768) of PL-BERT, its own width, before ``bert_encoder``.
            reference: (B, 256) of the reference; only for the kind that takes one.
            mask: (B, T) 1 for tokens, 0 for padding; None for no padding.
        """
        mapping = self.to_time(time)
        if self.reference:
            mapping = mapping + self.to_features(reference)
        mapping = self.to_mapping(mapping)[:, None]
        h = torch.cat([x.expand(-1, embedding.shape[1], -1), embedding], dim=2)
        added = None if mask is None else additive_mask(mask[:, None, None, :])
        for block in self.blocks:
            h = block(h + mapping, reference, added)
        if mask is None:
            mean = h.mean(dim=1)
        else:
            mean = (h * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return self.to_out["1"](mean[:, :, None]).transpose(1, 2)

    def guided(
        self,
        x: Tensor,
        time: Tensor,
        embedding: Tensor,
        scale: Tensor,
        reference: Tensor | None = None,
    ) -> Tensor:
        """Return F with classifier-free guidance, both halves as one batch of two.

        Args:
            x: (1, 1, 256).
            time: (1,).
            embedding: (1, T, 768); without the sentence, the learned table's first T rows stand
                in its place.
            scale: (1,) 1 is no guidance.
            reference: (1, 256).
        """
        blank = self.fixed_embedding.embedding.weight[: embedding.shape[1]][None]
        both = self(
            x.expand(2, -1, -1),
            time.expand(2),
            torch.cat([embedding, blank], dim=0),
            None if reference is None else reference.expand(2, -1),
        )
        given, without = both[:1], both[1:]
        return without + (given - without) * scale[:, None, None]
