"""By how much lips lead the sound: the lag at which loudness and opening of the mouth agree best.

Any talking head will do, drawn or filmed: a row of openings, a row of loudness, one lag. Both are
freed of what is slower than syllables (drift of the camera, of the head), correlated at lags of
10 ms, and the peak is found between them by a parabola.

What it means: people's own lips agree with their voice at about 0: -18 ± 13 ms (lips late) for
seven speakers of GRID, each over 3 s. A few tens of milliseconds are nature; a hundred are a fault.
Syllables come four a second, so a short clip may fit a quarter of a second away nearly as well:
``rival`` tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Pcm

Row = NDArray[np.float64]

RATE_HZ: Final = 100  # of loudness and lags
LAGS: Final = 50  # ± 0.5 s
# Vowels live here; the hiss of "s", loud behind shut teeth, does not. Of four bands tried on GRID
# this one agreed best with the mouth.
_BAND_HZ: Final = (300.0, 3000.0)
_LOUDNESS: Final = 0.15  # loudness grows with power to this: S. Stevens's 0.3 of the amplitude
_WINDOW_S: Final = 0.025
_SMOOTH: Final = 9  # windows: faster changes are pitch periods, not syllables
_SLOW_HZ: Final = 1.5  # slower than any syllable
_APART: Final = 12  # lags from the peak at which another one is a rival and not its flank
_SHORTEST_S: Final = 1.5  # a handful of syllables


@dataclass(frozen=True, slots=True)
class LipOffset:
    """When the lips move, against the sound.

    Attributes:
        lead_ms: Milliseconds by which the lips lead; negative: they are late.
        correlation: At that lag, -1 to 1; people's own reach about .5 over a sentence or more.
        rival: The best correlation more than 120 ms away from it. Near ``correlation`` the clip is
            too short, or its mouth does not move with its sound.
    """

    lead_ms: float
    correlation: float
    rival: float


def loudness(pcm: Pcm, rate_hz: int) -> Row:
    """Return how loud vowels are: (windows,) at 100 Hz, window n about the time (n + ½) / 100 s.

    Args:
        pcm: (samples,), -1..1.
        rate_hz: 8,000 or more.

    Raises:
        ValueError: It is no row, shorter than a window, or the rate is too low.
    """
    size, hop = int(_WINDOW_S * rate_hz), rate_hz // RATE_HZ
    if pcm.ndim != 1 or len(pcm) < size or rate_hz < 8000:
        raise ValueError(
            f"pcm: expected (samples,) of {size} or more at 8 kHz or more, "
            f"got {pcm.shape} at {rate_hz}"
        )
    count = len(pcm) // hop
    # So that window n is centred on the middle of its 10 ms.
    margin = (size - hop + 1) // 2
    padded = np.pad(pcm.astype(np.float64), (margin, size))
    windows = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop][:count]
    power = np.abs(np.fft.rfft(windows * np.hanning(size), axis=1)) ** 2
    hz = np.fft.rfftfreq(size, 1 / rate_hz)
    band = power[:, (hz >= _BAND_HZ[0]) & (hz <= _BAND_HZ[1])].mean(1)
    taper = np.hanning(_SMOOTH + 2)[1:-1]
    smooth: Row = np.convolve(band**_LOUDNESS, taper / taper.sum(), "same")
    return smooth


def agreement_curve(opening: Row, times_s: Row, loud: Row) -> Row:
    """Return the correlation of mouth and sound at leads of -500 … 500 ms: (101,).

    Curves of several clips may be averaged: what is chance in each cancels.

    Args:
        opening: (pictures,) in any unit.
        times_s: (pictures,) the middle of each picture's time, rising; 0 is the sound's begin.
        loud: (windows,) of ``loudness``.

    Raises:
        ValueError: Shapes do not fit, one of them does not vary, or less than 1.5 s is common.
    """
    if opening.ndim != 1 or opening.shape != times_s.shape or len(opening) < 2:
        raise ValueError(
            f"opening, times: expected rows of one length, got {opening.shape}, {times_s.shape}"
        )
    begin = max(0, int(np.ceil(times_s[0] * RATE_HZ)))
    end = min(len(loud), int(times_s[-1] * RATE_HZ))
    if end - begin < _SHORTEST_S * RATE_HZ:
        raise ValueError(
            f"opening, loudness: expected {_SHORTEST_S} s or more in common, "
            f"got {max(0, end - begin) / RATE_HZ:.2f} s"
        )
    at = (np.arange(begin, end) + 0.5) / RATE_HZ
    shown, heard = np.interp(at, times_s, opening), loud[begin:end]
    if not (np.ptp(shown) > 0 and np.ptp(heard) > 0):  # false for NaN, too
        raise ValueError("opening, loudness: expected rows that vary, got a constant")
    mouth, sound = _fast(shown), _fast(heard)
    lags = min(LAGS, (end - begin) // 3)
    curve = np.full(2 * LAGS + 1, np.nan)
    for lead in range(-lags, lags + 1):  # the mouth's present against the sound's future
        now = mouth[max(0, -lead) : len(mouth) - max(0, lead)]
        then = sound[max(0, lead) : len(sound) - max(0, -lead)]
        curve[LAGS + lead] = np.corrcoef(now, then)[0, 1]
    return curve


def lip_offset(curves: Sequence[Row]) -> LipOffset:
    """Return the lag at which the mean of the curves peaks, between its points.

    Args:
        curves: (101,) each, of ``agreement_curve``.

    Raises:
        ValueError: There is none, or one has another shape.
    """
    if not len(curves) or any(curve.shape != (2 * LAGS + 1,) for curve in curves):
        raise ValueError(f"curves: expected one or more of ({2 * LAGS + 1},)")
    known = np.array(curves)
    mean = np.where(np.isnan(known).any(axis=0), -1.0, np.nan_to_num(known).mean(axis=0))
    best = int(np.argmax(mean))
    shift = 0.0
    if 0 < best < 2 * LAGS and min(mean[best - 1], mean[best + 1]) > -1:
        left, middle, right = mean[best - 1 : best + 2]
        bend = left - 2 * middle + right
        shift = float(0.5 * (left - right) / bend) if bend < 0 else 0.0
    away = np.abs(np.arange(2 * LAGS + 1) - best) > _APART
    return LipOffset(
        lead_ms=(best - LAGS + shift) * 1000 / RATE_HZ,
        correlation=float(mean[best]),
        rival=float(mean[away].max()),
    )


def _fast(row: Row) -> Row:
    """Return a row at 100 Hz without what is slower than syllables; nothing is shifted in time."""
    margin = min(len(row) - 1, RATE_HZ)
    mirrored = np.pad(row, margin, "reflect")
    hz = np.fft.rfftfreq(len(mirrored), 1 / RATE_HZ)
    kept = np.fft.rfft(mirrored) * (hz**2 / (hz**2 + _SLOW_HZ**2))
    fast: Row = np.fft.irfft(kept, len(mirrored))[margin : margin + len(row)]
    return fast
