"""Spectra outside the graphs: the reference mel of the style encoders, the source's STFT.

The mel front end has a quirk that the checkpoints learned: its filterbank is built for 16 kHz and
used on sound of 24 kHz, so that every filter sits 1.5 times as high as its name says (up to 12
kHz). A "corrected" filterbank gives styles that the networks have never seen.
"""

from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Pcm

Floats: TypeAlias = NDArray[np.float32]

MELS: Final = 80
FFT: Final = 2048
WINDOW: Final = 1200
HOP: Final = 300
FILTERBANK_RATE_HZ: Final = 16_000  # not the sound's 24,000: see above
LOG_FLOOR: Final = 1e-5
LOG_MEAN: Final = -4.0
LOG_SCALE: Final = 4.0
MIN_STYLE_FRAMES: Final = 65  # the 5x5 convolution behind four halvings needs 5 columns
MAX_STYLE_FRAMES: Final = 800  # 10 s, as of a face's manner; a longer file costs no more memory


@cache
def mel_filters() -> Floats:
    """Return the triangular HTK filters without normalisation, (1025, 80)."""
    bins = np.linspace(0, FILTERBANK_RATE_HZ // 2, FFT // 2 + 1)
    top = 2595.0 * np.log10(1.0 + FILTERBANK_RATE_HZ / 2 / 700.0)
    edges = 700.0 * (10.0 ** (np.linspace(0.0, top, MELS + 2) / 2595.0) - 1.0)
    slope = edges[None, :] - bins[:, None]
    rising = -slope[:, :-2] / (edges[1:-1] - edges[:-2])
    falling = slope[:, 2:] / (edges[2:] - edges[1:-1])
    return np.maximum(0.0, np.minimum(rising, falling)).astype(np.float32)


@cache
def _mel_window() -> NDArray[np.float64]:
    window = np.zeros(FFT)
    left = (FFT - WINDOW) // 2
    window[left : left + WINDOW] = _hann(WINDOW)
    return window


def log_mel(pcm: Pcm) -> Floats:
    """Return the normalised log mel spectrum, (80, 1 + samples // 300): (ln(1e-5 + mel) + 4) / 4.

    Args:
        pcm: Mono at 24 kHz, at least 1,025 samples (the reflected half window must exist).

    Raises:
        ValueError: Less sound, more than one channel, or samples that are no numbers.
    """
    _check(pcm)
    if len(pcm) <= FFT // 2:
        raise ValueError(f"pcm: expected more than {FFT // 2} samples, got {len(pcm)}")
    frames = _frames(pcm, FFT, HOP)
    power = np.abs(np.fft.rfft(frames * _mel_window(), axis=-1)) ** 2
    mel = power @ mel_filters()
    return np.asarray((np.log(LOG_FLOOR + mel.T) - LOG_MEAN) / LOG_SCALE, np.float32)


def energy(mel: Floats) -> Floats:
    """Return N of a normalised mel (80, M): the ln of the norm of each frame's power, (M,)."""
    power = np.exp(mel.astype(np.float64) * LOG_SCALE + LOG_MEAN)
    return np.asarray(np.log(np.linalg.norm(power, axis=0)), np.float32)


def style_mel(pcm: Pcm) -> Floats:
    """Return the spectrum that a style encoder takes, (1, 1, 80, M), of one reference recording.

    Silence at both ends is trimmed at 30 dB below the loudest frame; of what remains, the first
    800 frames (10 s) count, which is also the most that a TensorRT plan takes. Recordings of
    different lengths must not be batched: the encoder averages over all the time it is given.

    Raises:
        ValueError: Less than 65 frames (0.81 s) remain, for 64 of which the encoder has no output;
            or it is no sound, see ``log_mel``.
    """
    _check(pcm)
    trimmed = trim_silence(pcm)
    frames = 1 + len(trimmed) // HOP if len(trimmed) else 0
    if frames < MIN_STYLE_FRAMES:
        raise ValueError(
            f"reference: expected at least {MIN_STYLE_FRAMES} frames of 12.5 ms after trimming "
            f"silence, got {frames}; give a longer recording"
        )
    return log_mel(trimmed[: (MAX_STYLE_FRAMES - 1) * HOP])[None, None]


def trim_silence(pcm: Pcm, top_db: float = 30.0) -> Pcm:
    """Return the sound from its first to its last frame within ``top_db`` of the loudest.

    Frames of 2,048 samples every 512, centred, with zeros beyond the ends (librosa's defaults).
    """
    size, hop = 2048, 512
    padded = np.pad(pcm.astype(np.float64), size // 2)
    starts = np.arange(0, len(padded) - size + 1, hop)
    power = np.array([np.mean(padded[start : start + size] ** 2) for start in starts])
    if power.max() == 0.0:
        return pcm[:0]
    loud = np.flatnonzero(power > power.max() * 10.0 ** (-top_db / 10.0))
    return pcm[loud[0] * hop : min(len(pcm), (loud[-1] + 1) * hop)]


def source_spectrum(padded: Floats, size: int = 20, hop: int = 5) -> Floats:
    """Return what iSTFTNet takes of the source: magnitudes over angles, (size + 2, frames).

    Computed here because a graph has no complex numbers, and because an angle of -0 differs
    between exporters and torch. The angle of a bin that is nearly empty is decided by rounding:
    the noise in the source keeps every bin from being so.

    Args:
        padded: (samples + size,) of ``HarmonicSource``, half a window before and behind a multiple
            of ``hop``.
        size: Length of the transform; periodic Hann window.
        hop: Samples from frame to frame.

    Returns:
        (size + 2, samples // hop + 1).
    """
    frames = np.lib.stride_tricks.sliding_window_view(padded.astype(np.float64), size)[::hop]
    spectrum = np.fft.rfft(frames * _hann(size), axis=-1).T
    return np.concatenate([np.abs(spectrum), np.angle(spectrum)]).astype(np.float32)


def _check(pcm: Pcm) -> None:
    if pcm.ndim != 1:
        raise ValueError(f"pcm: expected one channel, (samples,), got shape {pcm.shape}")
    if not np.isfinite(pcm).all():
        raise ValueError("pcm: expected finite samples, got NaN or infinity")


def _hann(size: int) -> NDArray[np.float64]:
    return np.asarray(0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(size) / size))


def _frames(pcm: Floats, size: int, hop: int) -> NDArray[np.float64]:
    padded = np.pad(pcm.astype(np.float64), size // 2, mode="reflect")
    return np.lib.stride_tricks.sliding_window_view(padded, size)[::hop]
