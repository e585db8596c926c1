"""The renderer for one thread of a CPU: half the size inside, over maps of the portrait kept.

The portrait is encoded once (``PortraitPyramid``). A frame finds a flow from the two smallest
maps, moves all four by it, and decodes them; it ends at half the picture's size, where twelve
channels become the 2 x 2 colours of each place. Only the two smallest sizes are steered by the
motion: norms cost memory traffic at the larger ones, and what moves there moves with the flow.
"""

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.pirender.blocks import SLOPE, Mapping
from rt_avatar.engines.networks.pirender.config import NanoRendererConfig
from rt_avatar.engines.networks.pirender.warping import sample_at

Pyramid = tuple[Tensor, Tensor, Tensor, Tensor]


def activated(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """Make a 3 x 3 convolution and its activation, which runtimes fuse."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1), nn.LeakyReLU(SLOPE)
    )


def doubled(x: Tensor) -> Tensor:
    """Enlarge (B, C, H, W) to the nearest."""
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class PortraitPyramid(nn.Module):  # type: ignore[misc]
    """A portrait → its maps at a half, a quarter, an eighth and a sixteenth of its size."""

    def __init__(self, config: NanoRendererConfig) -> None:
        super().__init__()
        widths = config.channels
        self.first = nn.Sequential(
            nn.PixelUnshuffle(2), activated(12, widths[0]), activated(widths[0], widths[0])
        )
        self.downs = nn.ModuleList(
            nn.Sequential(activated(inputs, outputs, stride=2), activated(outputs, outputs))
            for inputs, outputs in pairwise(widths)
        )

    def forward(self, source: Tensor) -> Pyramid:
        """Map (B, 3, H, W) in -1..1 to four maps, large to small."""
        half = self.first(source)
        quarter = self.downs[0](half)
        eighth = self.downs[1](quarter)
        return half, quarter, eighth, self.downs[2](eighth)


class SteeredBlock(nn.Module):  # type: ignore[misc]
    """A residual block of two convolutions, normalised, with gains and shifts from outside."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv_0 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv_1 = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor, gains: Tensor) -> Tensor:
        """Take and return (B, C, H, W).

        Args:
            x: (B, C, H, W).
            gains: (B, 4 C, 1, 1) gain and shift of the first norm, then of the second.
        """
        gain_0, shift_0, gain_1, shift_1 = gains.chunk(4, 1)
        y = functional.instance_norm(self.conv_0(x)) * (1 + gain_0) + shift_0
        y = self.conv_1(functional.leaky_relu(y, SLOPE))
        return x + functional.instance_norm(y) * (1 + gain_1) + shift_1


class PlainBlock(nn.Module):  # type: ignore[misc]
    """A residual block without norms."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv_0 = activated(channels, channels)
        self.conv_1 = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        """Take and return (B, C, H, W)."""
        return functional.leaky_relu(x + self.conv_1(self.conv_0(x)), SLOPE)


class NanoRenderer(nn.Module):  # type: ignore[misc]
    """Maps of the portrait and the motion around a frame → the frame."""

    def __init__(self, config: NanoRendererConfig) -> None:
        super().__init__()
        self.config = config
        half, quarter, eighth, smallest = config.channels
        self.mapping = Mapping(config.mapping)
        steered = [smallest] * (1 + config.blocks) + [eighth]
        self.sizes = [4 * channels for channels in steered]
        self.modulation = nn.Sequential(
            nn.Linear(config.mapping.width, config.modulation),
            nn.ReLU(),
            nn.Linear(config.modulation, sum(self.sizes)),
        )
        self.flow_block = SteeredBlock(smallest)
        self.flow_small = nn.Conv2d(smallest, config.flow_width, 1)
        self.flow_large = nn.Conv2d(eighth, config.flow_width, 1)
        self.flow_out = nn.Conv2d(config.flow_width, 2, 3, padding=1)
        nn.init.zeros_(self.flow_out.weight)  # training begins with the portrait as it is
        nn.init.zeros_(self.flow_out.bias)
        self.blocks = nn.ModuleList(SteeredBlock(smallest) for _ in range(config.blocks))
        self.to_eighth = nn.Conv2d(smallest, eighth, 3, padding=1)
        self.eighth_block = SteeredBlock(eighth)
        self.to_quarter = nn.Conv2d(eighth, quarter, 3, padding=1)
        self.quarter_block = PlainBlock(quarter)
        self.to_half = nn.Conv2d(quarter, half, 3, padding=1)
        self.half_block = activated(half, half)
        self.colours = nn.Conv2d(half, 12, 3, padding=1)

    def flow(self, eighth: Tensor, smallest: Tensor, gains: Tensor) -> Tensor:
        """Return the (B, 2, h, w) flow at an eighth of the picture, in halves of its width."""
        x = doubled(self.flow_small(self.flow_block(smallest, gains)))
        return self.flow_out(functional.leaky_relu(x + self.flow_large(eighth), SLOPE))

    def forward(
        self, half: Tensor, quarter: Tensor, eighth: Tensor, smallest: Tensor, window: Tensor
    ) -> Tensor:
        """Render frames.

        Args:
            half: (1, C, H / 2, W / 2) of one portrait, as ``PortraitPyramid`` made it; in training
                (B, ...), one for each frame. So are the other maps.
            quarter: (1, C, H / 4, W / 4).
            eighth: (1, C, H / 8, W / 8).
            smallest: (1, C, H / 16, W / 16).
            window: (B, 73, 27) motion around each frame.

        Returns:
            (B, 3, H, W) in -1..1.
        """
        gains = self.modulation(self.mapping(window))[..., None, None].split(self.sizes, 1)
        flow = self.flow(eighth, smallest, gains[0])
        small_flow = functional.avg_pool2d(flow, 2)
        x = moved(smallest, small_flow)
        for block, steering in zip(self.blocks, gains[1:], strict=False):
            x = block(x, steering)
        x = doubled(self.to_eighth(x)) + moved(eighth, flow)
        x = self.eighth_block(x, gains[-1])
        x = doubled(self.to_quarter(x)) + moved(quarter, flow)
        x = doubled(self.to_half(self.quarter_block(x))) + moved(half, flow)
        return functional.pixel_shuffle(self.colours(self.half_block(x)), 2).tanh()


def moved(features: Tensor, flow: Tensor) -> Tensor:
    """Move one map by the flows of frames.

    Args:
        features: (1, C, H, W), or (B, ...).
        flow: (B, 2, h, w) x and y, 1 being half the map's width or height.

    Returns:
        (B, C, H, W).
    """
    height, width = features.shape[-2:]
    if flow.shape[-2:] != features.shape[-2:]:
        flow = functional.interpolate(flow, (height, width), mode="bilinear", align_corners=False)
    repeated = features.expand(flow.shape[0], -1, -1, -1)
    return sample_at(repeated, flow + centres(height, width).to(flow))


def centres(height: int, width: int) -> Tensor:
    """Return (1, 2, height, width) x, y of the places' centres, -1..1 from edge to edge."""
    y, x = torch.meshgrid(
        (2 * torch.arange(height) + 1) / height - 1,
        (2 * torch.arange(width) + 1) / width - 1,
        indexing="ij",
    )
    return torch.stack((x, y))[None]
