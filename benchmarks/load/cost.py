"""What callers cost, from the steps of the load: a price a caller, so how many a core carries."""

import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rt_avatar.benchmarks.load.step import Step
from rt_avatar.benchmarks.result import percentile


@dataclass(frozen=True, slots=True)
class Rest:
    """A server before anybody calls, and with one caller who says nothing.

    Attributes:
        starts_s: From the start of the process to "ready", of each server started.
        mib: Memory at rest.
        cores: Processor at rest, in cores.
        idle_cores: The same with one silent caller.
    """

    starts_s: Sequence[float]
    mib: float
    cores: float
    idle_cores: float


@dataclass(frozen=True, slots=True)
class Price:
    """What one more caller in talk costs the server.

    Attributes:
        cores: Processor time a second of call, in cores.
        loop_cores: Of it, the thread of the event loop: one process has one.
        mib: Memory, the first caller left out (who pays for what all share).
    """

    cores: float
    loop_cores: float
    mib: float


def price(rest: Rest, steps: Sequence[Step]) -> Price:
    """Fit a line over callers, through the steps that were served in full.

    A server that skips pictures costs less than it should: steps that broke a promise count only
    when there is no other. Without any step all is NaN.
    """
    if not steps:
        return Price(float("nan"), float("nan"), float("nan"))
    good = [step for step in steps if step.keeps] or [steps[0]]
    callers = [0, *(step.callers for step in good)]
    return Price(
        cores=_slope(callers, [rest.cores, *(step.cores.server for step in good)]),
        # At rest all that is computed is the loop's.
        loop_cores=_slope(callers, [rest.cores, *(step.cores.loop for step in good)]),
        mib=_more_mib(steps),
    )


def first_call_mib(rest: Rest, steps: Sequence[Step]) -> float:
    """Return what the first caller added, with all that is loaded once; NaN without a step."""
    return percentile(steps[0].memory_mib, 50) - rest.mib if steps else float("nan")


def installation_mib() -> float:
    """Return the size of the environment that runs this."""
    folder = Path(sysconfig.get_paths()["purelib"])
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20


def _more_mib(steps: Sequence[Step]) -> float:
    """Fit all steps (a call needs its memory also when it is served badly); NaN of one."""
    if len(steps) < 2:
        return float("nan")
    return _slope(
        [step.callers for step in steps], [percentile(step.memory_mib, 50) for step in steps]
    )


def _slope(x: Sequence[float], y: Sequence[float]) -> float:
    return float(np.polyfit(x, y, 1)[0])
