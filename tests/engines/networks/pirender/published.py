"""PIRenderer once more, by its description and from the names of the weights alone.

Kept as plain as can be: every layer is written out where it stands, statistics are sums.
"""

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional


class Published:
    """The network of a state: portrait (1, 3, S, S) and window (1, 73, 27) → flow, moved, frame."""

    def __init__(self, state: Mapping[str, Tensor]) -> None:
        self.state = state

    def __call__(self, source: Tensor, window: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        z = self.descriptor(window)
        flow = self.flow(source, z)
        moved = warped(source, flow)
        return flow, moved, self.edited(source, moved, z)

    def descriptor(self, window: Tensor) -> Tensor:
        """73 → 256 over 27 frames: 21, 15, 9, 3 places, and their mean."""
        x = functional.conv1d(window, *self.of("mapping_net.first.0"))
        for number in range(3):
            weights = self.of(f"mapping_net.encoder{number}.1")
            x = functional.conv1d(leaky(x), *weights, dilation=3) + x[:, :, 3:-3]
        assert x.shape[2] == 3
        return x.mean(2)

    def flow(self, source: Tensor, z: Tensor) -> Tensor:
        net = "warpping_net.hourglass"
        x = functional.conv2d(source, *self.of(f"{net}.encoder.input_layer"), padding=3)
        maps = []
        for number in range(5):
            name = f"{net}.encoder.encoder{number}"
            x = leaky(self.adain(f"{name}.norm_0", x, z))
            x = functional.conv2d(x, *self.of(f"{name}.conv_0"), stride=2, padding=1)
            x = leaky(self.adain(f"{name}.norm_1", x, z))
            x = functional.conv2d(x, *self.of(f"{name}.conv_1"), padding=1)
            maps.append(x)
        for number in (4, 3, 2):
            name = f"{net}.decoder.decoder{number}"
            main = leaky(self.adain(f"{name}.norm_0", x, z))
            main = functional.conv2d(main, *self.of(f"{name}.conv_0"), padding=1)
            main = self.doubled(f"{name}.conv_1", leaky(self.adain(f"{name}.norm_1", main, z)))
            shortcut = self.doubled(f"{name}.conv_s", leaky(self.adain(f"{name}.norm_s", x, z)))
            x = torch.cat((main + shortcut, maps[number - 1]), 1)
        x = leaky(self.layer_norm("warpping_net.flow_out.0", x))
        return functional.conv2d(x, *self.of("warpping_net.flow_out.2"), padding=3)

    def edited(self, source: Tensor, moved: Tensor, z: Tensor) -> Tensor:
        net = "editing_net"
        x = self.block(f"{net}.encoder.first", torch.cat((source, moved), 1), padding=3)
        skips = []
        for number in range(3):
            skips.append(x)
            x = functional.avg_pool2d(self.block(f"{net}.encoder.down{number}", x), 2)
        for number in (2, 1, 0):
            for block in (f"{net}.decoder.res{number}.res{count}" for count in range(2)):
                residual = functional.conv2d(x, *self.of(f"{block}.conv2"), padding=1)
                x = x + self.adain(f"{block}.norm2", residual, z)
            doubled = x.repeat_interleave(2, 2).repeat_interleave(2, 3)
            x = self.block(f"{net}.decoder.up{number}", doubled)
            x = x + self.block(f"{net}.decoder.jump{number}", skips[number])
        last = functional.conv2d(x, *self.of(f"{net}.decoder.final.model.0"), padding=3)
        return last.tanh()

    def of(self, name: str) -> tuple[Tensor, Tensor]:
        return self.state[f"{name}.weight"], self.state[f"{name}.bias"]

    def adain(self, name: str, x: Tensor, z: Tensor) -> Tensor:
        hidden = functional.linear(z, *self.of(f"{name}.mlp_shared.0")).relu()
        gain = functional.linear(hidden, *self.of(f"{name}.mlp_gamma"))[..., None, None]
        shift = functional.linear(hidden, *self.of(f"{name}.mlp_beta"))[..., None, None]
        return normal(x, (2, 3)) * (1 + gain) + shift

    def layer_norm(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self.of(name)
        return normal(x, (1, 2, 3)) * weight + bias

    def block(self, name: str, x: Tensor, padding: int = 1) -> Tensor:
        x = functional.conv2d(x, *self.of(f"{name}.model.0"), padding=padding)
        return leaky(self.layer_norm(f"{name}.model.1", x))

    def doubled(self, name: str, x: Tensor) -> Tensor:
        return functional.conv_transpose2d(x, *self.of(name), stride=2, padding=1, output_padding=1)


def leaky(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, 0.1 * x)


def normal(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Zero mean, unit variance (biased), 1e-5 added to it."""
    x = x - x.mean(axes, keepdim=True)
    return x / (x.square().mean(axes, keepdim=True) + 1e-5).sqrt()


def warped(source: Tensor, flow: Tensor) -> Tensor:
    """From corner to corner, enlarged and sampled from edge to edge."""
    side = flow.shape[-1]
    line = torch.tensor([2 * i / (side - 1) - 1 for i in range(side)])
    grid = torch.stack((line.expand(side, side), line[:, None].expand(side, side)))
    grid = grid[None] + 2 * flow / (side - 1)
    size = (source.shape[2], source.shape[3])
    grid = functional.interpolate(grid, size, mode="bilinear", align_corners=False)
    return functional.grid_sample(
        source, grid.permute(0, 2, 3, 1), "bilinear", "zeros", align_corners=False
    )
