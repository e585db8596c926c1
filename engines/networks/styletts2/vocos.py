"""Nano's generator: frames of the trunk → sound, all layers at 80 frames a second (Vocos-like).

Where iSTFTNet spends its time on thousands of positions a second, this works on frames alone and
leaves the upsampling to one inverse transform of 1,200 samples: a tenth of the work at equal size.

It streams exactly. All norms are over the channels of one frame; every convolution keeps the
frames it needs next (``step``); the transform's window sum is the constant 1.5 of four overlapped
squared Hann windows, also at a sentence's ends, which fades the first and last 19 ms and makes no
sample depend on where it is cut. ``forward`` is the same function in one pass.

Harmonics are given, not learned: the head shapes the spectra of a pulse train and of white noise
(``PulseSpectra``), each bin of the pulses by a gain and a phase, each bin of the noise by a gain.
A network that must place harmonics by numbers learns it late: 400 steps on a synthetic voice gave
an unseen sentence at 2 dB over its error from F0 and phases as features; these spectra gave 7 dB
after 50 steps and 9.5 after 400 (96 channels, 4 layers, 12 sentences of 2 s).

Source: Siuzdak 2023 (arXiv 2306.00814) for the layers and the head.
"""

from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.networks.constants import table
from rt_avatar.engines.networks.styletts2.config import VocosConfig
from rt_avatar.engines.networks.styletts2.istft import inverse_basis
from rt_avatar.engines.networks.styletts2.primitives import AdaLayerNorm

WINDOW_SUM: Final = 1.5  # of squared periodic Hann windows, four of them over each sample
_MAX_LOG_GAIN: Final = 4.6  # ln 100, as in the source: untrained networks must not overflow
_FIRST_LOG_GAIN: Final = -3.0  # speech at a level of 0.05, of sources with unit power


class VocosLayer(nn.Module):  # type: ignore[misc]
    """Depthwise convolution, adaptive norm, two linear maps, scaled and added to the input."""

    def __init__(self, config: VocosConfig, style: int) -> None:
        super().__init__()
        channels = config.channels
        self.radius = config.kernel // 2
        self.dwconv = nn.Conv1d(channels, channels, config.kernel, groups=channels)
        self.norm = AdaLayerNorm(channels, style)
        self.pwconv1 = nn.Linear(channels, config.intermediate)
        self.pwconv2 = nn.Linear(config.intermediate, channels)
        self.gamma = nn.Parameter(torch.full((channels,), 1.0 / config.layers))

    def forward(self, x: Tensor, style: Tensor) -> Tensor:
        """Return (B, C, n) of x (B, C, n + 2 radius): the middle is what the result is added to."""
        y = self.norm(self.dwconv(x).transpose(1, 2), style)
        y = self.gamma * self.pwconv2(F.gelu(self.pwconv1(y)))
        return x[:, :, self.radius : -self.radius] + y.transpose(1, 2)


