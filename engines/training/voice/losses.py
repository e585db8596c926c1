"""Distances between sounds that hear no phase: spectra at three resolutions, and mel."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from rt_avatar.engines.styletts2.spectrum import (
    FFT as MEL_FFT,
)
from rt_avatar.engines.styletts2.spectrum import (
    HOP,
    LOG_FLOOR,
    LOG_MEAN,
    LOG_SCALE,
    MELS,
    mel_filters,
)
from rt_avatar.engines.training.voice.dataset import LOW_BANDS
from rt_avatar.engines.training.voice.measures import waves
from rt_avatar.engines.types import SPEECH_RATE_HZ

RESOLUTIONS: Final = ((2048, 300, 1200), (1024, 150, 600), (512, 120, 480))  # fft, hop, window
_NARROW_TOP_HZ: Final = 7_600
_FLOOR: Final = 1e-4
_LEAST_VARIANCE: Final = 1e-4  # of cepstra, whose deviations are 0.1 to 1
_WINDOW: Final = 960  # 40 ms: three periods of 75 Hz
_LOWEST_HZ: Final = 55.0


def magnitudes(sound: Tensor, fft: int, hop: int, window: int) -> Tensor:
    """Return (B, bins, frames) of sound (B, samples)."""
    spectrum = torch.stft(
        sound, fft, hop, window, torch.hann_window(window, device=sound.device),
        return_complex=True, pad_mode="constant",
    )  # fmt: skip
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
    bins = torch.arange(fft // 2 + 1, device=full_band.device) * SPEECH_RATE_HZ / fft
    mask = (bins < _NARROW_TOP_HZ)[None] | (full_band[:, None] > 0)
    return mask.to(torch.float32)[..., None]


def _mel_distance(ours: Tensor, theirs: Tensor, full_band: Tensor, given: Tensor) -> Tensor:
    filters = mel_weights(MELS, ours.device)
    generated, real = (
        torch.log(LOG_FLOOR + (one**2).transpose(1, 2) @ filters)[:, 1:-1] for one in (ours, theirs)
    )
    # Frames here lie between those of the features.
    filled = (given[:, 1:] + given[:, :-1]) / 2 * LOG_SCALE + LOG_MEAN
    narrow_top = (full_band[:, None, None] == 0) & (
        torch.arange(MELS, device=given.device) >= LOW_BANDS
    )
    return (generated - torch.where(narrow_top, filled, real)).abs().mean()


def mel_deviations(generated: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
    """Return the deviations over time of both sounds' mel-cepstra, (B, CEPSTRA) each.

    Frames count in which the recording sounds: of 30 dB below its loudest.
    """
    ours, theirs = (low_mel(magnitudes(one, *RESOLUTIONS[0]) ** 2) for one in (generated, real))
    level = theirs.exp().sum(dim=2)
    sounds = (level > level.amax(dim=1, keepdim=True) * 1e-3).float()
    (_, varied), (_, expected) = (moments(cepstra(mel), sounds) for mel in (ours, theirs))
    return varied, expected


def low_mel(power: Tensor) -> Tensor:
    """Return ln mel (B, n, LOW_BANDS) of power spectra (B, bins, n): what all recordings have."""
    return torch.log(LOG_FLOOR + power.transpose(1, 2) @ mel_weights(LOW_BANDS, power.device))


def cepstra(mel: Tensor) -> Tensor:
    """Return mel-cepstra without the level, (B, n, CEPSTRA), of ``low_mel``."""
    return mel @ _cosines(mel.device)


@cache
def mel_weights(bands: int, where: torch.device) -> Tensor:
    """Return what makes the lowest mel bands of power (B, n, 1025) on a device: (1025, bands)."""
    return torch.from_numpy(mel_filters()[:, :bands]).float().to(where)


@cache
def _cosines(where: torch.device) -> Tensor:
    return torch.from_numpy(waves(np.arange(LOW_BANDS)).T * (2 / LOW_BANDS)).float().to(where)


def moments(values: Tensor, counted: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean and deviation over time, (B, C) each, of (B, n, C), where counted (B, n) is 1."""
    weights = counted[..., None]
    count = weights.sum(dim=1).clamp(min=2.0)
    mean = (values * weights).sum(dim=1) / count
    variance = ((values - mean[:, None]) ** 2 * weights).sum(dim=1) / count
    return mean, torch.sqrt(variance + _LEAST_VARIANCE)


def harmonics_to_noise(sound: Tensor, hz: Tensor) -> Tensor:
    """Return harmonics against noise in dB, the mean over each row's voiced frames, (B,).

    Args:
        sound: (B, 300 n).
        hz: (B, n) F0 of its frames, 0 without voice: without any, 0 dB.
    """
    voiced = (hz > 0).float()
    decibels = frames_harmonics_db(sound, hz)[..., 0] * voiced
    return decibels.sum(dim=1) / voiced.sum(dim=1).clamp(min=1.0)


def frames_harmonics_db(
    sound: Tensor, hz: Tensor, bands: Sequence[tuple[float, float]] = ((0.0, np.inf),)
) -> Tensor:
    """Return harmonics against noise of frames in dB, (B, n, bands), where there is voice.

    From the autocorrelation at one period, as ``measures.measure_voice`` has it.

    Args:
        sound: (B, 300 n).
        hz: (B, n) F0 of its frames.
        bands: From and to, in Hz.
    """
    half = (_WINDOW - HOP) // 2
    pieces = F.pad(sound, (half, half)).unfold(1, _WINDOW, HOP)  # (B, n, _WINDOW)
    window = torch.hann_window(_WINDOW, device=sound.device)
    power, plain = (
        torch.fft.rfft(one * window, 2 * _WINDOW).abs() ** 2
        for one in (pieces, torch.ones_like(window))
    )
    own = torch.fft.irfft(plain)
    lag = torch.round(SPEECH_RATE_HZ / hz.clamp(min=_LOWEST_HZ)).long()
    near = lag[..., None] + torch.arange(-3, 4, device=lag.device)
    bins = torch.fft.rfftfreq(2 * _WINDOW, 1 / SPEECH_RATE_HZ, device=sound.device)
    decibels = []
    for lowest, highest in bands:
        ours = torch.fft.irfft(power * ((bins >= lowest) & (bins < highest)))
        peaks = ours.gather(2, near) / (own / own[0])[near].clamp(min=1e-9)
        peak = (peaks / (ours[..., :1] + 1e-9)).amax(dim=2).clamp(0.01, 0.9999)
        decibels.append(10 * torch.log10(peak / (1 - peak)))
    return torch.stack(decibels, dim=2)
