"""The promises of the architecture, and what results say of them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rt_avatar.benchmarks.result import Run


@dataclass(frozen=True, slots=True)
class Promise:
    """One line of the architecture's table of promises (two cores, no GPU).

    Attributes:
        text: What is promised, for people.
        limit: The largest value that keeps it.
        unit: Of the limit.
        source: Benchmark and figure that measure it; further figures stand in for the first where a
            result has none.
    """

    text: str
    limit: float
    unit: str
    source: tuple[str, ...]


PROMISES: Final = (
    Promise(
        "End of speech → first sound of the reply (plain sentences, if told apart), median",
        500,
        "ms",
        ("turn", "plain_p50_ms", "p50_ms"),
    ),
    Promise(
        "End of speech → first sound of the reply (likewise), 95th percentile",
        800,
        "ms",
        ("turn", "plain_p95_ms", "p95_ms"),
    ),
    Promise(
        "Caller speaks over the reply → silence, 95th percentile", 200, "ms", ("bargein", "p95_ms")
    ),
    Promise(
        "Caller speaks over the reply → mouth closed, 95th percentile",
        220,
        "ms",
        ("bargein", "mouth_p95_ms"),
    ),
    Promise("Sound against lips, 95th percentile of |skew|", 40, "ms", ("sync", "abs_skew_p95_ms")),
    Promise("Pictures that come late or not at all", 1, "%", ("sync", "uneven_pictures_percent")),
    Promise(
        "Growth of memory over 1,000 turns, after the first 50",
        5,
        "%",
        ("soak", "memory_growth_percent"),
    ),
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A promise and what was measured; NaN if it was not."""

    promise: Promise
    value: float
    benchmark: str = ""

    @property
    def is_measured(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def is_kept(self) -> bool:
        """Whether it is within the limit."""
        return self.is_measured and self.value <= self.promise.limit


def check_promises(runs: Mapping[str, Run]) -> list[Kept]:
    """Hold the results against every promise, in their order.

    Args:
        runs: Name of a benchmark → its run.
    """
    return [_check(promise, runs) for promise in PROMISES]


def _check(promise: Promise, runs: Mapping[str, Run]) -> Kept:
    benchmark, *figures = promise.source
    if benchmark not in runs:
        return Kept(promise, math.nan)
    measured = runs[benchmark].result.figures
    value = next((measured[figure] for figure in figures if figure in measured), math.nan)
    return Kept(promise, value, benchmark)
