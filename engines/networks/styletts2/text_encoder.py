"""The text encoder: tokens (B, T) → (B, C, T), one vector for each phoneme.

The whole of a clause must be there: its LSTM reads from both ends. The reference packs the
sequence; here a single sentence needs no packing, see ``BiLstm``.
"""

import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.networks.styletts2.config import StyleTTS2Config
from rt_avatar.engines.networks.styletts2.primitives import BiLstm, ChannelLayerNorm


class TextEncoder(nn.Module):  # type: ignore[misc]
    """Embedding, three convolutions of five phonemes, one bidirectional LSTM."""

    def __init__(self, config: StyleTTS2Config) -> None:
        super().__init__()
        channels = config.hidden
        self.embedding = nn.Embedding(config.symbols, channels)
        self.cnn = nn.ModuleList(
            nn.Sequential(
                nn.Conv1d(channels, channels, 5, padding=2),
                ChannelLayerNorm(channels),
            )
            for _ in range(config.layers)
        )
        self.lstm = BiLstm(channels, channels)

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return (B, C, T); ``mask`` (B, T) is 1 for tokens, 0 for padding, None: no padding."""
        kept = None if mask is None else mask[:, None, :]
        x = _masked(self.embedding(tokens).transpose(1, 2), kept)
        for layer in self.cnn:
            x = _masked(F.leaky_relu(layer(x), 0.2), kept)
        return _masked(self.lstm(x.transpose(1, 2), mask).transpose(1, 2), kept)


def _masked(x: Tensor, mask: Tensor | None) -> Tensor:
    return x if mask is None else x * mask
