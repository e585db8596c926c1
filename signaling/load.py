"""Measure the load of the machine and the event loop → one number 0..1.

Two things make a call stutter, and each shows elsewhere: cores that are in use (``cpu``) and an
event loop that wakes late (its lag). The load is the worse of the two. Whether one more caller can
be served follows from what a call was measured to cost (``call_cost``) as well.
"""

import asyncio
import math
import time
from collections.abc import Callable
from typing import Final

from rt_avatar.signaling.call_cost import CallCost
from rt_avatar.signaling.cpu import CpuMeter
from rt_avatar.telemetry.metrics import Metrics

TICK_S: Final = 0.1  # lag is sampled ten times a second, the cores every tenth time
_CPU_TICKS: Final = 10
SMOOTHING_S: Final = 5.0  # time constant: one clause's rendering does not count as being full
# Lag that counts as load 1: two audio blocks; browsers hold about that much against jitter.
FULL_LAG_S: Final = 0.040


class LoadMeter:
    """Measures while ``run`` runs; ``load`` and ``lag_s`` can be read at any time.

    Args:
        metrics: Are told what is measured.
        calls: How many calls this process has now.
        calls_elsewhere: How many calls other processes of this server have now.
    """

    def __init__(
        self,
        metrics: Metrics,
        calls: Callable[[], int],
        calls_elsewhere: Callable[[], int] = lambda: 0,
    ) -> None:
        self._metrics = metrics
        self._calls = calls
        self._calls_elsewhere = calls_elsewhere
        self._meter = CpuMeter()
        self._cost = CallCost()
        self._cpu = self._own_cores = 0.0
        self.lag_s = 0.0

    @property
    def load(self) -> float:
        """0 (idle) to 1 (full), smoothed over some seconds."""
        return min(1.0, max(self._cpu, self.lag_s / FULL_LAG_S))

    @property
    def load_with_one_more(self) -> float:
        """The load if one more called and all talked at once, 0 to 1; never below ``load``.

        What others use of the cores now is counted as it is; a recogniser in a process of its own
        is one of them. Calls elsewhere count at least as much as if they were here.
        """
        others = max(
            self._cpu * self._meter.cores - self._own_cores,
            self._calls_elsewhere() * self._cost.cores,
        )
        calls = (self._calls() + 1) * self._cost.cores
        return min(1.0, max(self.load, (others + calls) / self._meter.cores))

    async def run(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        measured_s, used_s = loop.time(), time.process_time()
        self._meter.share(measured_s)  # sets the starting point
        while True:
            for _ in range(_CPU_TICKS):
                due = loop.time() + TICK_S
                await asyncio.sleep(TICK_S)
                self.note_lag(loop.time() - due)
            self._metrics.tasks.set(len(asyncio.all_tasks()))
            now_s, now_used_s = loop.time(), time.process_time()
            own_cores = (now_used_s - used_s) / max(now_s - measured_s, TICK_S)
            measured_s, used_s = now_s, now_used_s
            self.note_cpu(self._meter.share(now_s), own_cores)

    def note_lag(self, lag_s: float) -> None:
        """Take one measurement of the event loop's lag."""
        self._metrics.observe_lag(lag_s)
        self.lag_s += (max(lag_s, 0.0) - self.lag_s) * _weight(TICK_S)

    def note_cpu(self, share: float, own_cores: float = 0.0) -> None:
        """Take one measurement of the cores' share in use, 0..1, and of this process's cores."""
        weight = _weight(TICK_S * _CPU_TICKS)
        self._cpu += (share - self._cpu) * weight
        self._own_cores += (own_cores - self._own_cores) * weight
        self._cost.note(own_cores, self._calls())
        self._metrics.load.set(self.load)
        self._metrics.call_cores.set(self._cost.cores)


def _weight(period_s: float) -> float:
    """Weight of a new value in an exponential average with our time constant."""
    return 1 - math.exp(-period_s / SMOOTHING_S)
