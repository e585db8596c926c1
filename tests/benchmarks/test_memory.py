"""Memory is what the processes hold themselves, whoever else maps the same files."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from rt_avatar.benchmarks.memory import memory_mib

pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(not psutil.LINUX, reason="only Linux tells whose a page is"),
]

BIG_MIB = 32
# Maps a file and reads all of it.
READER = """
import mmap, sys
with open(sys.argv[1], "rb") as file:
    pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
sum(pages[::4096])
print(flush=True)
sys.stdin.read()
"""
# Holds as much of its own; forks when it is told to, and its fork touches none of it.
PARENT = """
import os, sys
held = bytearray(b"x") * (int(sys.argv[1]) << 20)
print(flush=True)
sys.stdin.readline()
fork = os.fork()
if fork:
    print(flush=True)
    os.waitpid(fork, 0)
    print(flush=True)
sys.stdin.read()
"""


@contextmanager
def running(code: str, argument: object) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, "-c", code, str(argument)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        process.stdout.readline()
        yield process
        process.stdin.close()


@pytest.fixture
def big_file(tmp_path: Path) -> Path:
    path = tmp_path / "library"
    path.write_bytes(b"x" * (BIG_MIB << 20))
    return path


def test_a_stranger_who_maps_the_same_file_takes_nothing_away(big_file: Path) -> None:
    with running(READER, big_file) as one:
        alone = psutil.Process(one.pid)
        before = memory_mib([alone])
        assert before > BIG_MIB
        with running(READER, big_file):
            assert memory_mib([alone]) == pytest.approx(before, abs=0.5)


def test_a_file_that_two_of_them_map_counts_once(big_file: Path) -> None:
    with running(READER, big_file) as one, running(READER, big_file) as other:
        both = [psutil.Process(one.pid), psutil.Process(other.pid)]
        assert BIG_MIB < memory_mib(both) < memory_mib(both[:1]) + BIG_MIB / 2


def test_what_a_fork_shares_with_its_parent_counts_once_and_who_has_ended_not() -> None:
    with running(PARENT, BIG_MIB) as one:
        parent = psutil.Process(one.pid)
        before = memory_mib([parent])
        assert before > BIG_MIB
        one.stdin.write("\n")
        one.stdin.flush()
        one.stdout.readline()
        (fork,) = parent.children()
        assert before <= memory_mib([parent, fork]) < before + BIG_MIB / 2
        fork.kill()
        one.stdout.readline()  # it is buried
        assert memory_mib([parent, fork]) == pytest.approx(before, abs=0.5)
