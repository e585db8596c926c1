"""A transformer that is a variational autoencoder, with learnt queries: what both modules are of.

    z ~ N(mu, exp(log_variance)) = Enc(sequence, queries);  output = Dec(FFN(z), queries)

Norms before the sums.
"""

from typing import Final, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.networks.attention import additive_mask, attend, split_heads
from rt_avatar.engines.networks.fusion.config import BlockConfig

_LONGEST_PERIOD: Final = 10_000.0  # of the sinusoids, as in "Attention is all you need"


class Latent(NamedTuple):
    """What a query stands for: mean and log variance, each (B, Q, width)."""

    mean: Tensor
    log_variance: Tensor


class Attention(nn.Module):  # type: ignore[misc]
    """Multi-head attention of queries to a sequence."""

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        self.heads, self.size = config.heads, config.width // config.heads
        self.query = nn.Linear(config.width, config.width)
        self.key = nn.Linear(config.width, config.width)
        self.value = nn.Linear(config.width, config.width)
        self.out = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor, sequence: Tensor, mask: Tensor) -> Tensor:
        """Return (B, Q, width); ``mask`` (B, 1, 1, S) is added to the scores."""
        parts = (self.query(x), self.key(sequence), self.value(sequence))
        query, key, value = (split_heads(part, self.heads) for part in parts)
        return self.out(attend(query, key, value, mask))


class Layer(nn.Module):  # type: ignore[misc]
    """Self-attention, attention to a memory where there is one, and a feed-forward net."""

    def __init__(self, config: BlockConfig, *, with_memory: bool) -> None:
        super().__init__()
        self.dropout = nn.Dropout(config.dropout)
        self.norm_self = nn.LayerNorm(config.width)
        self.attend_self = Attention(config)
        if with_memory:
            self.norm_memory = nn.LayerNorm(config.width)
            self.attend_memory = Attention(config)
        self.norm = nn.LayerNorm(config.width)
        self.widen = nn.Linear(config.width, config.feedforward)
        self.narrow = nn.Linear(config.feedforward, config.width)

    def forward(
        self, x: Tensor, own: Tensor, memory: Tensor | None = None, other: Tensor | None = None
    ) -> Tensor:
        """Return (B, T, width); ``own`` and ``other`` hide places of ``x`` and of the memory."""
        y = self.norm_self(x)
        x = x + self.dropout(self.attend_self(y, y, own))
        if memory is not None:
            x = x + self.dropout(self.attend_memory(self.norm_memory(x), memory, other))
        y = self.narrow(self.dropout(F.gelu(self.widen(self.norm(x)))))
        return x + self.dropout(y)


class VariationalTransformer(nn.Module):  # type: ignore[misc]
    """Encoder, latent, decoder; the queries are the decoder's input and part of the encoder's."""

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        width, crossing = config.width, config.queries == "cross"
        self.crossing = crossing
        self.encoders = nn.ModuleList(
            [Layer(config, with_memory=crossing) for _ in range(config.encoders)]
        )
        self.encoded = nn.LayerNorm(width)
        self.mean = nn.Linear(width, width)
        self.log_variance = nn.Linear(width, width)
        self.memory = nn.Sequential(  # FFN(z)
            nn.Linear(width, config.feedforward), nn.GELU(), nn.Linear(config.feedforward, width)
        )
        self.decoders = nn.ModuleList(
            [Layer(config, with_memory=True) for _ in range(config.decoders)]
        )
        self.decoded = nn.LayerNorm(width)

    def encode(self, sequence: Tensor, mask: Tensor, queries: Tensor, wanted: Tensor) -> Latent:
        """Read a sequence.

        Args:
            sequence: (B, S, width).
            mask: (B, S), 1 where it is one.
            queries: (B, Q, width).
            wanted: (B, Q), 1 where an output is wanted.
        """
        if self.crossing:
            x = queries
            for layer in self.encoders:
                x = layer(x, hidden(wanted), sequence, hidden(mask))
        else:
            count = queries.shape[1]
            x, both = torch.cat([queries, sequence], 1), hidden(torch.cat([wanted, mask], 1))
            for layer in self.encoders:
                x = layer(x, both)
            x = x[:, :count]
        x = self.encoded(x)
        return Latent(self.mean(x), self.log_variance(x))

    def decode(self, z: Tensor, queries: Tensor, wanted: Tensor) -> Tensor:
        """Write (B, Q, width) from the latent (B, Q, width)."""
        memory, out = self.memory(z), hidden(wanted)
        x = queries
        for layer in self.decoders:
            x = layer(x, out, memory, out)
        return self.decoded(x)


def sample(latent: Latent, noise: Tensor | None) -> Tensor:
    """Return mean + deviation · noise (B, Q, width), and without noise the mean itself."""
    if noise is None:
        return latent.mean
    return latent.mean + torch.exp(0.5 * latent.log_variance) * noise


def hidden(mask: Tensor) -> Tensor:
    """Return what is added to scores (B, 1, 1, S) so that places of ``mask`` 0 are not seen."""
    return additive_mask(mask[:, None, None, :])


def sinusoids(places: Tensor, width: int) -> Tensor:
    """Return (B, T, width) for places (B, T), which need not be whole."""
    steps = torch.arange(width // 2, device=places.device, dtype=places.dtype)
    rates = _LONGEST_PERIOD ** (-2.0 * steps / width)
    angles = places[:, :, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=-1)
