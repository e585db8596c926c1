"""PIRenderer's first half: the portrait and the motion → a flow, and the portrait moved by it."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.pirender.blocks import SLOPE, AdaIN, LayerNorm2d
from rt_avatar.engines.networks.pirender.config import PIRendererConfig


class Down(nn.Module):  # type: ignore[misc]
    """Halves the size; norm and activation come before each convolution."""

    def __init__(self, inputs: int, outputs: int, config: PIRendererConfig) -> None:
        super().__init__()
        descriptor = config.mapping.width, config.modulation
        self.norm_0 = AdaIN(inputs, *descriptor)
        self.conv_0 = nn.Conv2d(inputs, outputs, 4, stride=2, padding=1)
        self.norm_1 = AdaIN(outputs, *descriptor)
        self.conv_1 = nn.Conv2d(outputs, outputs, 3, padding=1)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        """Take (B, inputs, H, W) and (B, width); return (B, outputs, H / 2, W / 2)."""
        x = self.conv_0(functional.leaky_relu(self.norm_0(x, z), SLOPE))
        return self.conv_1(functional.leaky_relu(self.norm_1(x, z), SLOPE))


class Up(nn.Module):  # type: ignore[misc]
    """Doubles the size, on two paths that are added."""

    def __init__(self, inputs: int, outputs: int, config: PIRendererConfig) -> None:
        super().__init__()
        descriptor = config.mapping.width, config.modulation
        doubling = {"kernel_size": 3, "stride": 2, "padding": 1, "output_padding": 1}
        self.norm_0 = AdaIN(inputs, *descriptor)
        self.conv_0 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.norm_1 = AdaIN(outputs, *descriptor)
        self.conv_1 = nn.ConvTranspose2d(outputs, outputs, **doubling)
        self.norm_s = AdaIN(inputs, *descriptor)
        self.conv_s = nn.ConvTranspose2d(inputs, outputs, **doubling)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        """Take (B, inputs, H, W) and (B, width); return (B, outputs, 2 H, 2 W)."""
        main = self.conv_0(functional.leaky_relu(self.norm_0(x, z), SLOPE))
        main = self.conv_1(functional.leaky_relu(self.norm_1(main, z), SLOPE))
        return main + self.conv_s(functional.leaky_relu(self.norm_s(x, z), SLOPE))


class WarpEncoder(nn.Module):  # type: ignore[misc]
    """The portrait at ever smaller sizes."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.count = config.warp_encoders
        self.input_layer = nn.Conv2d(3, config.warp_width, 7, padding=3)
        for level in range(config.warp_encoders):
            sizes = config.warp_channels(level), config.warp_channels(level + 1)
            self.add_module(f"encoder{level}", Down(*sizes, config))

    def forward(self, source: Tensor, z: Tensor) -> list[Tensor]:
        """Take (B, 3, H, W) and (B, width); return one map for each level, large to small."""
        x, maps = self.input_layer(source), []
        for level in range(self.count):
            x = getattr(self, f"encoder{level}")(x, z)
            maps.append(x)
        return maps


class WarpDecoder(nn.Module):  # type: ignore[misc]
    """Back to the flow's size, seeing the encoder's maps."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.levels = tuple(
            config.warp_encoders - 1 - number for number in range(config.warp_decoders)
        )
        inputs = config.warp_channels(config.warp_encoders)
        for level in self.levels:
            outputs = config.warp_channels(level)
            self.add_module(f"decoder{level}", Up(inputs, outputs, config))
            inputs = outputs + config.warp_channels(level)  # the encoder's map of this size
        self.channels = inputs

    def forward(self, maps: list[Tensor], z: Tensor) -> Tensor:
        """Take the encoder's maps; return (B, channels, h, w)."""
        x = maps[-1]
        for level in self.levels:
            x = torch.cat((getattr(self, f"decoder{level}")(x, z), maps[level - 1]), 1)
        return x


class Hourglass(nn.Module):  # type: ignore[misc]
    """Encoder and decoder under the name that the published weights know them by."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.encoder = WarpEncoder(config)
        self.decoder = WarpDecoder(config)

    def forward(self, source: Tensor, z: Tensor) -> Tensor:
        """Take (B, 3, H, W) and (B, width); return (B, channels, h, w)."""
        return self.decoder(self.encoder(source, z), z)


class WarpingNetwork(nn.Module):  # type: ignore[misc]
    """Finds where each place of the frame lies in the portrait."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.hourglass = Hourglass(config)
        channels = self.hourglass.decoder.channels
        self.flow_out = nn.Sequential(
            LayerNorm2d(channels), nn.LeakyReLU(SLOPE), nn.Conv2d(channels, 2, 7, padding=3)
        )

    def forward(self, source: Tensor, z: Tensor) -> tuple[Tensor, Tensor]:
        """Take (B, 3, H, W) and (B, width); return the (B, 2, h, w) flow and the moved portrait."""
        flow = self.flow_out(self.hourglass(source, z))
        return flow, warp(source, flow)


def base_grid(height: int, width: int) -> Tensor:
    """Return (1, 2, height, width) coordinates x, y from corner centre to corner centre, -1..1."""
    y, x = torch.meshgrid(
        torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij"
    )
    return torch.stack((x, y))[None]


def relative(flow: Tensor) -> Tensor:
    """Turn a flow in its own pixels into one in the coordinates of ``base_grid``.

    By two numbers, not by a tensor of them: that would come from the host in every run, which no
    recording of a GPU's work allows.
    """
    height, width = flow.shape[-2:]
    x, y = flow.split(1, 1)
    return torch.cat((x * float(2 / (width - 1)), y * float(2 / (height - 1))), 1)


def warp(source: Tensor, flow: Tensor) -> Tensor:
    """Move a picture by a flow of lower resolution, exactly as the network was trained with.

    The grid is laid from corner centre to corner centre but sampled as from edge to edge, so that
    a flow of zero enlarges a picture of 256 by 256/252 and darkens its border. The network has
    learnt to make up for it; to mend it here would break it.

    Args:
        source: (B, C, H, W).
        flow: (B, 2, h, w) x and y in pixels of the flow.

    Returns:
        (B, C, H, W).
    """
    grid = base_grid(*flow.shape[-2:]).to(flow) + relative(flow)
    grid = functional.interpolate(grid, source.shape[-2:], mode="bilinear", align_corners=False)
    return sample_at(source, grid)


def sample_at(source: Tensor, grid: Tensor) -> Tensor:
    """Take (B, C, H, W) at (B, 2, h, w) coordinates from edge to edge; zeros beyond them."""
    places = grid.permute(0, 2, 3, 1)
    return functional.grid_sample(
        source, places, mode="bilinear", padding_mode="zeros", align_corners=False
    )
