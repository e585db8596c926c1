"""The pitch of a voice over time, by autocorrelation and the likeliest path.

Source: P. Boersma, "Accurate short-term analysis of the fundamental frequency and the
harmonics-to-noise ratio of a sampled sound", Proc. Institute of Phonetic Sciences 17 (1993), §3-4,
with the constants of Praat's "To Pitch (ac)". Another method than the product's own ears use, so
that the meter does not share their mistakes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Pcm

RATE_HZ: Final = 100  # of the track
FLOOR_HZ: Final = 65.0  # below the lowest speaking voices
CEILING_HZ: Final = 520.0  # above a lively child's
_PERIODS: Final = 3  # of the lowest pitch in a window
_CANDIDATES: Final = 6
_SILENCE: Final = 0.03  # of the loudest: quieter windows are likely without pitch
_VOICING: Final = 0.45
_OCTAVE_COST: Final = 0.01  # per octave: of equals the higher pitch wins
_JUMP_COST: Final = 0.35  # per octave between neighbours
_VOICE_COST: Final = 0.14  # to begin or end a voice
_NONE: Final = -np.inf


def pitch_track(pcm: Pcm, rate_hz: int) -> NDArray[np.float64]:
    """Return the pitch in Hz every 10 ms, 0 where there is none: (windows,).

    Args:
        pcm: (samples,) of one speaker, -1..1.
        rate_hz: 8,000 or more.

    Raises:
        ValueError: It is no row, shorter than three periods of the lowest pitch, or the rate is
            too low.
    """
    size = int(_PERIODS * rate_hz / FLOOR_HZ)
    if pcm.ndim != 1 or len(pcm) < size or rate_hz < 8000:
        raise ValueError(
            f"pcm: expected (samples,) of {size} or more at 8 kHz or more, "
            f"got {pcm.shape} at {rate_hz}"
        )
    hop = rate_hz // RATE_HZ
    sound = np.pad(pcm.astype(np.float64), size // 2)
    windows = np.lib.stride_tricks.sliding_window_view(sound, size)[::hop][: len(pcm) // hop]
    windows = windows - windows.mean(axis=1, keepdims=True)
    peaks = np.abs(windows).max(axis=1)
    lags, strengths = _candidates(_autocorrelation(windows), rate_hz)
    loud = peaks / max(float(np.abs(pcm).max()), 1e-9)
    unvoiced = _VOICING + np.maximum(0.0, 2 - loud / (_SILENCE / (1 + _VOICING)))
    hz = np.concatenate((np.zeros((len(lags), 1)), rate_hz / lags), axis=1)
    return _path(hz, np.concatenate((unvoiced[:, None], strengths), axis=1))


def _autocorrelation(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the autocorrelation as if the window did not taper (eqs. 5-8): (windows, lags)."""
    size = windows.shape[1]
    taper = np.hanning(size)
    length = 1 << (2 * size - 1).bit_length()

    def correlate(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        power = np.abs(np.fft.rfft(rows, length)) ** 2
        found: NDArray[np.float64] = np.fft.irfft(power, length)[..., :size]
        return found / np.maximum(found[..., :1], 1e-12)

    whole: NDArray[np.float64] = correlate(windows * taper) / np.maximum(correlate(taper), 1e-3)
    return whole


def _candidates(
    correlation: NDArray[np.float64], rate_hz: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lags (samples) of the strongest peaks and their strengths: (windows, 6) each."""
    shortest, longest = int(rate_hz / CEILING_HZ), int(rate_hz / FLOOR_HZ)
    left, middle, right = (
        correlation[:, shortest + by : longest + by] for by in (-1, 0, 1)
    )  # fmt: skip
    bend = left - 2 * middle + right
    is_peak = (middle > left) & (middle >= right) & (bend < 0)
    shift = np.where(is_peak, 0.5 * (left - right) / np.where(is_peak, bend, 1), 0)
    lags = np.arange(shortest, longest, dtype=np.float64) + shift
    height = middle - 0.25 * (left - right) * shift
    strength: NDArray[np.float64] = height + _OCTAVE_COST * np.log2(rate_hz / lags / FLOOR_HZ)
    strength = np.where(is_peak, strength, _NONE)
    best = np.argsort(-strength, axis=1)[:, :_CANDIDATES]
    return np.take_along_axis(lags, best, 1), np.take_along_axis(strength, best, 1)


def _path(hz: NDArray[np.float64], strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the pitch along the likeliest path through the candidates (Viterbi)."""
    octaves = np.log2(np.where(hz > 0, hz, 1.0))
    is_voiced = hz > 0
    total = strength[0]
    backs = np.zeros(hz.shape, np.intp)
    for at in range(1, len(hz)):
        jump = _JUMP_COST * np.abs(octaves[at][:, None] - octaves[at - 1][None, :])
        both = is_voiced[at][:, None] & is_voiced[at - 1][None, :]
        one = is_voiced[at][:, None] ^ is_voiced[at - 1][None, :]
        come = total[None, :] - np.where(both, jump, np.where(one, _VOICE_COST, 0.0))
        backs[at] = come.argmax(axis=1)
        total = strength[at] + come.max(axis=1)
    best = int(total.argmax())
    track = np.zeros(len(hz))
    for at in range(len(hz) - 1, -1, -1):
        track[at] = hz[at, best]
        best = int(backs[at, best])
    return track
