"""Claps and flashes → skew and drift: pure functions of arrays.

Skew is the time of a clap minus the time of its flash: **+ is sound late**, − is sound early.
ITU-R BT.1359-1 counts the other way round: there + is sound early, its thresholds of detection are
+45 (early) and −125 ms (late). Here they are ``EARLIEST_MS`` and ``LATEST_MS``.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.sync_test import CLAP_SAMPLES
from rt_avatar.engines.types import SPEECH_RATE_HZ

Floats = NDArray[np.float64]

EARLIEST_MS: Final = -45.0
LATEST_MS: Final = 125.0
# Two claps are at least 0.84 s apart (engines.sync_test), so what is nearer than half of it belongs
# together. A skew beyond that would be taken for one of the other sign.
MAX_PAIR_S: Final = 0.42
# Half way between the dark picture (16, with its label 20) and the white one (235).
FLASH_LUMA: Final = 125.0
# A clap's RMS is 0.35. A twentieth of it is louder than all that a codec makes before the clap.
AUDIBLE_RMS: Final = 0.02
QUIET_S: Final = 0.2  # so long without sound, and the next sound is the next clap
_CLAP_S: Final = CLAP_SAMPLES / SPEECH_RATE_HZ
# Around the first loud block its onset is looked for in so much sound; a codec's ramp is 3 ms long.
_BEFORE_S, _AFTER_S = 0.008, 0.010
_GAP_S: Final = 0.0025  # browsers stamp blocks of 10 ms up to 1 ms off; a missing block is more
# A line is drawn through medians of as many stretches of equal time: half a minute each of half an
# hour, some 25 claps. Skews near each other hang together; these medians do so much less.
STRETCHES: Final = 60
_NORMAL_95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Pairs:
    """Flashes with their claps, in order.

    Attributes:
        at_s: (n,) when the flash was.
        skew_ms: (n,) clap minus flash; + is sound late.
        lone_claps: Claps without a flash.
        lone_flashes: Flashes without a clap.
    """

    at_s: Floats
    skew_ms: Floats
    lone_claps: int
    lone_flashes: int


@dataclass(frozen=True, slots=True)
class Drift:
    """How skew changes: a robust line's slope, ms an hour, with the ends of its 95 % interval."""

    ms_per_hour: float
    low: float
    high: float


def find_claps(at_s: Floats, rms: Floats, period_s: float) -> Floats:
    """Return when claps begin, to a fraction of a block.

    How much of its first block a clap fills is told by the block's energy against the next ones'.

    Args:
        at_s: (n,) beginnings of blocks of sound, rising.
        rms: (n,) of each block, 0..1.
        period_s: Length of a block, at most 5 ms.
    """
    loud = np.flatnonzero(rms > AUDIBLE_RMS)
    if not len(loud):
        return np.zeros(0)
    is_first = np.diff(at_s[loud], prepend=-np.inf) > QUIET_S
    before, after = round(_BEFORE_S / period_s), round(_AFTER_S / period_s)
    length = round((_CLAP_S - _AFTER_S) / period_s)
    power = rms**2
    onsets = []
    for first in loud[is_first]:
        begin, end = first - before, first + after
        if begin < 0 or first + length > len(rms):
            continue  # cut off by the ends of the recording
        if at_s[end - 1] - at_s[begin] > (end - begin - 1) * period_s + _GAP_S:
            continue  # blocks are missing
        full = float(np.median(power[first + 2 : first + length]))
        filled_s = float(power[begin:end].sum()) / full * period_s
        onsets.append(float(at_s[end - 1]) + period_s - filled_s)
    return np.array(onsets)


def find_flashes(at_s: Floats, brightness: Floats) -> Floats:
    """Return when pictures turn white.

    Args:
        at_s: (n,) when each picture was shown, rising.
        brightness: (n,) mean luma, 0..255.
    """
    bright = brightness > FLASH_LUMA
    turns = bright[1:] & ~bright[:-1]  # a picture that is bright from the start began before
    return at_s[1:][turns]


def pair(claps_s: Floats, flashes_s: Floats) -> Pairs:
    """Put each flash together with the clap that is nearest to it, if it is its nearest too."""
    if not len(claps_s) or not len(flashes_s):
        return Pairs(np.zeros(0), np.zeros(0), len(claps_s), len(flashes_s))
    clap = _nearest(claps_s, flashes_s)
    is_mutual = _nearest(flashes_s, claps_s)[clap] == np.arange(len(flashes_s))
    skew_s = claps_s[clap] - flashes_s
    kept = is_mutual & (np.abs(skew_s) < MAX_PAIR_S)
    count = int(kept.sum())
    return Pairs(flashes_s[kept], 1000 * skew_s[kept], len(claps_s) - count, len(flashes_s) - count)


def drift(at_s: Floats, skew_ms: Floats) -> Drift:
    """Fit a line robustly: Theil and Sen's median of slopes, with Sen's interval.

    Source: P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63,
    1968. Fewer than three moments give NaN.
    """
    times, values = _medians(at_s, skew_ms)
    count = len(times)
    if count < 3:
        return Drift(float("nan"), float("nan"), float("nan"))
    one, other = np.triu_indices(count, 1)
    slopes = np.sort((values[other] - values[one]) / (times[other] - times[one])) * 3600
    spread = _NORMAL_95 * np.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    low, high = ((len(slopes) - 1 + sign * spread) / 2 for sign in (-1, 1))
    places = np.clip([low, high], 0, len(slopes) - 1).round().astype(int)
    return Drift(float(np.median(slopes)), *(float(slopes[place]) for place in places))


def share_within(skew_ms: Floats) -> float:
    """Return the share, 0..1, in which few people notice a skew; NaN of nothing."""
    if not len(skew_ms):
        return float("nan")
    return float(np.mean((skew_ms >= EARLIEST_MS) & (skew_ms <= LATEST_MS)))


def _nearest(values: Floats, to: Floats) -> NDArray[np.int64]:
    """Return for each of ``to`` the index of the nearest of the rising ``values``."""
    right = np.clip(np.searchsorted(values, to), 1, max(1, len(values) - 1))
    left = right - 1
    right = np.minimum(right, len(values) - 1)
    is_left = np.abs(to - values[left]) <= np.abs(values[right] - to)
    return np.where(is_left, left, right)


def _medians(at_s: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return medians of times and values in stretches of equal time; empty ones are left out."""
    if not len(at_s):
        return at_s, values
    edges = np.linspace(at_s[0], at_s[-1], STRETCHES + 1)[1:-1]
    stretch = np.searchsorted(edges, at_s, side="right")
    found = np.unique(stretch)
    return (
        np.array([np.median(at_s[stretch == index]) for index in found]),
        np.array([np.median(values[stretch == index]) for index in found]),
    )
