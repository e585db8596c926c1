"""Which phone is said in every frame, by its mel: a listener that a voice in training speaks to.

Frames see 150 ms on both sides of them. It is trained on recordings, with noise and rooms'
colours, and no part of what is shipped.
"""

from typing import Final

import torch.nn.functional as F
from torch import Tensor, nn

_CHANNELS: Final = 256
_LAYERS: Final = 5
_KERNEL: Final = 5
_DROPOUT: Final = 0.1


class PhoneRecognizer(nn.Module):  # type: ignore[misc]
    """Ln mel (B, n, bands) → logits (B, n, symbols) and what its layers hear.

    Args:
        bands: Of the mel.
        symbols: Phones, and the pause.
    """

    def __init__(self, bands: int, symbols: int) -> None:
        super().__init__()
        self.embed = nn.Conv1d(bands, _CHANNELS, _KERNEL, padding=_KERNEL // 2)
        self.layers = nn.ModuleList(
            nn.Conv1d(_CHANNELS, _CHANNELS, _KERNEL, padding=_KERNEL // 2) for _ in range(_LAYERS)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(_CHANNELS) for _ in range(_LAYERS))
        self.out = nn.Linear(_CHANNELS, symbols)

    def forward(self, mel: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Take mels of any level: each row's mean is taken off."""
        x = self.embed((mel - mel.mean(dim=(1, 2), keepdim=True)).transpose(1, 2) / 3.0)
        features = []
        for layer, norm in zip(self.layers, self.norms, strict=True):
            y = F.gelu(layer(x))
            x = x + F.dropout(y, _DROPOUT, self.training)
            x = norm(x.transpose(1, 2)).transpose(1, 2)
            features.append(x)
        logits: Tensor = self.out(x.transpose(1, 2))
        return logits, features
