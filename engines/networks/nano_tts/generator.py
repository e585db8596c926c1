"""Mel and pitch → sound: the generator at frame rate, steered by who speaks."""

import math

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
from rt_avatar.engines.networks.styletts2.vocos import WINDOW_SUM, VocosGenerator

_PITCH_REFERENCE_HZ = 200.0


class NanoVocos(VocosGenerator):
    """The same function; its inverse transform costs less to train, and no bytes when exported."""

    def _inverse(self, spectrum: Tensor) -> Tensor:
        size, bins = self.config.fft, self.bins
        if torch.onnx.is_in_onnx_export() or torch.compiler.is_exporting():
            return spectrum @ _computed_basis(size)
        pieces = torch.fft.irfft(torch.complex(spectrum[..., :bins], spectrum[..., bins:]))
        return pieces * (torch.hann_window(size, device=pieces.device) / WINDOW_SUM)


def _computed_basis(size: int) -> Tensor:
    """Return ``inverse_basis`` / 1.5 as a computation, which runs once when a graph is loaded."""
    bins, samples = torch.arange(size // 2 + 1), torch.arange(size)
    angle = (bins[:, None] * samples[None] % size).to(torch.float32) * (2.0 * math.pi / size)
    ends = ((bins == 0) | (bins == size // 2)).to(torch.float32)[:, None]
    weight = (2.0 - ends) / size / WINDOW_SUM
    hann = 0.5 - 0.5 * torch.cos(samples.to(torch.float32) * (2.0 * math.pi / size))
    return torch.cat([weight * angle.cos(), -weight * angle.sin()]) * hann


class NanoGenerator(nn.Module):  # type: ignore[misc]
    """Mel (B, n, 80), F0 (B, n), speaker (B,), source (B, n, 4 bins) → sound (B, 300 n)."""

    def __init__(self, config: NanoTtsConfig) -> None:
        super().__init__()
        self.speakers = nn.Embedding(config.speakers, config.speaker_size)
        self.vocos = NanoVocos(config.generator, config.speaker_size)

    def forward(self, mel: Tensor, pitch: Tensor, speaker: Tensor, source: Tensor) -> Tensor:
        """Return the sound of whole crops."""
        x = generator_input(mel, pitch).transpose(1, 2)
        sound: Tensor = self.vocos(x, self.speakers(speaker), source)
        return sound


def generator_input(mel: Tensor, pitch: Tensor) -> Tensor:
    """Return (B, n, 82): mel, octaves of F0 against 200 Hz (0 without voice), voice or not."""
    voiced = (pitch > 0).to(mel.dtype)
    octaves = torch.log2(pitch.clamp(min=1.0)) - math.log2(_PITCH_REFERENCE_HZ)
    return torch.cat([mel, (octaves * voiced)[..., None], voiced[..., None]], dim=2)
