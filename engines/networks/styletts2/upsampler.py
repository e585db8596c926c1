"""iSTFTNet and HiFi-GAN with a harmonic source: frames of the trunk → sound, 300 samples a frame.

Both upsample in stages and add the source to each. They differ in small ways that all matter:

* iSTFTNet: leaky ReLU of 0.1 in the stages but of 0.01 before the last convolution; one frame
  reflected on the *left* after the last stage (it has a frame more than the hop counts); the
  source comes as a spectrum; magnitude is an exponential, phase a sine; no tanh at the end.
* HiFi-GAN: Snake with an ``alpha`` before every stage and the last convolution; the source comes
  as sound; tanh at the end.

The source is an input (``engines.styletts2.source``). In the graph, its growing phase would make
4 to 11 % of error after export and not-a-number in fp16. The weights of its mix, ``m_source``,
belong to the checkpoint and are read by ``source_mix``. A window needs a margin
(``engines.styletts2.speaker.MARGIN_FRAMES``), and its norms need statistics: see ``Moments``.
"""

import math
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from rt_avatar.engines.networks.styletts2.config import UpsamplerConfig
from rt_avatar.engines.networks.styletts2.istft import InverseStft
from rt_avatar.engines.networks.styletts2.primitives import Moments, SnakeResBlock, snake
from rt_avatar.engines.styletts2.recipe import SourceRecipe

_SOURCE_KERNEL: Final = 7  # of the source's residual block, in all stages but the last
_LAST_SOURCE_KERNEL: Final = 11


def up_convolution(config: UpsamplerConfig, stage: int) -> tuple[int, int, int, int]:
    """Return kernel, stride, padding and output padding of a stage's transposed convolution."""
    rate = config.rates[stage]
    return config.kernels[stage], rate, rate // 2 + rate % 2, rate % 2


def source_convolution(config: UpsamplerConfig, stage: int) -> tuple[int, int, int]:
    """Return kernel, stride and padding that bring the source to the rate of a stage."""
    stride = math.prod(config.rates[stage + 1 :])
    return (1, 1, 0) if stride == 1 else (2 * stride, stride, (stride + 1) // 2)


def source_kernel(config: UpsamplerConfig, stage: int) -> int:
    """Return the kernel of the residual block on a stage's source."""
    return _LAST_SOURCE_KERNEL if stage + 1 == len(config.rates) else _SOURCE_KERNEL


class Upsampler(nn.Module):  # type: ignore[misc]
    """What both generators share: stages, residual blocks, the source's way into each stage."""

    def __init__(self, config: UpsamplerConfig, style: int, source: SourceRecipe) -> None:
        super().__init__()
        self.config = config
        self.m_source = nn.Module()
        self.m_source.l_linear = nn.Linear(source.harmonics, 1)
        self.ups, self.resblocks = nn.ModuleList(), nn.ModuleList()
        self.noise_convs, self.noise_res = nn.ModuleList(), nn.ModuleList()
        inputs = config.channels
        for stage, channels in enumerate(config.stage_channels):
            kernel, rate, padding, extra = up_convolution(config, stage)
            self.ups.append(nn.ConvTranspose1d(inputs, channels, kernel, rate, padding, extra))
            self.noise_convs.append(
                nn.Conv1d(config.source_channels, channels, *source_convolution(config, stage))
            )
            width = source_kernel(config, stage)
            self.noise_res.append(SnakeResBlock(channels, width, config.dilations, style))
            self.resblocks.extend(
                SnakeResBlock(channels, width, config.dilations, style)
                for width in config.block_kernels
            )
            inputs = channels

    def window(
        self, x: Tensor, style: Tensor, source: Tensor, moments: Tensor, momentum: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the sound of a window and the statistics that its norms used.

        Args:
            x: (B, C, n) of the trunk.
            style: (B, S) acoustic half.
            source: (B, H, m) of the window.
            moments: (B, 2, K) statistics from outside.
            momentum: (B, 1) share of the window's own: 0 none, 1 nothing else.

        Returns:
            (B, 1, 300 n) and (B, 2, K).
        """
        used = Moments(moments, momentum)
        return self(x, style, source, used), used.used()

    def whole(self, x: Tensor, style: Tensor, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the sound of a whole sentence and its statistics, as ``window`` does."""
        used = Moments()
        return self(x, style, source, used), used.used()

    def _source(self, stage: int, source: Tensor, style: Tensor, moments: Moments) -> Tensor:
        return self.noise_res[stage](self.noise_convs[stage](source), style, moments)

    def _blocks(self, stage: int, x: Tensor, style: Tensor, moments: Moments) -> Tensor:
        count = len(self.config.block_kernels)
        blocks = self.resblocks[stage * count : (stage + 1) * count]
        parts = [block(x, style, moments) for block in blocks]
        return sum(parts[1:], parts[0]) * (1.0 / count)


class IstftNet(Upsampler):
    """The generator of LJSpeech and Kokoro; its source is the spectrum, (B, 22, 60 n + 1)."""

    def __init__(self, config: UpsamplerConfig, style: int, source: SourceRecipe) -> None:
        super().__init__(config, style, source)
        self.conv_post = nn.Conv1d(config.stage_channels[-1], config.fft + 2, 7, padding=3)
        self.inverse = InverseStft(config.fft, config.hop)

    def forward(self, x: Tensor, style: Tensor, source: Tensor, moments: Moments) -> Tensor:
        """Return (B, 1, 300 n)."""
        for stage in range(len(self.ups)):
            added = self._source(stage, source, style, moments)
            x = self.ups[stage](F.leaky_relu(x, 0.1))
            if stage + 1 == len(self.ups):
                x = torch.cat([x[:, :, 1:2], x], dim=2)  # reflected on the left, by one
            x = self._blocks(stage, x + added, style, moments)
        x = self.conv_post(F.leaky_relu(x, 0.01))
        log_magnitude, phase = x.split(self.config.fft // 2 + 1, dim=1)
        magnitude, angle = log_magnitude.exp(), phase.sin()
        return self.inverse(magnitude * angle.cos(), magnitude * angle.sin())


class HifiGan(Upsampler):
    """The generator of LibriTTS; its source is the sound, (B, 1, 300 n)."""

    def __init__(self, config: UpsamplerConfig, style: int, source: SourceRecipe) -> None:
        super().__init__(config, style, source)
        sizes = (config.channels, *config.stage_channels)
        self.alphas = nn.ParameterList([torch.ones(1, size, 1) for size in sizes])
        self.conv_post = nn.Conv1d(sizes[-1], 1, 7, padding=3)

    def forward(self, x: Tensor, style: Tensor, source: Tensor, moments: Moments) -> Tensor:
        """Return (B, 1, 300 n)."""
        for stage in range(len(self.ups)):
            added = self._source(stage, source, style, moments)
            x = self.ups[stage](snake(x, self.alphas[stage])) + added
            x = self._blocks(stage, x, style, moments)
        return torch.tanh(self.conv_post(snake(x, self.alphas[-1])))


def source_mix(generator: Upsampler) -> tuple[NDArray[np.float32], float]:
    """Return the weights (harmonics,) and the bias of the source's mix, for ``HarmonicSource``."""
    mix = generator.m_source.l_linear
    return mix.weight.detach().cpu().numpy().reshape(-1), float(mix.bias.item())


def moment_channels(config: UpsamplerConfig) -> int:
    """Return K, the channels of all instance norms: 9,216 of iSTFTNet, 11,520 of HiFi-GAN."""
    norms = 2 * len(config.dilations) * (len(config.block_kernels) + 1)
    return norms * sum(config.stage_channels)
