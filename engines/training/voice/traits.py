"""What a judge hears of a piece of sound: statistics over time that a gradient goes through."""

from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.training.voice.losses import (
    RESOLUTIONS,
    cepstra,
    frames_harmonics_db,
    low_mel,
    magnitudes,
    moments,
)
from rt_avatar.engines.training.voice.measures import CEPSTRA
from rt_avatar.engines.types import SPEECH_RATE_HZ

_LAGS: Final = (2, 8)  # frames: how much a spectrum moves within 25 and 100 ms
_MOVING: Final = 8  # cepstra of which that is told
_HARMONIC_HZ: Final = ((0.0, 12_000.0), (0.0, 1_000.0), (1_000.0, 3_000.0), (3_000.0, 6_000.0))
_QUARTERS: Final = (0.25, 0.5, 0.75)  # of the voiced frames, by harmonics to noise
_LOUD: Final = 0.9  # share of the frames below what is taken as loud
_ACTIVE: Final = 1e-3  # of its power
TRAITS: Final = 2 * CEPSTRA + len(_LAGS) * _MOVING + len(_HARMONIC_HZ) + len(_QUARTERS)


def measure_traits(sound: Tensor, hz: Tensor) -> Tensor:
    """Return (B, TRAITS): of cepstra means, deviations and how they move, noise, brightness.

    Args:
        sound: (B, 300 n).
        hz: (B, n) F0 of its frames, 0 without voice.
    """
    power = magnitudes(sound, *RESOLUTIONS[0]) ** 2  # (B, bins, n + 1)
    mel = low_mel(power)
    level = mel.exp().sum(dim=2)
    sounds = (level > torch.quantile(level, _LOUD, dim=1, keepdim=True) * _ACTIVE).float()
    shape = cepstra(mel)
    columns = list(moments(shape, sounds))
    moving = shape[:, :, :_MOVING]
    for lag in _LAGS:
        both = sounds[:, lag:] * sounds[:, :-lag]
        columns.append(moments(moving[:, lag:] - moving[:, :-lag], both)[1])
    voiced = hz > 0
    columns.append(_harmonics(frames_harmonics_db(sound, hz, _HARMONIC_HZ), voiced))
    columns.append(_brightness_db(power[:, :, : hz.shape[1]], voiced))
    return torch.cat(columns, dim=1)


def _harmonics(decibels: Tensor, voiced: Tensor) -> Tensor:
    """Return quartiles in the whole band and means in the others, (B, 2 + bands), of (B, n, bands).

    0 dB where nothing has a voice.
    """
    heard = torch.where(voiced[..., None], decibels, torch.nan)
    whole = torch.nanquantile(heard[..., 0], torch.tensor(_QUARTERS), dim=1).T
    return torch.nan_to_num(torch.cat([whole, heard[..., 1:].nanmean(dim=1)], dim=1))


def _brightness_db(power: Tensor, voiced: Tensor) -> Tensor:
    """Return 1-5 kHz against 50-1,000 Hz in voiced frames, (B, 1)."""
    bins = torch.linspace(0.0, SPEECH_RATE_HZ / 2, power.shape[1])
    spectrum = (power * voiced[:, None]).sum(dim=2)
    low, high = (
        spectrum[:, (bins >= lowest) & (bins < highest)].sum(dim=1, keepdim=True)
        for lowest, highest in ((50.0, 1_000.0), (1_000.0, 5_000.0))
    )
    return 10 * torch.log10((high + _ACTIVE) / (low + _ACTIVE))
