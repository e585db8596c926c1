"""PIRenderer with all left out that a frame need not compute: same picture, 30 % fewer products.

1. What depends on the portrait alone is computed once a portrait (``PortraitFold``): the warping
   network's first convolution, normalised, and the portrait's half of the editing network's.
2. The small networks that set the norms' gains are stacked: two products instead of 75.
3. Enlarging to the nearest and convolving 3 x 3 is convolving 2 x 2, four times, at the small size.
4. The grid that a flow is added to is a constant at the picture's size.
5. Dead weights are gone.

Not for training: the weights are products of the plain ones, made once in float64.
"""

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.constants import constant
from rt_avatar.engines.networks.pirender.blocks import SLOPE, AdaIN
from rt_avatar.engines.networks.pirender.editing import Convolution, EditDecoder, Residual
from rt_avatar.engines.networks.pirender.generator import FaceGenerator
from rt_avatar.engines.networks.pirender.warping import (
    Down,
    Up,
    WarpDecoder,
    WarpEncoder,
    base_grid,
    relative,
    sample_at,
)

Gains = Iterator[tuple[Tensor, Tensor]]  # gain and shift of the next norm, (B, C, 1, 1) each


def convolution(weight: Tensor, bias: Tensor | None, padding: int) -> nn.Conv2d:
    """Make a convolution of products of weights: (O, I, k, k) and (O,)."""
    outputs, inputs, size, _ = weight.shape
    layer = nn.Conv2d(inputs, outputs, size, padding=padding, bias=bias is not None)
    layer.weight = constant(weight)
    if bias is not None:
        layer.bias = constant(bias)
    return layer


def steered(normalised: Tensor, gains: Gains) -> Tensor:
    """Give (B, C, H, W) of unit variance the next gain and shift, and activate it."""
    gain, shift = next(gains)
    return functional.leaky_relu(normalised * gain + shift, SLOPE)


