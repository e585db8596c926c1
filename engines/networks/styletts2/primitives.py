"""Layers that several parts share: adaptive norms, residual blocks, Snake.

Facts of the checkpoints that a rewrite gets wrong easily:

* A style's linear map gives the factors' part first, the offsets second; the factor is 1 + gamma.
* Instance norm uses the biased variance and eps 1e-5. Mean and variance are written out: exporters
  lose the channels of ``InstanceNorm1d(affine=False)``, and only so can they be given.
* In an upsampling block the shortcut is repeated *before* its 1x1 convolution, and the sum is
  divided by the square root of 2.

All weights are plain; weight norm is folded when a checkpoint is loaded.
"""

import math
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.networks.styletts2.config import Norm

EPS: Final = 1e-5
HALF_SQRT: Final = 1.0 / math.sqrt(2.0)


class Moments:
    """Where the instance norms of one pass take mean and variance from; one object a pass.

    The norms of a part are met in a fixed order, so that their statistics lie one behind the
    other in a single tensor.

    Args:
        given: (B, 2, K) means and variances of all channels of all norms, or None for each
            norm's own.
        momentum: (B, 1) share of a norm's own statistics; the rest is the given ones', pooled as
            two sets of frames are. 0 is exactly what is given, whatever the window holds.
    """

    def __init__(self, given: Tensor | None = None, momentum: Tensor | None = None) -> None:
        self._given = given
        self._momentum = momentum
        self._used: list[Tensor] = []
        self._at = 0

    def of(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and variance, (B, C, 1) each, for the norm that is at its turn."""
        first, self._at = self._at, self._at + x.shape[1]
        if self._given is not None:
            mean = self._given[:, 0, first : self._at, None]
            var = self._given[:, 1, first : self._at, None]
            if self._momentum is not None:
                share = self._momentum[:, :, None]
                own_mean, own_var = moments(x)
                apart = own_mean - mean
                var = var + share * (own_var - var + (1.0 - share) * apart * apart)
                mean = mean + share * apart
        else:
            mean, var = moments(x)
        self._used.append(torch.cat([mean, var], dim=2).transpose(1, 2))
        return mean, var

    def used(self) -> Tensor:
        """Return the statistics that were used, (B, 2, K), after the pass."""
        return torch.cat(self._used, dim=2)


def moments(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean and biased variance over time, (B, C, 1) each, of x (B, C, T)."""
    mean = x.mean(dim=2, keepdim=True)
    apart = x - mean
    return mean, (apart * apart).mean(dim=2, keepdim=True)


class AdaIN1d(nn.Module):  # type: ignore[misc]
    """Instance norm over time, scaled and shifted by a style: x (B, C, T), style (B, S)."""

    def __init__(self, channels: int, style: int) -> None:
        super().__init__()
        self.channels = channels
        self.fc = nn.Linear(style, 2 * channels)

    def forward(self, x: Tensor, style: Tensor, moments: Moments) -> Tensor:
        """Return (B, C, T)."""
        gamma, beta = self.fc(style)[:, :, None].split(self.channels, dim=1)
        mean, var = moments.of(x)
        return (x - mean) * ((1.0 + gamma) * torch.rsqrt(var + EPS)) + beta


class AdaLayerNorm(nn.Module):  # type: ignore[misc]
    """Layer norm over the channels of each frame, scaled and shifted by a style.

    Args:
        channels: C.
        style: Size of the style.
        dim: Where the channels are: 1 for (B, C, T), 2 for (B, T, C).
    """

    def __init__(self, channels: int, style: int, dim: int = 2) -> None:
        super().__init__()
        self.channels = channels
        self.dim = dim
        self.fc = nn.Linear(style, 2 * channels)

    def forward(self, x: Tensor, style: Tensor, moments: Moments | None = None) -> Tensor:
        """Return x's shape; statistics over time play no part, ``moments`` is left alone."""
        gamma, beta = self.fc(style).unsqueeze(3 - self.dim).split(self.channels, dim=self.dim)
        if self.dim == 2:
            return F.layer_norm(x, (self.channels,), eps=EPS) * (1.0 + gamma) + beta
        return over_channels(x) * (1.0 + gamma) + beta


class ChannelLayerNorm(nn.Module):  # type: ignore[misc]
    """Layer norm over channels with its own factors: (B, C, T) → (B, C, T)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, C, T)."""
        return over_channels(x) * self.gamma[:, None] + self.beta[:, None]


def over_channels(x: Tensor) -> Tensor:
    """Return x (B, C, T) with each frame's channels normalised, without factors."""
    apart = x - x.mean(dim=1, keepdim=True)
    return apart * torch.rsqrt((apart * apart).mean(dim=1, keepdim=True) + EPS)


def style_norm(channels: int, style: int, norm: Norm) -> nn.Module:
    """Return the adaptive norm of blocks (B, C, T): over time, or over each frame's channels."""
    return AdaIN1d(channels, style) if norm == "time" else AdaLayerNorm(channels, style, dim=1)


class AdainResBlk1d(nn.Module):  # type: ignore[misc]
    """Residual block of prosody and trunk: (B, Cin, T) → (B, Cout, T), or 2 T when it upsamples."""

    def __init__(
        self, inputs: int, outputs: int, style: int, *, upsample: bool = False, norm: Norm = "time"
    ) -> None:
        super().__init__()
        self.upsample = upsample
        self.conv1 = nn.Conv1d(inputs, outputs, 3, padding=1)
        self.conv2 = nn.Conv1d(outputs, outputs, 3, padding=1)
        self.norm1 = style_norm(inputs, style, norm)
        self.norm2 = style_norm(outputs, style, norm)
        if upsample:
            self.pool = nn.ConvTranspose1d(
                inputs, inputs, 3, stride=2, padding=1, output_padding=1, groups=inputs
            )
        if inputs != outputs:
            self.conv1x1 = nn.Conv1d(inputs, outputs, 1, bias=False)

    def forward(self, x: Tensor, style: Tensor, moments: Moments) -> Tensor:
        """Return the block's output."""
        y = F.leaky_relu(self.norm1(x, style, moments), 0.2)
        if self.upsample:
            y = self.pool(y)
        y = self.conv1(y)
        y = self.conv2(F.leaky_relu(self.norm2(y, style, moments), 0.2))
        if self.upsample:
            x = repeat_frames(x)
        if hasattr(self, "conv1x1"):
            x = self.conv1x1(x)
        return (x + y) * HALF_SQRT


def repeat_frames(x: Tensor) -> Tensor:
    """Return every frame twice, (B, C, T) → (B, C, 2 T): nearest-neighbour upsampling."""
    return torch.stack([x, x], dim=3).flatten(2)


def snake(x: Tensor, alpha: Tensor) -> Tensor:
    """Return x + sin²(alpha x) / alpha; alpha is (1, C, 1)."""
    wave = torch.sin(alpha * x)
    return x + wave * wave * alpha.reciprocal()


class SnakeResBlock(nn.Module):  # type: ignore[misc]
    """Residual block of the generators: three times norm, Snake, dilated convolution, and again."""

    def __init__(self, channels: int, kernel: int, dilations: tuple[int, ...], style: int) -> None:
        super().__init__()

        def conv(dilation: int) -> nn.Conv1d:
            padding = (kernel - 1) * dilation // 2
            return nn.Conv1d(channels, channels, kernel, dilation=dilation, padding=padding)

        def alphas() -> nn.ParameterList:
            return nn.ParameterList([torch.ones(1, channels, 1) for _ in dilations])

        self.convs1 = nn.ModuleList([conv(dilation) for dilation in dilations])
        self.convs2 = nn.ModuleList([conv(1) for _ in dilations])
        self.adain1 = nn.ModuleList([AdaIN1d(channels, style) for _ in dilations])
        self.adain2 = nn.ModuleList([AdaIN1d(channels, style) for _ in dilations])
        self.alpha1 = alphas()
        self.alpha2 = alphas()

    def forward(self, x: Tensor, style: Tensor, moments: Moments) -> Tensor:
        """Return (B, C, T)."""
        for j in range(len(self.convs1)):
            y = snake(self.adain1[j](x, style, moments), self.alpha1[j])
            y = self.convs1[j](y)
            y = snake(self.adain2[j](y, style, moments), self.alpha2[j])
            x = x + self.convs2[j](y)
        return x


class BiLstm(nn.LSTM):  # type: ignore[misc]
    """One bidirectional layer, (B, T, Cin) → (B, T, Cout), without packing.

    Packed sequences make graphs that are right at the traced length and silently wrong at any
    other. One sentence without padding needs none, to the bit. For padded batches (training only)
    pass the lengths: the backward direction must begin at each sentence's own end.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs // 2, batch_first=True, bidirectional=True)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return (B, T, Cout), 0 where ``mask`` (B, T) is 0."""
        if mask is None:
            return super().forward(x)[0]
        lengths = mask.sum(dim=1).to(torch.int64).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(
            x, lengths, batch_first=True, enforce_sorted=False
        )
        return nn.utils.rnn.pad_packed_sequence(
            super().forward(packed)[0], batch_first=True, total_length=x.shape[1]
        )[0]
