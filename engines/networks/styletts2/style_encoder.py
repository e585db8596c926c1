"""The style encoders: a reference's mel (B, 1, 80, M) → a half style (B, 128).

There are two of one shape, ``style_encoder`` for the voice and ``predictor_encoder`` for the
prosody. Without any norm, averaged over time: recordings of different lengths must not share a
batch. A mel must have 65 frames at least; 64 leave the last convolution nothing.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.networks.styletts2.config import StyleEncoderConfig
from rt_avatar.engines.networks.styletts2.primitives import HALF_SQRT


class HalvingBlock(nn.Module):  # type: ignore[misc]
    """Residual block that halves both sides of the picture, rounding up."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.downsample_res = nn.Module()
        self.downsample_res.conv = nn.Conv2d(inputs, inputs, 3, stride=2, padding=1, groups=inputs)
        self.conv1 = nn.Conv2d(inputs, inputs, 3, padding=1)
        self.conv2 = nn.Conv2d(inputs, outputs, 3, padding=1)
        if inputs != outputs:
            self.conv1x1 = nn.Conv2d(inputs, outputs, 1, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, Cout, H / 2, W / 2)."""
        y = self.downsample_res.conv(self.conv1(F.leaky_relu(x, 0.2)))
        y = self.conv2(F.leaky_relu(y, 0.2))
        if hasattr(self, "conv1x1"):
            x = self.conv1x1(x)
        # The reference repeats the last column where the width is odd. To repeat it always and
        # drop what is left over is the same, and no branch on a size is baked into a graph.
        x = F.avg_pool2d(torch.cat([x, x[..., -1:]], dim=3), 2)
        return (x + y) * HALF_SQRT


class StyleEncoder(nn.Module):  # type: ignore[misc]
    """Four halvings, one wide convolution, the mean over what is left."""

    def __init__(self, config: StyleEncoderConfig, style: int) -> None:
        super().__init__()
        sizes = [min(config.channels << i, config.max_channels) for i in range(5)]
        self.shared = nn.Sequential(
            nn.Conv2d(1, sizes[0], 3, padding=1),
            *(HalvingBlock(sizes[i], sizes[i + 1]) for i in range(4)),
            nn.LeakyReLU(0.2),
            nn.Conv2d(sizes[4], sizes[4], 5),
        )
        self.unshared = nn.Linear(sizes[4], style)

    def forward(self, mel: Tensor) -> Tensor:
        """Return (B, S)."""
        x = self.shared(mel).mean(dim=(2, 3))
        return self.unshared(F.leaky_relu(x, 0.2))
