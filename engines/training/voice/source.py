"""The generator's source for a batch of crops: spectra of pulses at F0 and of noise."""

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rt_avatar.engines.styletts2.pulses import pulse_train
from rt_avatar.engines.styletts2.spectrum import HOP
from rt_avatar.engines.types import SPEECH_RATE_HZ

_VOICED_ABOVE_HZ: Final = 10.0


def source_spectra(pitch: NDArray[np.float32], fft: int, dice: np.random.Generator) -> Tensor:
    """Return (B, n, 4 bins) for F0 (B, n), with a random first phase; as ``PulseSpectra`` makes it.

    Args:
        pitch: (B, n) F0 in Hz, 0 without voice.
        fft: Length of the transform, four hops.
        dice: Phases and noise.
    """
    batch = len(pitch)
    advance = pitch.astype(np.float64) * HOP / SPEECH_RATE_HZ
    centres = np.cumsum(advance, axis=1) + dice.random((batch, 1))
    # Linear between the frames' centres; held before the first and after the last.
    share = (np.arange(HOP) + 0.5) / HOP
    between = centres[:, :-1, None] + share * advance[:, 1:, None]
    half = HOP // 2
    cycles = np.concatenate(
        [
            np.repeat(centres[:, :1], half, axis=1),
            between.reshape(batch, -1),
            np.repeat(centres[:, -1:], half, axis=1),
        ],
        axis=1,
    )
    hz = np.repeat(pitch, HOP, axis=1)
    pulses = pulse_train(cycles.reshape(-1), hz.reshape(-1)).reshape(batch, -1)
    pulses = np.where(hz > _VOICED_ABOVE_HZ, pulses, 0.0)
    both = np.stack([pulses, dice.standard_normal(pulses.shape)]).astype(np.float32)
    overlap = (fft - HOP) // 2
    sound = torch.nn.functional.pad(torch.from_numpy(both), (overlap, overlap))
    window = torch.hann_window(fft)
    spectra = torch.fft.rfft(sound.unfold(2, fft, HOP) * window)  # (2, B, n, bins)
    return torch.cat([spectra[0].real, spectra[0].imag, spectra[1].real, spectra[1].imag], dim=2)
