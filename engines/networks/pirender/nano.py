"""The renderer for one thread of a CPU: the portrait is moved, and painted over where that fails.

The portrait is encoded once, at half its size (``PortraitPyramid``). A frame finds a flow from the
two smallest maps, moves the maps by it and decodes them; a finer flow moves the portrait itself, at
its full size, made crisper before by what moving softens. What is painted, at half the size, is a
colour and the share in which it covers the moved portrait: what only moves keeps the portrait's own
sharpness. Only the two smallest maps are steered by the motion: norms cost memory traffic at the
larger ones, and what moves there moves with the flow. A frame's own motion is told beside the
window around it, which learns slowly that its middle is what counts.
"""

from itertools import pairwise
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.pirender.blocks import SLOPE, Mapping
from rt_avatar.engines.networks.pirender.config import NanoRendererConfig
from rt_avatar.engines.types import ARKIT, EXPRESSION_SIZE

Pyramid = tuple[Tensor, Tensor, Tensor]

# Numbers of motion → of the same order: angles in radians and shifts are small, and what a call
# holds still (depth and crop, in pixels) says nothing.
_SCALES: Final = (*[1.0] * len(ARKIT), *[0.0] * (EXPRESSION_SIZE - len(ARKIT)), *[4.0] * 5)
_SOFTENED: Final = 0.1  # see ``crisper``
_UNCOVERED: Final = -2.0  # training begins with a share of 1 / (1 + e^2) painted


