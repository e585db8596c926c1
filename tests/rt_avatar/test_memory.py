"""A serving process keeps what its threads free where all of them find it."""

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
SERVER = """
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


def pools(environment: dict[str, str]) -> int:
    """Return how many pools a serving process has."""
    told = subprocess.run(
        [sys.executable, "-c", SERVER],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.count("<heap nr=")


def test_threads_of_a_serving_process_share_two_pools(monkeypatch) -> None:
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    assert pools({}) == 2


def test_who_asks_for_more_pools_gets_them() -> None:
    assert pools({"MALLOC_ARENA_MAX": "6"}) > 2
