"""A serving process keeps little of what its threads free, and that where all of them find it."""

import os
import platform
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has such pools"),
]

# Eight threads of a serving process hold memory at once; tells how many pools it is from.
POOLS = """
import asyncio, ctypes, threading
from concurrent.futures import ThreadPoolExecutor
from rt_avatar.signaling.process import run_loop

async def serve():
    together = threading.Barrier(8)
    def hold():
        held = bytes(100_000)
        together.wait()
        return len(held)
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(8) as threads:
        await asyncio.gather(*(loop.run_in_executor(threads, hold) for _ in range(8)))

run_loop(serve())
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
stdout = libc.fdopen(1, b"w")
libc.malloc_info(0, ctypes.c_void_p(stdout))
libc.fflush(ctypes.c_void_p(stdout))
"""
# A serving process frees a block of 24 MiB, then several times as much in pieces; tells how many
# MiB it has more than before.
KEPT = """
import asyncio, mmap
from pathlib import Path
from rt_avatar.signaling.process import run_loop

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

async def serve():
    before = resident()
    for size in (24 << 20, *[1 << 20] * 3):
        held = [b"x" * size for _ in range((24 << 20) // size)]
        del held
    print((resident() - before) >> 20)

run_loop(serve())
"""


def told(code: str, monkeypatch, **environment: str) -> str:
    """Return what a serving process tells."""
    for name in ("MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"):
        monkeypatch.delenv(name, raising=False)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_threads_of_a_serving_process_share_two_pools(monkeypatch) -> None:
    assert told(POOLS, monkeypatch).count("<heap nr=") == 2


def test_who_asks_for_more_pools_gets_them(monkeypatch) -> None:
    assert told(POOLS, monkeypatch, MALLOC_ARENA_MAX="6").count("<heap nr=") > 2


def test_a_large_block_that_was_freed_does_not_make_it_keep_more(monkeypatch) -> None:
    assert int(told(KEPT, monkeypatch)) <= 4


def test_who_asks_it_to_keep_more_gets_that(monkeypatch) -> None:
    assert int(told(KEPT, monkeypatch, MALLOC_TRIM_THRESHOLD_=str(64 << 20))) >= 16
