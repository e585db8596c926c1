"""Does something grow? Measurements over a run → growth, robust against noise and single peaks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

# Counts (tasks, files) swing with what is going on; what leaks raises what never goes away. A tenth
# of the values may lie lower, so that one reading in the middle of something cannot decide.
FLOOR_SHARE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line through points."""

    slope: float
    level: float  # at x = 0

    def at(self, x: float) -> float:
        """Return its height at ``x``."""
        return self.level + self.slope * x


def fit_line(x: Sequence[float], y: Sequence[float]) -> Line:
    """Fit a line by Theil and Sen: the median of the slopes between all pairs of points.

    Up to 29 % of the points may be anything at all. NaN with fewer than two different ``x``.
    Source: Sen 1968, "Estimates of the regression coefficient based on Kendall's tau".
    """
    slopes = [
        (y[b] - y[a]) / (x[b] - x[a]) for a, b in combinations(range(len(x)), 2) if x[a] != x[b]
    ]
    if not slopes:
        return Line(math.nan, math.nan)
    slope = float(np.median(slopes))
    return Line(slope, float(np.median([b - slope * a for a, b in zip(x, y, strict=True)])))


def growth_percent(at_s: Sequence[float], values: Sequence[float]) -> float:
    """Return by how much of its first level a fitted line rises from the first to the last moment.

    Args:
        at_s: Moments, rising.
        values: What was measured then.
    """
    line = fit_line(at_s, values)
    if math.isnan(line.slope):
        return math.nan
    first, last = line.at(at_s[0]), line.at(at_s[-1])
    return 100 * (last - first) / first


def floor_growth(values: Sequence[float]) -> float:
    """Return by how much the floor of counts rose from the first third to the last; NaN of < 3.

    Of a steady leak this is two thirds of all that leaked: each floor is where its third begins.
    """
    third = len(values) // 3
    if not third:
        return math.nan
    return _floor(values[-third:]) - _floor(values[:third])


def ends(values: Sequence[float]) -> tuple[Sequence[float], Sequence[float]]:
    """Return the first and the last tenth of values, at least one each; nothing of nothing."""
    count = max(1, round(0.1 * len(values)))
    return values[:count], values[-count:]


def _floor(values: Sequence[float]) -> float:
    return float(np.percentile(values, FLOOR_SHARE, method="lower"))
