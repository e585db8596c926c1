"""Tells recordings from what the generator makes, by spectra at three resolutions.

Kernels of nine bins and strides of two: wide strides with narrow kernels leave bands of level in
the sound.

Source: Jang et al. 2021 (UnivNet, arXiv 2106.07889), a quarter of its channels.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

_CHANNELS = 16
_SLOPE = 0.1


class SpectrumDiscriminator(nn.Module):  # type: ignore[misc]
    """Magnitudes (B, bins, frames) → scores (B, 1, bins / 8, frames) and the layers' outputs."""

    def __init__(self) -> None:
        super().__init__()
        norm = nn.utils.parametrizations.weight_norm
        self.layers = nn.ModuleList(
            norm(nn.Conv2d(inputs, _CHANNELS, (9, 3), (stride, 1), (4, 1)))
            for inputs, stride in ((1, 2), (_CHANNELS, 2), (_CHANNELS, 2))
        )
        self.score = norm(nn.Conv2d(_CHANNELS, 1, (3, 3), padding=1))

    def forward(self, magnitudes: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Return scores, high for recordings, and features for matching."""
        x = torch.log(magnitudes)[:, None] / 4.0
        features = []
        for layer in self.layers:
            x = F.leaky_relu(layer(x), _SLOPE)
            features.append(x)
        return self.score(x), features
