"""The generator's source for a batch of crops: spectra of pulses at F0 and of noise."""

import math
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from rt_avatar.engines.styletts2.pulses import TOP_HZ
from rt_avatar.engines.styletts2.spectrum import HOP
from rt_avatar.engines.types import SPEECH_RATE_HZ

_VOICED_ABOVE_HZ: Final = 10.0


def source_spectra(pitch: NDArray[np.float32], fft: int, dice: np.random.Generator) -> Tensor:
    """Return (B, n, 4 bins) for F0 (B, n), with a random first phase.

    Args:
        pitch: (B, n) F0 in Hz, 0 without voice.
        fft: Length of the transform, four hops.
        dice: Phases and noise.
    """
    first = torch.from_numpy(dice.random((len(pitch), 1)))
    noise = dice.standard_normal((len(pitch), pitch.shape[1] * HOP), np.float32)
    return spectra_of(torch.from_numpy(pitch), fft, first, torch.from_numpy(noise))


def spectra_of(pitch: Tensor, fft: int, first: Tensor, noise: Tensor) -> Tensor:
    """Return the same as ``PulseSpectra`` makes it, on the device of what is given.

    Args:
        pitch: (B, n) F0 in Hz, 0 without voice.
        fft: Length of the transform, four hops.
        first: (B, 1) phase at the first frame's centre, in cycles.
        noise: (B, 300 n) of unit power.
    """
    advance = pitch.double() * (HOP / SPEECH_RATE_HZ)
    centres = advance.cumsum(dim=1) + first
    # Linear between the frames' centres; held before the first and after the last.
    share = (torch.arange(HOP, device=pitch.device, dtype=torch.float64) + 0.5) / HOP
    between = centres[:, :-1, None] + share * advance[:, 1:, None]
    ends = [centres[:, at : at + 1].expand(-1, HOP // 2) for at in (0, centres.shape[1] - 1)]
    cycles = torch.cat([ends[0], between.flatten(1), ends[1]], dim=1)
    hz = pitch.repeat_interleave(HOP, dim=1)
    pulses = torch.where(hz > _VOICED_ABOVE_HZ, _pulses(cycles, hz), 0.0)
    overlap = (fft - HOP) // 2
    both = F.pad(torch.stack([pulses, noise]), (overlap, overlap))
    window = torch.hann_window(fft, device=pitch.device)
    spectra = torch.fft.rfft(both.unfold(2, fft, HOP) * window)  # (2, B, n, bins)
    return torch.cat([spectra[0].real, spectra[0].imag, spectra[1].real, spectra[1].imag], dim=2)


def _pulses(cycles: Tensor, hz: Tensor) -> Tensor:
    """Return ``pulse_train`` of phases (B, m), doubles, and frequencies (B, m), as floats."""
    count = TOP_HZ / hz.double().clamp(min=1.0)
    whole = count.floor()
    angle = 2.0 * math.pi * (cycles % 1.0)
    half = torch.sin(angle / 2.0)
    at_peak = half.abs() < 1e-9
    kernel = torch.sin((whole + 0.5) * angle) / torch.where(at_peak, 1.0, 2.0 * half) - 0.5
    fading = (count - whole) * torch.cos((whole + 1.0) * angle)
    sound: Tensor = (torch.where(at_peak, whole, kernel) + fading) * torch.sqrt(2.0 / count)
    return sound.float()
