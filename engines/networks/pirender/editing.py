"""PIRenderer's second half: the portrait and the moved portrait → the frame."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.pirender.blocks import SLOPE, AdaIN, LayerNorm2d
from rt_avatar.engines.networks.pirender.config import PIRendererConfig


class Convolution(nn.Module):  # type: ignore[misc]
    """A convolution that keeps the size, a norm and an activation."""

    def __init__(self, inputs: int, outputs: int, size: int = 3) -> None:
        super().__init__()
        self.model = nn.Sequential(
            nn.Conv2d(inputs, outputs, size, padding=size // 2),
            LayerNorm2d(outputs),
            nn.LeakyReLU(SLOPE),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Take (B, inputs, H, W); return (B, outputs, H, W)."""
        return self.model(x)


class EditEncoder(nn.Module):  # type: ignore[misc]
    """Portrait and moved portrait at ever smaller sizes."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.layers = config.edit_layers
        self.first = Convolution(6, config.edit_channels(0), 7)
        for level in range(config.edit_layers):
            sizes = config.edit_channels(level), config.edit_channels(level + 1)
            self.add_module(f"down{level}", Convolution(*sizes))

    def forward(self, pictures: Tensor) -> list[Tensor]:
        """Take (B, 6, H, W); return the maps, large to small."""
        maps = [self.first(pictures)]
        for level in range(self.layers):
            maps.append(functional.avg_pool2d(getattr(self, f"down{level}")(maps[-1]), 2))
        return maps


class Residual(nn.Module):  # type: ignore[misc]
    """A residual block of which half is dead.

    The published code computes ``conv1`` and ``norm1`` and then overwrites what they gave; the
    weights have them, and nothing depends on them.
    """

    def __init__(self, channels: int, config: PIRendererConfig) -> None:
        super().__init__()
        descriptor = config.mapping.width, config.modulation
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm1 = AdaIN(channels, *descriptor)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm2 = AdaIN(channels, *descriptor)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        """Take and return (B, channels, H, W); descriptor (B, width)."""
        return x + self.norm2(self.conv2(x), z)


class Residuals(nn.Module):  # type: ignore[misc]
    """The residual blocks of one size."""

    def __init__(self, channels: int, config: PIRendererConfig) -> None:
        super().__init__()
        self.count = config.edit_blocks
        for block in range(config.edit_blocks):
            self.add_module(f"res{block}", Residual(channels, config))

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        """Take and return (B, channels, H, W); descriptor (B, width)."""
        for block in range(self.count):
            x = getattr(self, f"res{block}")(x, z)
        return x


class LastConvolution(nn.Module):  # type: ignore[misc]
    """To colours in -1..1."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.model = nn.Sequential(nn.Conv2d(inputs, 3, 7, padding=3), nn.Tanh())

    def forward(self, x: Tensor) -> Tensor:
        """Take (B, inputs, H, W); return (B, 3, H, W)."""
        return self.model(x)


class EditDecoder(nn.Module):  # type: ignore[misc]
    """Back to the picture's size, with the motion's say at each."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.levels = tuple(reversed(range(config.edit_layers)))
        for level in self.levels:
            inputs, outputs = config.edit_channels(level + 1), config.edit_channels(level)
            self.add_module(f"res{level}", Residuals(inputs, config))
            self.add_module(f"up{level}", Convolution(inputs, outputs))
            self.add_module(f"jump{level}", Convolution(outputs, outputs))
        self.final = LastConvolution(config.edit_channels(0))

    def forward(self, maps: list[Tensor], z: Tensor) -> Tensor:
        """Take the encoder's maps and (B, width); return (B, 3, H, W)."""
        x = maps[-1]
        for level in self.levels:
            x = getattr(self, f"res{level}")(x, z)
            doubled = functional.interpolate(x, scale_factor=2.0, mode="nearest")
            x = getattr(self, f"up{level}")(doubled) + getattr(self, f"jump{level}")(maps[level])
        return self.final(x)


class EditingNetwork(nn.Module):  # type: ignore[misc]
    """Mends what a flow cannot show: an opened mouth, what was hidden."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.encoder = EditEncoder(config)
        self.decoder = EditDecoder(config)

    def forward(self, source: Tensor, moved: Tensor, z: Tensor) -> Tensor:
        """Take two (B, 3, H, W) and (B, width); return the (B, 3, H, W) frame."""
        return self.decoder(self.encoder(torch.cat((source, moved), 1)), z)
