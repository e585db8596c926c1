"""Who speaks, by the sound alone: the mean cepstrum of a voice, and how often it is the own one's.

A voice that changes with the feeling must stay the same person's: E3RG calls it identity drift when
it does not. Cepstra leave out level and melody; what is left is mostly the throat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.mel import mel_filters
from rt_avatar.engines.types import Pcm

Timbre = NDArray[np.float64]  # (CEPSTRA,)
CEPSTRA: Final = 19  # without the first, which is the level
_BANDS: Final = 40
_BAND_HZ: Final = (80.0, 7600.0)
_WINDOW_S, _HOP_S = 0.032, 0.016
_ACTIVE_DB: Final = 30.0  # below the loudest tenth: breath and tails of sounds


@dataclass(frozen=True, slots=True)
class Identity:
    """How far voices stay whose they are.

    Attributes:
        own_share: Of the sentences, those nearer to their own voice's neutral than to any other's.
        drift: Mean distance to the own neutral, against that from the own to the nearest other.
    """

    own_share: float
    drift: float


def timbre_of(pcm: Pcm, rate_hz: int) -> Timbre:
    """Return the mean cepstrum of what sounds in (samples,) of one speaker.

    Raises:
        ValueError: It is silent, or shorter than a window.
    """
    size = int(_WINDOW_S * rate_hz)
    if pcm.ndim != 1 or len(pcm) < size or not np.abs(pcm).max() > 1e-5:
        raise ValueError(f"pcm: expected a voice of {size} samples or more; got {pcm.shape}")
    window = np.hanning(size)
    frames = np.lib.stride_tricks.sliding_window_view(pcm.astype(np.float64), size)
    frames = frames[:: int(_HOP_S * rate_hz)] * window
    power = np.abs(np.fft.rfft(frames)) ** 2
    bands = power @ mel_filters(window, size, rate_hz, _BANDS, _BAND_HZ)
    level = bands.sum(1)
    is_active = level > np.percentile(level, 90) * 10 ** (-_ACTIVE_DB / 10)
    middles = np.pi * (np.arange(_BANDS) + 0.5) / _BANDS
    cosines = np.sqrt(2 / _BANDS) * np.cos(middles[:, None] * np.arange(1, CEPSTRA + 1))
    mean: Timbre = (np.log(bands[is_active] + 1e-10) @ cosines).mean(0)
    return mean


def identity(neutral: Mapping[str, Timbre], spoken: Sequence[tuple[str, Timbre]]) -> Identity:
    """Return how far sentences sound like who said them.

    Args:
        neutral: Every voice's timbre without feeling; two or more.
        spoken: Whose voice, and its timbre.

    Raises:
        ValueError: Fewer than two voices, or nothing is spoken.
    """
    if len(neutral) < 2 or not spoken:
        raise ValueError(f"expected two voices and a sentence; got {len(neutral)}, {len(spoken)}")
    own, others, drifts = [], [], []
    for name, timbre in spoken:
        distances = {each: float(np.linalg.norm(timbre - at)) for each, at in neutral.items()}
        own.append(min(distances, key=distances.__getitem__) == name)
        apart = [np.linalg.norm(neutral[name] - at) for each, at in neutral.items() if each != name]
        others.append(float(min(apart)))
        drifts.append(distances[name])
    return Identity(float(np.mean(own)), float(np.mean(drifts) / np.mean(others)))
