"""How far a figure could be off: bootstrap intervals from the samples of two runs.

The interval tells the spread *within* the runs. Runs also differ among themselves (the machine, the
hour), of which two runs know nothing.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]  # (samples,), or (resamples, samples)
Statistic = Callable[[Values], Values]  # over the last axis

RESAMPLES: Final = 2000  # Efron & Tibshirani 1993, §13: enough for the ends of a 95 % interval
SEED: Final = 1
ENDS: Final = (2.5, 97.5)
CHUNK: Final = 2_000_000  # samples drawn at a time: 32 MB
MIN_SAMPLES: Final = 8  # a median of fewer is one value or the next
MIN_BEYOND: Final = 1.0  # of fewer than 20 samples the p95 is the largest: no resample goes beyond
SAY_NOTHING: Final = {"median", "mean", "mib", "percent", "the", "and"}
# Samples are kept with six digits and a figure may be rounded, too.
TOLERANCE: Final = 2e-3


@dataclass(frozen=True, slots=True)
class Source:
    """The samples behind a figure in two runs.

    Attributes:
        before: Samples of the first run, (n,).
        after: Of the second, (m,).
        statistic: What the figure is of them.
    """

    before: Values
    after: Values
    statistic: Statistic


def find_source(
    figure: str,
    values: tuple[float, float],
    before: Mapping[str, Sequence[float]],
    after: Mapping[str, Sequence[float]],
) -> Source | None:
    """Find the samples whose statistic a figure is, in both runs; None if there are none.

    Args:
        figure: Its key; ``p95``, ``median`` or ``mean`` in it says which statistic.
        values: Of the figure in both runs.
        before: Samples of the first run by label.
        after: Of the second.
    """
    words = _words(figure)
    named = _named_statistic(figure)
    best: tuple[int, Source] | None = None
    for label in before.keys() & after.keys():
        shared = len(words & _words(label))
        if named is None and not shared:
            continue  # an equal value alone may be chance
        for name, is_magnitude in _candidates(named):
            share = _share(name)
            least = max(MIN_SAMPLES, MIN_BEYOND / (1 - share) - 1e-9)
            if min(len(before[label]), len(after[label])) < least:
                continue
            statistic = _statistic(name, is_magnitude=is_magnitude)
            source = Source(np.array(before[label]), np.array(after[label]), statistic)
            fits = all(
                math.isclose(float(statistic(samples)), value, rel_tol=TOLERANCE, abs_tol=1e-9)
                for samples, value in zip((source.before, source.after), values, strict=True)
            )
            if fits and (best is None or shared > best[0]):
                best = shared, source
    return best[1] if best else None


def interval(source: Source) -> tuple[tuple[float, float], bool]:
    """Return the 95 % interval of after ÷ before, and True; of after − before if a ratio is none.

    Statistics below zero are taken by their magnitude: of a skew, nearer to zero is less.
    """
    before = np.abs(_resampled(source.before, source.statistic, SEED))
    after = np.abs(_resampled(source.after, source.statistic, SEED + 1))
    is_ratio = bool((before > 0).all())
    low, high = np.percentile(after / before if is_ratio else after - before, ENDS)
    return (float(low), float(high)), is_ratio


# --- resampling ---------------------------------------------------------------------------------
def _resampled(samples: Values, statistic: Statistic, seed: int) -> Values:
    """Return the statistic of so many resamples, (RESAMPLES,)."""
    dice = np.random.default_rng(seed)
    block = _block_length(samples)
    blocks = math.ceil(len(samples) / block)
    found = []
    at_a_time = max(1, CHUNK // len(samples))
    for first in range(0, RESAMPLES, at_a_time):
        count = min(at_a_time, RESAMPLES - first)
        starts = dice.integers(len(samples), size=(count, blocks, 1))
        drawn = (starts + np.arange(block)).reshape(count, -1)[:, : len(samples)]
        found.append(statistic(samples[drawn % len(samples)]))
    return np.concatenate(found)


def _block_length(samples: Values) -> int:
    """Neighbours that resemble each other are drawn together, else the interval is too narrow.

    Source: Carlstein 1986, Annals of Statistics 14(3): the best length if each value leans on the
    one before it with correlation r.
    """
    centred = samples - samples.mean()
    power = float(centred @ centred)
    r = float(centred[:-1] @ centred[1:]) / power if power > 0 else 0.0
    r = min(max(r, 0.0), 0.99)
    length = (2 * r / (1 - r * r)) ** (2 / 3) * len(samples) ** (1 / 3)
    return int(min(max(1, round(length)), len(samples) // 4))


# --- names --------------------------------------------------------------------------------------
def _named_statistic(figure: str) -> str | None:
    for word in figure.lower().split("_"):
        if word in ("median", "mean") or re.fullmatch(r"p\d\d", word):
            return word
    return None


def _candidates(named: str | None) -> Iterator[tuple[str, bool]]:
    for name in [named] if named else ["median", "mean"]:
        yield name, False
        yield name, True


def _share(name: str) -> float:
    return int(name[1:]) / 100 if name[0] == "p" else 0.5


def _statistic(name: str, *, is_magnitude: bool) -> Statistic:
    def statistic(values: Values) -> Values:
        values = np.abs(values) if is_magnitude else values
        if name == "mean":
            return np.asarray(values.mean(axis=-1))
        return np.asarray(np.percentile(values, 100 * _share(name), axis=-1))

    return statistic


def _words(text: str) -> set[str]:
    """Words that say what was measured: no statistic and no unit."""
    return set(re.findall(r"[a-z][a-z0-9]{2,}", text.lower())) - SAY_NOTHING
