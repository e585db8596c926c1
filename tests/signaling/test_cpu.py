"""How much of the CPU is ours and in use, read from made folders as containers show them."""

import errno
import os
from pathlib import Path

import psutil
import pytest

from rt_avatar.signaling.cpu import CpuMeter

pytestmark = pytest.mark.unit

V2 = "0::{path}\n"
V1 = "4:memory:/docker/1f\n3:cpu,cpuacct:{path}\n0::/\n"


@pytest.fixture(autouse=True)
def _four_cores(monkeypatch):
    """This process may use cores 0 to 3 of eight; all eight are idle."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    use_cores(monkeypatch, [0.0] * 8)


def use_cores(monkeypatch, busy: list[float]) -> None:
    monkeypatch.setattr(psutil, "cpu_percent", lambda percpu=False: busy)


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def test_only_the_cores_that_this_process_may_use_count(tmp_path, monkeypatch):
    use_cores(monkeypatch, [10, 30, 10, 30, 100, 100, 100, 100])
    meter = CpuMeter(tmp_path)
    assert meter.cores == 4
    assert meter.share(1.0) == pytest.approx(0.2)


def test_a_machine_whose_cores_are_shown_under_other_numbers_counts_whole(tmp_path, monkeypatch):
    use_cores(monkeypatch, [50, 70])  # as lxcfs does
    assert CpuMeter(tmp_path).share(1.0) == pytest.approx(0.6)


def test_without_an_affinity_all_cores_count(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")
    use_cores(monkeypatch, [50.0] * (psutil.cpu_count() or 1))
    meter = CpuMeter(tmp_path)
    assert meter.cores == psutil.cpu_count()
    assert meter.share(1.0) == pytest.approx(0.5)


@pytest.mark.parametrize("path", ["/", "/kubepods/pod1/a"])
def test_v2_quota_is_measured_by_what_the_container_used_and_no_neighbour(
    tmp_path, monkeypatch, path
):
    use_cores(monkeypatch, [100.0] * 8)
    write(tmp_path, "proc/self/cgroup", V2.format(path=path))
    folder = f"sys/fs/cgroup{path}".rstrip("/")
    write(tmp_path, f"{folder}/cpu.max", "150000 100000\n")
    write(tmp_path, f"{folder}/cpu.stat", "usage_usec 5000000\nuser_usec 4000000\n")
    meter = CpuMeter(tmp_path)
    assert meter.cores == 1.5
    meter.share(10.0)
    write(tmp_path, f"{folder}/cpu.stat", "usage_usec 5750000\nuser_usec 4700000\n")
    assert meter.share(11.0) == pytest.approx(0.5)


@pytest.mark.parametrize("controllers", ["cpu,cpuacct", "cpu"])
# Without a namespace of its own a container is told a path of the host, which it does not see.
@pytest.mark.parametrize("folder", ["", "/docker/1f"])
def test_v1_quota_is_measured_by_what_the_container_used_and_no_neighbour(
    tmp_path, monkeypatch, controllers, folder
):
    use_cores(monkeypatch, [100.0] * 8)
    write(tmp_path, "proc/self/cgroup", V1.format(path="/docker/1f"))
    cpu = f"sys/fs/cgroup/{controllers}{folder}"
    usage = f"sys/fs/cgroup/{'cpuacct' if controllers == 'cpu' else controllers}{folder}"
    write(tmp_path, f"{cpu}/cpu.cfs_quota_us", "200000\n")
    write(tmp_path, f"{cpu}/cpu.cfs_period_us", "100000\n")
    write(tmp_path, f"{usage}/cpuacct.usage", "3000000000\n")
    meter = CpuMeter(tmp_path)
    assert meter.cores == 2
    meter.share(10.0)
    write(tmp_path, f"{usage}/cpuacct.usage", "6000000000\n")
    assert meter.share(12.0) == pytest.approx(0.75)


def test_the_tightest_of_nested_quotas_counts(tmp_path):
    write(tmp_path, "proc/self/cgroup", V2.format(path="/pod/one"))
    for folder, quota in (("pod", 2), ("pod/one", 3)):
        write(tmp_path, f"sys/fs/cgroup/{folder}/cpu.max", f"{quota * 100_000} 100000")
        write(tmp_path, f"sys/fs/cgroup/{folder}/cpu.stat", "usage_usec 0")
    meter = CpuMeter(tmp_path)
    meter.share(0.0)
    for folder, used in (("pod", 1_000_000), ("pod/one", 600_000)):  # a sibling used the rest
        write(tmp_path, f"sys/fs/cgroup/{folder}/cpu.stat", f"usage_usec {used}")
    assert meter.cores == 2
    assert meter.share(1.0) == pytest.approx(0.5)


@pytest.mark.parametrize("quota", ["max 100000", "800000 100000", "nonsense", "0 0"])
def test_a_quota_that_binds_less_than_the_cores_is_none(tmp_path, monkeypatch, quota):
    use_cores(monkeypatch, [40.0] * 8)
    write(tmp_path, "proc/self/cgroup", V2.format(path="/"))
    write(tmp_path, "sys/fs/cgroup/cpu.max", quota)
    write(tmp_path, "sys/fs/cgroup/cpu.stat", "usage_usec 0")
    meter = CpuMeter(tmp_path)
    assert meter.cores == 4
    assert meter.share(1.0) == pytest.approx(0.4)


def test_this_machine_can_be_measured():
    meter = CpuMeter()
    assert meter.cores > 0
    assert 0 <= meter.share(1.0) <= 1


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.EACCES, errno.ENOENT])
def test_what_cannot_be_read_now_is_as_it_was(tmp_path, monkeypatch, number):
    def fail(percpu: bool = False) -> list[float]:
        raise OSError(number, os.strerror(number), "/proc/stat")

    meter = CpuMeter(tmp_path)
    monkeypatch.setattr(psutil, "cpu_percent", fail)
    assert meter.share(1.0) == 0  # nothing is known yet
    use_cores(monkeypatch, [50.0] * 8)
    assert meter.share(2.0) == pytest.approx(0.5)
    monkeypatch.setattr(psutil, "cpu_percent", fail)
    assert meter.share(3.0) == pytest.approx(0.5)
    use_cores(monkeypatch, [20.0] * 8)
    assert meter.share(4.0) == pytest.approx(0.2)