class VocosGenerator(nn.Module):  # type: ignore[misc]
    """Trunk (B, C, n), style (B, S), source (B, n, 4 bins) → sound (B, 300 n)."""

    def __init__(self, config: VocosConfig, style: int) -> None:
        super().__init__()
        if config.fft != 4 * config.hop:
            raise ValueError(f"vocos: expected fft = 4 hop, got {config.fft} and {config.hop}")
        self.config = config
        self.bins = config.fft // 2 + 1
        self.radius = config.kernel // 2
        self.embed = nn.Conv1d(config.inputs, config.channels, config.kernel)
        self.layers = nn.ModuleList(VocosLayer(config, style) for _ in range(config.layers))
        self.norm = AdaLayerNorm(config.channels, style)
        self.out = nn.Linear(config.channels, 3 * self.bins)
        with torch.no_grad():
            for gain in (self.out.bias[: self.bins], self.out.bias[2 * self.bins :]):
                gain.fill_(_FIRST_LOG_GAIN)
        basis = table(inverse_basis(config.fft) / WINDOW_SUM)
        self.register_buffer("basis", basis, persistent=False)

    def forward(self, x: Tensor, style: Tensor, source: Tensor) -> Tensor:
        """Return the sound of a whole sentence, (B, 300 n)."""
        pad = (self.radius, self.radius)
        y = self.embed(F.pad(x, pad))
        for layer in self.layers:
            y = layer(F.pad(y, pad), style)
        pieces = self._pieces(y, style, source)
        hop, overlap = self.config.hop, self.config.fft - self.config.hop
        sound = _overlap_add(F.pad(pieces, (0, 0, 3, 3)), hop)
        return sound[:, overlap // 2 : -(overlap // 2)]

    def step(
        self,
        x: Tensor,
        style: Tensor,
        source: Tensor,
        valid: Tensor,
        heard: Tensor,
        layers: Tensor,
        tail: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Take n frames, return as many of sound, late, and the state after them.

        Args:
            x: (B, C, n).
            style: (B, S).
            source: (B, n, 4 bins) of the frames that come out: a lag before those given.
            valid: (B, lag + n) 1 for frames of the sentence, from the lag before the first given.
            heard: (B, C, 2 radius) the last frames given.
            layers: (B, L, D, 2 radius) the last inputs of each layer.
            tail: (B, fft - hop) sound that later frames still add to.

        Returns:
            Sound (B, 300 n), late by the lag and by (fft - hop) / 2 samples; then the state.
        """
        count, context = x.shape[2], 2 * self.radius
        lag = self.radius * (self.config.layers + 1)
        given = torch.cat([heard, x], dim=2)
        heard = given[:, :, -context:]
        kept = []
        y = self.embed(given)
        for index, layer in enumerate(self.layers):
            # Beyond its ends a sentence is zero for every layer, as padding makes it in one pass.
            first = lag - self.radius * (index + 1)
            y = torch.cat([layers[:, index], y * valid[:, None, first : first + count]], dim=2)
            kept.append(y[:, :, -context:])
            y = layer(y, style)
        pieces = self._pieces(y, style, source) * valid[:, :count, None]
        hop = self.config.hop
        sound = _overlap_add(F.pad(pieces, (0, 0, 3, 3)), hop)
        sound = sound + F.pad(tail, (0, count * hop))
        return sound[:, : count * hop], heard, torch.stack(kept, dim=1), sound[:, count * hop :]

    def _pieces(self, y: Tensor, style: Tensor, source: Tensor) -> Tensor:
        """Return (B, n, fft): each frame's windowed piece of sound."""
        shaped = self.out(self.norm(y.transpose(1, 2), style))
        pulse_gain, phase, noise_gain = shaped.split(self.bins, dim=2)
        real, imaginary, noise_real, noise_imaginary = source.split(self.bins, dim=2)
        pulses, noise = (gain.clamp(max=_MAX_LOG_GAIN).exp() for gain in (pulse_gain, noise_gain))
        cos, sin = pulses * phase.cos(), pulses * phase.sin()
        spectrum = torch.cat(
            [
                real * cos - imaginary * sin + noise_real * noise,
                real * sin + imaginary * cos + noise_imaginary * noise,
            ],
            dim=2,
        )
        return self._inverse(spectrum)

    def _inverse(self, spectrum: Tensor) -> Tensor:
        """Return the windowed pieces (B, n, fft) of spectra (B, n, 2 bins)."""
        return spectrum @ self.basis


def _overlap_add(pieces: Tensor, hop: int) -> Tensor:
    """Add pieces (B, n + 6, 4 hop), three empty ones at each end: → (B, (n + 3) hop).

    Four slices and three sums instead of a transposed convolution with a basis of the same size.
    """
    quarters = pieces.unflatten(2, (4, hop))  # (B, n + 6, 4, hop)
    count = pieces.shape[1] - 3
    total = quarters[:, 3 : 3 + count, 0]
    for late in range(1, 4):
        total = total + quarters[:, 3 - late : 3 - late + count, late]
    return total.flatten(1)
