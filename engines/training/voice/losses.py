"""Distances between sounds that hear no phase: spectra at three resolutions, and mel."""

from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.styletts2.spectrum import (
    FFT as MEL_FFT,
)
from rt_avatar.engines.styletts2.spectrum import (
    LOG_FLOOR,
    LOG_MEAN,
    LOG_SCALE,
    MELS,
    mel_filters,
)
from rt_avatar.engines.training.voice.dataset import LOW_BANDS
from rt_avatar.engines.types import SPEECH_RATE_HZ

RESOLUTIONS: Final = ((2048, 300, 1200), (1024, 150, 600), (512, 120, 480))  # fft, hop, window
_NARROW_TOP_HZ: Final = 7_600
_FLOOR: Final = 1e-4


def magnitudes(sound: Tensor, fft: int, hop: int, window: int) -> Tensor:
    """Return (B, bins, frames) of sound (B, samples)."""
    spectrum = torch.stft(
        sound, fft, hop, window, torch.hann_window(window), return_complex=True, pad_mode="constant"
    )
    return torch.sqrt(spectrum.real**2 + spectrum.imag**2 + _FLOOR**2)


def spectral_distance(
    generated: Tensor, real: Tensor, full_band: Tensor, given: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the mean distance of spectra over all resolutions, and that of ln mels.

    Args:
        generated: (B, 300 n).
        real: (B, 300 n).
        full_band: (B,) 0 for recordings at 16 kHz, whose upper bins are left out.
        given: (B, n, 80) normalised mels; their upper bands stand for those that were not recorded.
    """
    total = generated.new_zeros(())
    mel_distance = generated.new_zeros(())
    for fft, hop, window in RESOLUTIONS:
        ours = magnitudes(generated, fft, hop, window)
        with torch.no_grad():
            theirs = magnitudes(real, fft, hop, window)
        mask = recorded_bins(fft, full_band)
        ln = ((ours.log() - theirs.log()).abs() * mask).mean() / mask.mean()
        linear = torch.linalg.norm((ours - theirs) * mask) / torch.linalg.norm(theirs * mask)
        total = total + ln + linear
        if fft == MEL_FFT:
            mel_distance = _mel_distance(ours, theirs, full_band, given)
    return total / len(RESOLUTIONS), mel_distance


def recorded_bins(fft: int, full_band: Tensor) -> Tensor:
    """Return (B, bins, 1): 1 for bins that the recording has, 0 above its band."""
    bins = torch.arange(fft // 2 + 1) * SPEECH_RATE_HZ / fft
    mask = (bins < _NARROW_TOP_HZ)[None] | (full_band[:, None] > 0)
    return mask.to(torch.float32)[..., None]


def _mel_distance(ours: Tensor, theirs: Tensor, full_band: Tensor, given: Tensor) -> Tensor:
    filters = torch.from_numpy(mel_filters())
    generated, real = (
        torch.log(LOG_FLOOR + (one**2).transpose(1, 2) @ filters)[:, 1:-1] for one in (ours, theirs)
    )
    # Frames here lie between those of the features.
    filled = (given[:, 1:] + given[:, :-1]) / 2 * LOG_SCALE + LOG_MEAN
    narrow_top = (full_band[:, None, None] == 0) & (torch.arange(MELS) >= LOW_BANDS)
    return (generated - torch.where(narrow_top, filled, real)).abs().mean()
