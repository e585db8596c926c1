"""What critics hear of recordings and of a voice, what they learn from it, and what it learns."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.networks.nano_tts.critics import Critics, Judgement
from rt_avatar.engines.training.voice.dataset import LOW_BANDS
from rt_avatar.engines.training.voice.losses import (
    RESOLUTIONS,
    magnitudes,
    mel_weights,
    recorded_bins,
)
from rt_avatar.engines.types import SPEECH_RATE_HZ

_LEAST_POWER: Final = 1e-8
_NARROW_HZ: Final = (7_200, 7_600)  # where sound of 16 kHz fades for critics of periods
SPECTRA: Final = len(RESOLUTIONS) + 1  # that critics hear: of every resolution, and the mel


def hear(critics: Critics, sound: Tensor, reader: Tensor, full_band: Tensor) -> list[Judgement]:
    """Return what every critic says of sound (B, 300 n), of the band alone that was recorded."""
    spectra = [magnitudes(sound, *one) for one in RESOLUTIONS]
    power = (spectra[0] ** 2).transpose(1, 2) @ mel_weights(LOW_BANDS, sound.device)
    mel = torch.sqrt(power + _LEAST_POWER).transpose(1, 2)
    given = [
        one ** recorded_bins(resolution[0], full_band)
        for one, resolution in zip(spectra, RESOLUTIONS, strict=True)
    ]
    with torch.autocast(sound.device.type, torch.bfloat16, enabled=sound.is_cuda):
        judged: list[Judgement] = critics([*given, mel], _narrowed(sound, full_band), reader)
    return judged


def _narrowed(sound: Tensor, full_band: Tensor) -> Tensor:
    """Return sound without what lies above 7.6 kHz, where readers were recorded at 16 kHz."""
    spectrum = torch.fft.rfft(sound)
    hz = torch.linspace(0.0, SPEECH_RATE_HZ / 2, spectrum.shape[1], device=sound.device)
    low, high = _NARROW_HZ
    kept = ((high - hz) / (high - low)).clamp(0.0, 1.0)
    return torch.fft.irfft(spectrum * torch.maximum(kept, full_band[:, None]), sound.shape[1])


def teach(
    critics: Critics,
    optimizer: torch.optim.Optimizer,
    real: tuple[Tensor, Tensor, Tensor],
    ours: tuple[Tensor, Tensor, Tensor],
) -> Tensor:
    """Let the critics tell recordings from ours (least squares); return their loss.

    0.5 is what a critic has that hears nothing.
    """
    recorded = hear(critics, *real)
    generated = hear(critics, *ours)
    loss = torch.stack(
        [
            ((1 - theirs.float()) ** 2).mean() + (own.float() ** 2).mean()
            for (theirs, _), (own, _) in zip(recorded, generated, strict=True)
        ]
    ).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def match_features(ours: Sequence[Judgement], theirs: Sequence[Judgement], given: int) -> Tensor:
    """Return how far features of the first rows, of given prosody, are from the recordings'."""
    distances = [
        (one[:given].float() - two.float()).abs().mean() / two.float().abs().mean().clamp(min=1e-3)
        for (_, own), (_, wanted) in zip(ours, theirs, strict=True)
        for one, two in zip(own, wanted, strict=True)
    ]
    return torch.stack(distances).mean()
