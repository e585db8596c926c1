"""Skew of speech itself: a reply's loudness and its mouth, found again in what was heard and seen.

The reply is known as it was made (``Curves`` at the source). Its loudness is found in the sound
that was heard, its mouth in the pictures that were seen; where the two were found differs by the
skew of all that lies between. That is sharp, as like is compared with like.

``lag`` compares unlike: loudness with mouth. Its peak is broad, as lips lead and trail sounds; it
is what a viewer could tell without knowing the reply, and the same at the source and at the end of
a call without skew.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GRID_S: Final = 0.005  # curves are compared in steps of 5 ms; peaks are found between them
SMOOTH_S: Final = 0.04  # of loudness: a picture's time; shorter than any syllable
MAX_LAG_S: Final = 0.4
# Different replies of one face correlate by 0.56 at most (fifteen of three faces, sound and mouth);
# the same one by 0.96 to 1.00 through a call, 0.89 on a machine so busy that the call broke up.
LIKE: Final = 0.75


@dataclass(frozen=True, slots=True)
class Curves:
    """Loudness and mouth over time, on one clock.

    Attributes:
        sound_at_s: (n,) beginnings of blocks of sound, rising.
        rms: (n,) 0..1.
        picture_at_s: (m,) when pictures began to be shown, rising.
        mouth: (m,) how open the mouth looks.
    """

    sound_at_s: Floats
    rms: Floats
    picture_at_s: Floats
    mouth: Floats


@dataclass(frozen=True, slots=True)
class Match:
    """Where one curve lies best on another.

    Attributes:
        offset_s: Add it to times of the first to have them on the other's clock.
        correlation: −1 to 1.
    """

    offset_s: float
    correlation: float


@dataclass(frozen=True, slots=True)
class SpeechSkew:
    """What one reply tells. Milliseconds, + is sound late.

    Attributes:
        at_s: When the reply began, on the clock of the call.
        skew_ms: Where its loudness was found minus where its mouth was.
        lag_ms: Loudness against mouth as heard and seen.
        source_lag_ms: The same as it was made.
    """

    at_s: float
    skew_ms: float
    lag_ms: float
    source_lag_ms: float


def find_reply(source: Curves, call: Curves, near_s: float, within_s: float) -> SpeechSkew | None:
    """Find a reply in a call; None if its sound or its mouth is not like any there.

    Args:
        source: The reply as it was made; its clock begins with its sound.
        call: All that was heard and seen.
        near_s: About when the reply began.
        within_s: How much that may be wrong.
    """
    length_s = float(source.sound_at_s[-1])
    sound = _match(
        *_loudness(source.sound_at_s, source.rms),
        *_loudness(*_part(call.sound_at_s, call.rms, near_s, length_s, within_s)),
        near_s - within_s, near_s + within_s,
    )  # fmt: skip
    if sound is None or sound.correlation < LIKE:
        return None
    begin_s = sound.offset_s
    seen = _part(call.picture_at_s, call.mouth, begin_s, length_s, MAX_LAG_S)
    mouth = _match(
        *_grid(source.picture_at_s, source.mouth), *_grid(*seen),
        begin_s - MAX_LAG_S, begin_s + MAX_LAG_S,
    )  # fmt: skip
    if mouth is None or mouth.correlation < LIKE:
        return None
    heard = _part(call.sound_at_s, call.rms, begin_s, length_s, 0.0)
    return SpeechSkew(
        begin_s,
        1000 * (sound.offset_s - mouth.offset_s),
        _lag_ms(Curves(*heard, *seen)),
        _lag_ms(source),
    )


def _lag_ms(curves: Curves) -> float:
    """Return how much later than the mouth the loudness is, by their cross-correlation."""
    at_s, loudness = _loudness(curves.sound_at_s, curves.rms)
    inner = (at_s >= at_s[0] + MAX_LAG_S) & (at_s <= at_s[-1] - MAX_LAG_S)
    found = _match(
        at_s[inner], loudness[inner], *_grid(curves.picture_at_s, curves.mouth),
        -MAX_LAG_S, MAX_LAG_S,
    )  # fmt: skip
    return float("nan") if found is None else -1000 * found.offset_s


def _part(
    at_s: Floats, values: Floats, begin_s: float, length_s: float, around_s: float
) -> tuple[Floats, Floats]:
    kept = (at_s >= begin_s - around_s) & (at_s <= begin_s + length_s + around_s)
    return at_s[kept], values[kept]


def _loudness(at_s: Floats, rms: Floats) -> tuple[Floats, Floats]:
    """Return a smooth curve of loudness on the grid; the root makes soft sounds count, too."""
    times, values = _grid(at_s, rms)
    width = round(SMOOTH_S / GRID_S)
    if len(values) < width:
        return times, values
    return times, np.sqrt(np.convolve(values, np.full(width, 1 / width), mode="same"))


def _grid(at_s: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return times that are whole steps of the grid, and the values there."""
    if len(at_s) < 2:
        return np.zeros(0), np.zeros(0)
    first, last = np.ceil(at_s[0] / GRID_S), np.floor(at_s[-1] / GRID_S)
    times = np.arange(first, last + 1) * GRID_S
    return times, np.interp(times, at_s, values)


def _match(
    at_s: Floats, values: Floats, other_at_s: Floats, other: Floats, low_s: float, high_s: float
) -> Match | None:
    """Lay a curve upon another where they correlate best; both on the grid, offsets from, to."""
    if len(values) < 2 or not np.ptp(values):
        return None
    first, last = round(low_s / GRID_S), round(high_s / GRID_S)
    begin = round((at_s[0] - other_at_s[0]) / GRID_S) if len(other_at_s) else 0
    wanted = (values - values.mean()) / np.linalg.norm(values - values.mean())
    found: dict[int, float] = {}
    for step in range(first, last + 1):
        at = begin + step
        piece = other[at : at + len(values)] if at >= 0 else other[:0]
        if len(piece) == len(values) and np.ptp(piece):
            spread = np.linalg.norm(piece - piece.mean())
            found[step] = float(wanted @ piece) / float(spread)
    if not found:
        return None
    best = max(found, key=lambda step: found[step])
    left, peak, right = (found.get(step, found[best]) for step in (best - 1, best, best + 1))
    bend = left - 2 * peak + right
    between = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return Match((best + between) * GRID_S, peak)
