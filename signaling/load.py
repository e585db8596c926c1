"""Measure the load of the machine and the event loop → one number 0..1.

Two things make a call stutter, and each shows elsewhere: cores that are in use (``cpu``) and an
event loop that wakes late (its lag). The load is the worse of the two.
"""

import asyncio
import math
from typing import Final

from rt_avatar.signaling.cpu import CpuMeter
from rt_avatar.telemetry.metrics import Metrics

TICK_S: Final = 0.1  # lag is sampled ten times a second, the cores every tenth time
_CPU_TICKS: Final = 10
SMOOTHING_S: Final = 5.0  # time constant: one clause's rendering does not count as being full
# Lag that counts as load 1: two audio blocks; browsers hold about that much against jitter.
FULL_LAG_S: Final = 0.040


class LoadMeter:
    """Measures while ``run`` runs; ``load`` and ``lag_s`` can be read at any time."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._cpu = 0.0
        self.lag_s = 0.0

    @property
    def load(self) -> float:
        """0 (idle) to 1 (full), smoothed over some seconds."""
        return min(1.0, max(self._cpu, self.lag_s / FULL_LAG_S))

    async def run(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        cpu = CpuMeter()
        cpu.share(loop.time())  # sets the starting point
        while True:
            for _ in range(_CPU_TICKS):
                due = loop.time() + TICK_S
                await asyncio.sleep(TICK_S)
                self.note_lag(loop.time() - due)
            self._metrics.tasks.set(len(asyncio.all_tasks()))
            self.note_cpu(cpu.share(loop.time()))

    def note_lag(self, lag_s: float) -> None:
        """Take one measurement of the event loop's lag."""
        self._metrics.observe_lag(lag_s)
        self.lag_s += (max(lag_s, 0.0) - self.lag_s) * _weight(TICK_S)

    def note_cpu(self, share: float) -> None:
        """Take one measurement of the cores' share in use, 0..1."""
        self._cpu += (share - self._cpu) * _weight(TICK_S * _CPU_TICKS)
        self._metrics.load.set(self.load)


def _weight(period_s: float) -> float:
    """Weight of a new value in an exponential average with our time constant."""
    return 1 - math.exp(-period_s / SMOOTHING_S)
