"""What every serving process does before it serves."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest
from aiohttp import web

from rt_avatar.errors import SetupError
from rt_avatar.signaling.process import listening, stop_signals
from tests.signaling.serving import ROOT

pytestmark = pytest.mark.unit

SHOW_LIMITS = """
import resource, sys
from rt_avatar.signaling import process

async def show():
    print(*resource.getrlimit(resource.RLIMIT_NOFILE))

soft, hard = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
process.MAX_FILES = 1000
process.run_loop(show())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
@pytest.mark.parametrize(
    ("soft", "hard", "expected"),
    [
        (256, 512, 512),
        (512, 512, 512),
        (256, 1000, 1000),
        (256, 2000, 1000),
        (1500, 2000, 1500),  # the operator wants more
    ],
)
def test_a_serving_process_may_open_as_many_files_as_the_system_allows(soft, hard, expected):
    done = subprocess.run(
        [sys.executable, "-c", SHOW_LIMITS, str(soft), str(hard)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == [str(expected), str(hard)], done.stderr


async def test_a_host_that_no_name_can_be_is_told_in_a_sentence():
    with pytest.raises(
        SetupError, match=r"server\.host, .* got 127\.0\.0\.\.1:0 \(.*choose another"
    ):
        async with listening(web.Application(), "127.0.0..1", 0):
            pass


async def hear(number: int) -> None:
    """Tell this process a signal, and wait until its loop has heard it."""
    loop, heard = asyncio.get_running_loop(), asyncio.Event()
    os.kill(os.getpid(), number)
    loop.add_signal_handler(signal.SIGWINCH, heard.set)  # handled after what was told before
    os.kill(os.getpid(), signal.SIGWINCH)
    await heard.wait()
    loop.remove_signal_handler(signal.SIGWINCH)


@pytest.mark.skipif(sys.platform == "win32", reason="no such handlers")
@pytest.mark.parametrize(("one_wish_s", "wishes"), [(0.0, 2), (600.0, 1)])
async def test_a_signal_that_comes_twice_is_one_wish_where_that_is_to_be_expected(
    one_wish_s, wishes
):
    stop = stop_signals(one_wish_s)
    try:
        async with asyncio.timeout(10):
            await hear(signal.SIGTERM)
            await hear(signal.SIGINT)
            for _ in range(wishes):
                await stop.acquire()
        assert stop.locked()
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().remove_signal_handler(number)
