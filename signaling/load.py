"""How busy the machine and the event loop are: measured, smoothed, one number 0..1.

Three things make a call stutter, and each shows elsewhere: other programs (share of the machine's
cores), our own threads in a container with a CPU quota (share of *our* cores), and an event loop
that wakes late (its lag). The load is the worst of the three.
"""

import asyncio
import math
from pathlib import Path
from typing import Final

import psutil

from rt_avatar.telemetry.metrics import Metrics

TICK_S: Final = 0.1  # lag is sampled ten times a second, the cores every tenth time
_CPU_TICKS: Final = 10
SMOOTHING_S: Final = 5.0  # time constant: one clause's rendering does not count as being full
# Lag that counts as load 1: two audio blocks; browsers hold about that much against jitter.
FULL_LAG_S: Final = 0.040
_CGROUP_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")  # cgroup v2: "quota period" or "max period"


def available_cores() -> float:
    """Return the cores this process may use: the machine's, or its container's quota."""
    cores = float(psutil.cpu_count() or 1)
    try:
        quota, period = _CGROUP_QUOTA.read_text().split()
        return cores if quota == "max" else min(cores, int(quota) / int(period))
    except (OSError, ValueError):
        return cores


class LoadMeter:
    """Measures while ``run`` runs; ``load`` and ``lag_s`` can be read at any time."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._cores = available_cores()
        self._cpu = 0.0
        self.lag_s = 0.0

    @property
    def load(self) -> float:
        """0 (idle) to 1 (full), smoothed over some seconds."""
        return min(1.0, max(self._cpu, self.lag_s / FULL_LAG_S))

    async def run(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        process = psutil.Process()
        psutil.cpu_percent()  # the first call of each only sets its starting point
        process.cpu_percent()
        while True:
            for _ in range(_CPU_TICKS):
                due = loop.time() + TICK_S
                await asyncio.sleep(TICK_S)
                self.note_lag(loop.time() - due)
            self._metrics.tasks.set(len(asyncio.all_tasks()))
            own = process.cpu_percent() / 100 / self._cores
            self.note_cpu(max(psutil.cpu_percent() / 100, own))

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