class Modulation(nn.Module):  # type: ignore[misc]
    """All norms' gains and shifts of a descriptor, by one product and one batch of products."""

    def __init__(self, norms: list[AdaIN]) -> None:
        super().__init__()
        self.channels = [norm.mlp_gamma.out_features for norm in norms]
        widest = max(self.channels)
        self.shared = constant(torch.cat([norm.mlp_shared[0].weight for norm in norms]).T)
        self.shared_bias = constant(torch.cat([norm.mlp_shared[0].bias for norm in norms]))
        hidden = norms[0].mlp_gamma.in_features
        weight = torch.zeros(len(norms), hidden, 2, widest, dtype=torch.float64)
        bias = torch.zeros(len(norms), 1, 2, widest, dtype=torch.float64)
        for row, norm in enumerate(norms):
            for column, mlp in enumerate((norm.mlp_gamma, norm.mlp_beta)):
                weight[row, :, column, : mlp.out_features] = mlp.weight.detach().T
                bias[row, 0, column, : mlp.out_features] = mlp.bias.detach()
            bias[row, 0, 0] += 1  # a gain of 0 means 1
        self.weight, self.bias = constant(weight.flatten(2)), constant(bias.flatten(2))
        # Where the gains, then the shifts, of each norm lie in a row of (norms, 2, widest).
        self.sizes = [channels for channels in self.channels for _ in ("gain", "shift")]
        places = [torch.arange(size) + widest * half for half, size in enumerate(self.sizes)]
        self.register_buffer("places", torch.cat(places))

    def forward(self, z: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Map (B, width) to the gains and shifts, (B, C, 1, 1) each, in the norms' order."""
        hidden = (z @ self.shared + self.shared_bias).relu()  # (B, norms * hidden)
        hidden = hidden.unflatten(1, (len(self.channels), -1)).transpose(0, 1)
        outputs = (hidden @ self.weight + self.bias).transpose(0, 1).flatten(1)
        outputs = outputs.index_select(1, self.places)[..., None, None]
        parts = outputs.split(self.sizes, 1)
        return list(zip(parts[::2], parts[1::2], strict=True))


class PhaseConvolution(nn.Module):  # type: ignore[misc]
    """Enlarge to the nearest, then convolve 3 x 3; computed at the small size.

    A doubled row ``2 i`` sees the rows i-1, i, i of the small map, row ``2 i + 1`` sees i, i, i+1:
    two taps each, of which one is the sum of two. Four phases, 4/9 of the products.
    """

    def __init__(self, plain: nn.Conv2d) -> None:
        super().__init__()
        kernel = plain.weight.double()  # (O, I, 3, 3)
        first, middle, last = kernel.unbind(2)
        rows = (torch.stack((first, middle + last), 2), torch.stack((first + middle, last), 2))
        phases = []
        for row in rows:
            left, centre, right = row.unbind(3)
            phases.append(torch.stack((left, centre + right), 3))
            phases.append(torch.stack((left + centre, right), 3))
        self.outputs = plain.out_channels
        # (4 O, I, 2, 2), phase by phase
        self.phases = convolution(torch.cat(phases), plain.bias.repeat(4), padding=1)

    def forward(self, x: Tensor) -> Tensor:
        """Map (B, I, H, W) to (B, O, 2 H, 2 W)."""
        height, width = x.shape[-2:]
        maps = self.phases(x)  # (B, 4 O, H + 1, W + 1)
        phases = [
            phase[..., row : row + height, column : column + width]
            for phase, (row, column) in zip(
                maps.split(self.outputs, 1), ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True
            )
        ]
        # (B, O, 4, H, W) → the order of channels that a shuffle of pixels expects
        return functional.pixel_shuffle(torch.stack(phases, 2).flatten(1, 2), 2)


class FoldedDown(nn.Module):  # type: ignore[misc]
    """``Down``, its first norm's statistics taken already."""

    def __init__(self, plain: Down) -> None:
        super().__init__()
        self.norms = [plain.norm_0, plain.norm_1]
        self.conv_0, self.conv_1 = plain.conv_0, plain.conv_1

    def forward(self, normalised: Tensor, gains: Gains) -> Tensor:
        """Take (B, inputs, H, W) of unit variance; return (B, outputs, H / 2, W / 2)."""
        x = self.conv_0(steered(normalised, gains))
        return self.conv_1(steered(functional.instance_norm(x), gains))


class FoldedUp(nn.Module):  # type: ignore[misc]
    """``Up``; both paths share one normalised input."""

    def __init__(self, plain: Up) -> None:
        super().__init__()
        self.norms = [plain.norm_0, plain.norm_1, plain.norm_s]
        self.conv_0, self.conv_1, self.conv_s = plain.conv_0, plain.conv_1, plain.conv_s

    def forward(self, x: Tensor, gains: Gains) -> Tensor:
        """Take (B, inputs, H, W); return (B, outputs, 2 H, 2 W)."""
        normalised = functional.instance_norm(x)
        main = self.conv_0(steered(normalised, gains))
        main = self.conv_1(steered(functional.instance_norm(main), gains))
        return main + self.conv_s(steered(normalised, gains))


class FoldedWarping(nn.Module):  # type: ignore[misc]
    """The flow's hourglass, from the portrait's first map on."""

    def __init__(self, encoder: WarpEncoder, decoder: WarpDecoder, flow_out: nn.Sequential) -> None:
        super().__init__()
        self.downs = nn.ModuleList(
            FoldedDown(getattr(encoder, f"encoder{level}")) for level in range(encoder.count)
        )
        self.ups = nn.ModuleList(
            FoldedUp(getattr(decoder, f"decoder{level}")) for level in decoder.levels
        )
        self.levels = decoder.levels
        self.flow_out = flow_out
        self.norms = [norm for part in (*self.downs, *self.ups) for norm in part.norms]

    def forward(self, normalised: Tensor, gains: Gains) -> Tensor:
        """Take the (B, C, H, W) first map; return the (B, 2, h, w) flow."""
        maps: list[Tensor] = []
        for number, down in enumerate(self.downs):
            x = down(functional.instance_norm(maps[-1]) if number else normalised, gains)
            maps.append(x)
        for level, up in zip(self.levels, self.ups, strict=True):
            x = torch.cat((up(x, gains), maps[level - 1]), 1)
        return self.flow_out(x)


class FoldedEditing(nn.Module):  # type: ignore[misc]
    """The editing network from its first convolution's sum on."""

    def __init__(self, first: Convolution, downs: list[Convolution], decoder: EditDecoder) -> None:
        super().__init__()
        self.first = first.model[1:]  # norm and activation
        self.downs = nn.ModuleList(downs)
        self.residuals, self.ups, self.jumps = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        self.norms: list[AdaIN] = []
        for level in decoder.levels:
            blocks: list[Residual] = list(getattr(decoder, f"res{level}").children())
            self.residuals.append(nn.ModuleList(block.conv2 for block in blocks))
            self.norms += [block.norm2 for block in blocks]
            up = getattr(decoder, f"up{level}").model
            self.ups.append(nn.Sequential(PhaseConvolution(up[0]), *up[1:]))
            self.jumps.append(getattr(decoder, f"jump{level}"))
        self.final = decoder.final

    def forward(self, summed: Tensor, gains: Gains) -> Tensor:
        """Take the (B, C, H, W) first convolution; return the (B, 3, H, W) frame."""
        maps = [self.first(summed)]
        for down in self.downs:
            maps.append(functional.avg_pool2d(down(maps[-1]), 2))
        x = maps.pop()
        for residuals, up, jump in zip(self.residuals, self.ups, self.jumps, strict=True):
            for convolution in residuals:
                gain, shift = next(gains)
                x = x + functional.instance_norm(convolution(x)) * gain + shift
            x = up(x) + jump(maps.pop())
        return self.final(x)


class PortraitFold(nn.Module):  # type: ignore[misc]
    """What the portrait alone decides, once a portrait."""

    def __init__(self, plain: FaceGenerator) -> None:
        super().__init__()
        first = plain.editing_net.encoder.first.model[0]
        self.warp_first = plain.warpping_net.hourglass.encoder.input_layer
        self.edit_first = convolution(first.weight[:, :3], first.bias, first.padding[0])

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Fold portraits.

        Args:
            source: (B, 3, H, W) in -1..1.

        Returns:
            (B, warp_width, H, W) of unit variance and (B, edit_width, H, W).
        """
        return functional.instance_norm(self.warp_first(source)), self.edit_first(source)


class FoldedGenerator(nn.Module):  # type: ignore[misc]
    """Frames of a folded portrait.

    Args:
        plain: The network, loaded or trained.
        size: Of the picture: what its halvings leave two pixels or more of, which a norm needs.

    Raises:
        ValueError: The size cannot be halved so often.
    """

    def __init__(self, plain: FaceGenerator, size: int = 256) -> None:
        super().__init__()
        smallest = 1 << plain.config.warp_encoders
        if size % smallest or size < 2 * smallest:
            raise ValueError(
                f"pirender: expected a multiple of {smallest} pixels from {2 * smallest} on; "
                f"got {size}"
            )
        hourglass, editing = plain.warpping_net.hourglass, plain.editing_net
        self.mapping_net = plain.mapping_net
        self.warping = FoldedWarping(
            hourglass.encoder, hourglass.decoder, plain.warpping_net.flow_out
        )
        encoder = editing.encoder
        downs = [getattr(encoder, f"down{level}") for level in range(encoder.layers)]
        self.editing = FoldedEditing(encoder.first, downs, editing.decoder)
        first = encoder.first.model[0]
        self.edit_moved = convolution(first.weight[:, 3:], None, first.padding[0])
        self.modulation = Modulation(self.warping.norms + self.editing.norms)
        levels = plain.config.warp_encoders - plain.config.warp_decoders
        flow_size = size >> levels
        grid = functional.interpolate(
            base_grid(flow_size, flow_size), (size, size), mode="bilinear", align_corners=False
        )
        self.grid = constant(grid)

    def forward(self, source: Tensor, warp: Tensor, edit: Tensor, window: Tensor) -> Tensor:
        """Render frames.

        Args:
            source: (1, 3, size, size) the portrait of all frames, in -1..1; or (B, ...), one each.
            warp: (1, warp_width, size, size) from ``PortraitFold``; or (B, ...).
            edit: (1, edit_width, size, size) from ``PortraitFold``; or (B, ...).
            window: (B, 73, 27) motion around each frame.

        Returns:
            (B, 3, size, size) in -1..1.
        """
        gains = iter(self.modulation(self.mapping_net(window)))
        flow = relative(self.warping(warp, gains))
        enlarged = functional.interpolate(
            flow, self.grid.shape[-2:], mode="bilinear", align_corners=False
        )
        repeated = source.expand(window.shape[0], -1, -1, -1)
        moved = sample_at(repeated, self.grid + enlarged)
        return self.editing(edit + self.edit_moved(moved), gains)
