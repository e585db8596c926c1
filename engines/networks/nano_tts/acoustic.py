"""Tokens → prosody → mel: an encoder, a flow that draws prosody, a decoder of frames.

Prosody is drawn, not predicted: the mean of all ways to say a sentence is a flat melody. The flow
(conditional flow matching: Lipman et al. 2023, arXiv 2210.02747) goes from noise to durations,
pitch and energy of all tokens together in a few steps.
"""

from dataclasses import replace

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.nano_tts.contour import FRAME_NUMBERS, PROSODY
from rt_avatar.engines.nano_tts.tokens import MARKS, PHRASE_NUMBERS, PLACES, SYMBOLS
from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.styletts2.vocos import VocosLayer
from rt_avatar.engines.styletts2.spectrum import MELS

_TIME_SIZE = 16


class ConvNeXtStack(nn.Module):  # type: ignore[misc]
    """ConvNeXt layers with a norm steered by a style: (B, T, C) → (B, T, C)."""

    def __init__(self, config: NanoTtsConfig, layers: int, style: int) -> None:
        super().__init__()
        sizes = replace(
            config.generator,
            channels=config.channels,
            layers=layers,
            intermediate=config.intermediate,
            kernel=config.kernel,
        )
        self.radius = config.kernel // 2
        self.layers = nn.ModuleList(VocosLayer(sizes, style) for _ in range(layers))
        self.norm = nn.LayerNorm(config.channels)

    def forward(self, x: Tensor, style: Tensor, mask: Tensor) -> Tensor:
        """Return x's shape. ``mask`` (B, T) is 0 beyond a sequence's end."""
        y = (x * mask[..., None]).transpose(1, 2)
        for layer in self.layers:
            y = layer(F.pad(y, (self.radius, self.radius)), style) * mask[:, None]
        normed: Tensor = self.norm(y.transpose(1, 2))
        return normed


class NanoAcoustic(nn.Module):  # type: ignore[misc]
    """The three parts; each is a graph of its own when exported."""

    def __init__(self, config: NanoTtsConfig) -> None:
        super().__init__()
        channels, size = config.channels, config.speaker_size
        self.speakers = nn.Embedding(config.speakers, size)
        self.symbol = nn.Embedding(SYMBOLS, channels)
        self.place = nn.Embedding(PLACES, channels)
        self.mark = nn.Embedding(len(MARKS), channels)
        self.phrase = nn.Linear(PHRASE_NUMBERS, channels)
        self.encoder = ConvNeXtStack(config, config.encoder_layers, size)
        self.flow_in = nn.Linear(channels + PROSODY, channels)
        self.time = nn.Sequential(nn.Linear(_TIME_SIZE, 64), nn.GELU(), nn.Linear(64, size))
        self.flow = ConvNeXtStack(config, config.flow_layers, 2 * size)
        self.flow_out = nn.Linear(channels, PROSODY)
        self.decoder_in = nn.Linear(channels + FRAME_NUMBERS, channels)
        self.decoder = ConvNeXtStack(config, config.decoder_layers, size)
        self.decoder_out = nn.Linear(channels, MELS + 1)

    def encode(
        self,
        symbol: Tensor,
        place: Tensor,
        mark: Tensor,
        phrase: Tensor,
        style: Tensor,
        mask: Tensor,
    ) -> Tensor:
        """Return (B, N, C) of tokens (B, N), ``phrase`` (B, N, 2), style (B, S)."""
        encoded: Tensor = self.encoder(self.content(symbol, place, mark, phrase), style, mask)
        return encoded

    def content(self, symbol: Tensor, place: Tensor, mark: Tensor, phrase: Tensor) -> Tensor:
        """Return what is said, whoever says it: (B, N, C) of the same tokens."""
        x: Tensor = self.symbol(symbol) + self.place(place) + self.mark(mark) + self.phrase(phrase)
        return x

    def velocity(
        self, noisy: Tensor, time: Tensor, encoded: Tensor, style: Tensor, mask: Tensor
    ) -> Tensor:
        """Return where prosody (B, N, PROSODY) at time (B,) 0..1 is going, of the same shape."""
        octaves = 2.0 ** torch.arange(_TIME_SIZE // 2, dtype=time.dtype)
        angle = time[:, None] * octaves
        encoded_time = self.time(torch.cat([angle.sin(), angle.cos()], dim=1))
        x = self.flow_in(torch.cat([encoded, noisy], dim=2))
        moved: Tensor = self.flow_out(self.flow(x, torch.cat([style, encoded_time], dim=1), mask))
        return moved

    def decode(self, encoded: Tensor, numbers: Tensor, style: Tensor, mask: Tensor) -> Tensor:
        """Return mel and logit of voice (B, T, 81) of frames: encoded tokens, FRAME_NUMBERS."""
        x = self.decoder_in(torch.cat([encoded, numbers], dim=2))
        out: Tensor = self.decoder_out(self.decoder(x, style, mask))
        return out