def activated(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """Make a 3 x 3 convolution and its activation, which runtimes fuse."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1), nn.LeakyReLU(SLOPE)
    )


def doubled(x: Tensor) -> Tensor:
    """Enlarge (B, C, H, W) to the nearest."""
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class PortraitPyramid(nn.Module):  # type: ignore[misc]
    """A portrait → itself crisper, its maps at a quarter, an eighth and a sixteenth of its half."""

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

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Map (B, 3, H, W) in -1..1 to itself crisper and three maps, large to small."""
        return crisper(source), *self.encode(functional.avg_pool2d(source, 2))

    def encode(self, half: Tensor) -> Pyramid:
        """Map portraits of half the size (B, 3, H / 2, W / 2) to the three maps."""
        quarter = self.downs[0](self.first(half))
        eighth = self.downs[1](quarter)
        return quarter, eighth, self.downs[2](eighth)


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
    """A portrait, its maps and the motion around a frame → the frame."""

    def __init__(self, config: NanoRendererConfig) -> None:
        super().__init__()
        self.config = config
        half, quarter, eighth, smallest = config.channels
        self.mapping = Mapping(config.mapping)
        self.own = nn.Linear(config.mapping.coefficients, config.mapping.width, bias=False)
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
        self.blocks = nn.ModuleList(SteeredBlock(smallest) for _ in range(config.blocks))
        self.to_eighth = nn.Conv2d(smallest, eighth, 3, padding=1)
        self.eighth_block = SteeredBlock(eighth)
        self.to_quarter = nn.Conv2d(eighth, quarter, 3, padding=1)
        self.quarter_block = PlainBlock(quarter)
        self.flow_fine = nn.Conv2d(quarter, 2, 3, padding=1)
        self.to_half = nn.Conv2d(quarter, half, 3, padding=1)
        self.moved_half = nn.Conv2d(3, half, 2, stride=2)
        self.colours = nn.Conv2d(half, 16, 3, padding=1)
        for layer in (self.flow_out, self.flow_fine):  # training begins with the portrait as it is
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.constant_(self.colours.bias[12:], _UNCOVERED)
        scales = torch.zeros(config.mapping.coefficients, 1)
        scales[: len(_SCALES), 0] = torch.tensor(_SCALES)[: len(scales)]
        self.register_buffer("scales", scales, persistent=False)

    def flow(self, eighth: Tensor, smallest: Tensor, gains: Tensor) -> Tensor:
        """Return the (B, 2, h, w) flow at an eighth of the picture, in halves of its width."""
        x = doubled(self.flow_small(self.flow_block(smallest, gains)))
        return self.flow_out(functional.leaky_relu(x + self.flow_large(eighth), SLOPE))

    def descriptor(self, window: Tensor) -> tuple[Tensor, ...]:
        """Return the gains and shifts (B, 4 C, 1, 1) of each steered block."""
        scaled = window * self.scales
        described = self.mapping(scaled) + self.own(scaled[..., scaled.shape[-1] // 2])
        return tuple(self.modulation(described)[..., None, None].split(self.sizes, 1))

    def draw(
        self, crisp: Tensor, quarter: Tensor, eighth: Tensor, smallest: Tensor, window: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return what ``forward`` does, and the flow of the portrait (B, 2, h, w).

        Training may also draw frames of half the size: ``crisp`` is then of the halved portrait.
        """
        gains = self.descriptor(window)
        flow = self.flow(eighth, smallest, gains[0])
        x = moved(smallest, functional.avg_pool2d(flow, 2))
        for block, steering in zip(self.blocks, gains[1:], strict=False):
            x = block(x, steering)
        x = doubled(self.to_eighth(x)) + moved(eighth, flow)
        x = self.eighth_block(x, gains[-1])
        x = self.quarter_block(doubled(self.to_quarter(x)) + moved(quarter, flow))
        fine = enlarged(flow, x) + self.flow_fine(x)
        portrait = moved(crisp, fine)
        is_half = portrait.shape[-1] == 4 * x.shape[-1]
        seen = self.moved_half(portrait if is_half else functional.avg_pool2d(portrait, 2))
        x = functional.leaky_relu(doubled(self.to_half(x)) + seen, SLOPE)
        painted = enlarged(functional.pixel_shuffle(self.colours(x), 2), portrait)
        share = painted[:, 3:].sigmoid()
        return portrait + share * (painted[:, :3].tanh() - portrait), fine

    def forward(
        self, crisp: Tensor, quarter: Tensor, eighth: Tensor, smallest: Tensor, window: Tensor
    ) -> Tensor:
        """Render frames.

        Args:
            crisp: (1, 3, H, W), one portrait as ``PortraitPyramid`` made it crisper; in training
                (B, ...), one for each frame. So are its maps.
            quarter: (1, C, H / 8, W / 8) of its half.
            eighth: (1, C, H / 16, W / 16).
            smallest: (1, C, H / 32, W / 32).
            window: (B, 73, 27) motion around each frame.

        Returns:
            (B, 3, H, W) in -1..1.
        """
        return self.draw(crisp, quarter, eighth, smallest, window)[0]


def crisper(pictures: Tensor) -> Tensor:
    """Add to pictures (B, 3, H, W) what ``moved`` takes from them; they may leave -1..1 by it.

    A move by t of a place, bilinear, mixes 1 - t of a place and t of its neighbour: on average over
    all t from -1/2 to 1/2, 3/4 of the place and 1/8 of each side. To first order that is undone by
    an eighth of the second difference, along and across; heads rest often, and with a tenth moved
    faces are as sharp as their portrait (docs/LOG.md).
    """
    x = functional.pad(pictures, (1, 1, 1, 1), mode="replicate")
    middle = x[..., 1:-1, 1:-1]
    around = x[..., 1:-1, :-2] + x[..., 1:-1, 2:] + x[..., :-2, 1:-1] + x[..., 2:, 1:-1]
    return middle + _SOFTENED * (4 * middle - around)


def enlarged(values: Tensor, like: Tensor) -> Tensor:
    """Return (B, C, h, w), a flow or what is painted, at the size of a map."""
    if values.shape[-2:] == like.shape[-2:]:
        return values
    return functional.interpolate(values, like.shape[-2:], mode="bilinear", align_corners=False)


def moved(features: Tensor, flow: Tensor) -> Tensor:
    """Move one map by the flows of frames; beyond its edges it goes on as at them.

    Args:
        features: (1, C, H, W), or (B, ...).
        flow: (B, 2, h, w) x and y, 1 being half the map's width or height.

    Returns:
        (B, C, H, W).
    """
    height, width = features.shape[-2:]
    flow = enlarged(flow, features)
    repeated = features.expand(flow.shape[0], -1, -1, -1)
    places = (flow + centres(height, width, flow.device).to(flow)).permute(0, 2, 3, 1)
    return functional.grid_sample(
        repeated, places, mode="bilinear", padding_mode="border", align_corners=False
    )


def centres(height: int, width: int, device: torch.device | None = None) -> Tensor:
    """Return (1, 2, height, width) x, y of the places' centres, -1..1 from edge to edge."""
    y, x = torch.meshgrid(
        (2 * torch.arange(height, device=device) + 1) / height - 1,
        (2 * torch.arange(width, device=device) + 1) / width - 1,
        indexing="ij",
    )
    return torch.stack((x, y))[None]
