"""Which share of the CPU that this process may use is in use: affinity, cgroup v1 and v2.

Where a cgroup's quota binds (a container with a CPU limit), what its processes used counts against
it: how busy the machine's other cores are is its neighbours' affair. Elsewhere the cores that this
process may run on count, whoever uses them.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import psutil

_USEC: Final = 1e-6
_NSEC: Final = 1e-9


@dataclass(slots=True)
class _Quota:
    """A cgroup's limit, in cores, and what its processes have used of it so far."""

    cores: float
    usage_file: Path
    used_s: float = 0.0

    def read_used_s(self) -> float:
        """Return the CPU seconds used since the cgroup was made; the last known on an error."""
        try:
            words = self.usage_file.read_text().split()
            if words[0] == "usage_usec":  # v2: "usage_usec N", then others
                return int(words[1]) * _USEC
            return int(words[0]) * _NSEC  # v1: the number alone
        except (OSError, ValueError, IndexError):
            return self.used_s


class CpuMeter:
    """Measures from one call of ``share`` to the next; ``root`` is where /proc and /sys lie.

    Attributes:
        cores: How many this process may use: its affinity, or a tighter quota.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self._numbers = _affinity()
        self._quotas = [one for one in _quotas(root) if one.cores < len(self._numbers)]
        self.cores = min([float(len(self._numbers)), *(one.cores for one in self._quotas)])
        self._at_s: float | None = None
        self._busy = 0.0

    def share(self, now_s: float) -> float:
        """Return the share in use since the last call, 0..1; ``now_s`` is any clock's seconds.

        Where it cannot be read (every file that a process may open is open), it is the last known.
        The first call only sets the starting point where a quota binds.
        """
        if not self._quotas:
            return self._busy_cores()
        elapsed_s = 0.0 if self._at_s is None else now_s - self._at_s
        self._at_s = now_s
        shares = [0.0]
        for quota in self._quotas:
            before_s, quota.used_s = quota.used_s, quota.read_used_s()
            if elapsed_s > 0:
                shares.append((quota.used_s - before_s) / elapsed_s / quota.cores)
        return min(1.0, max(shares))

    def _busy_cores(self) -> float:
        # The first call of the library's only sets its starting point and returns zeros.
        try:
            busy = psutil.cpu_percent(percpu=True)
        except OSError:
            return self._busy
        ours = [busy[number] for number in self._numbers if number < len(busy)]
        if len(ours) < len(self._numbers):  # numbered otherwise than our affinity (lxcfs)
            ours = busy
        self._busy = sum(ours) / len(ours) / 100
        return self._busy


def _affinity() -> frozenset[int]:
    """Return the numbers of the cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):  # Linux; it heeds cpusets, too
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(psutil.cpu_count() or 1))


def _quotas(root: Path) -> Iterator[_Quota]:
    """Yield the quotas of this process's cgroup and of all around it."""
    mount = root / "sys/fs/cgroup"
    for controllers, path in _memberships(root / "proc/self/cgroup"):
        if not controllers:
            for folder in _upwards(mount, path):
                yield from _quota([folder / "cpu.max"], [folder / "cpu.stat"])
        elif "cpu" in controllers.split(","):
            # Mounted by its own name or, mostly together with cpuacct, by both.
            cpu = mount / "cpu" if (mount / "cpu").exists() else mount / controllers
            for folder in _upwards(cpu, path):
                usage = mount / "cpuacct" / folder.relative_to(cpu)
                yield from _quota(
                    [folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us"],
                    [folder / "cpuacct.usage", usage / "cpuacct.usage"],
                )


def _memberships(file: Path) -> list[tuple[str, PurePosixPath]]:
    """Return controllers ("" is v2) and path of each hierarchy: lines of ``id:controllers:path``.

    Source: man 7 cgroups, "/proc files".
    """
    try:
        lines = [line.split(":", 2) for line in file.read_text().splitlines()]
    except OSError:  # no Linux
        return []
    return [(line[1], PurePosixPath(line[2])) for line in lines if len(line) == 3]


def _upwards(mount: Path, path: PurePosixPath) -> Iterator[Path]:
    """Yield the folders of a cgroup and of all around it; those that are not shown are not there.

    A container mostly sees its own cgroup as the root, whatever path it is told.
    """
    for part in (path, *path.parents):
        yield mount / part.relative_to(part.anchor)


def _quota(limit_files: list[Path], usage_files: list[Path]) -> Iterator[_Quota]:
    """Yield the quota that some files hold, quota and period, if its use is known as well."""
    try:
        quota, period = " ".join(file.read_text() for file in limit_files).split()
        cores = int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):  # none, or "max"
        return
    usage_file = next((file for file in usage_files if file.is_file()), None)
    if cores > 0 and usage_file is not None:  # v1 says -1 for none
        yield _Quota(cores, usage_file)
