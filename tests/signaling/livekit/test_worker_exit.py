"""A process that used the SDK ends with its own exit status, whatever the SDK is doing then."""

import asyncio
import sys

import pytest

pytestmark = pytest.mark.unit

# The SDK logs by a callback, which is held here until the process leaves; and the end of the
# interpreter is made long enough for the callback to come back into it.
PROGRAM = """
import asyncio, atexit, logging, sys, threading, time
from rt_avatar.signaling.livekit.worker import outlive_callbacks
outlive_callbacks()
from livekit import rtc

called, leaving = threading.Event(), threading.Event()

class Held(logging.Filter):
    def filter(self, record):
        called.set()
        leaving.wait()
        time.sleep(0.05)
        return False

class SlowEnd:
    def __del__(self, sleep=time.sleep):
        sleep(0.5)

logging.getLogger("livekit").addFilter(Held())
logging.getLogger("livekit").setLevel(1)
sys.path_hooks.append(SlowEnd())

async def main():
    # On one processor the SDK has one thread: while that is held, this never fails.
    connecting = asyncio.create_task(rtc.Room().connect("ws://127.0.0.1:9", "token"))
    assert await asyncio.to_thread(called.wait, 30)
    connecting.cancel()

asyncio.run(main())
atexit.register(leaving.set)
"""


async def test_a_callback_under_way_at_exit_does_not_abort_the_process():
    process = await asyncio.create_subprocess_exec(sys.executable, "-W", "ignore", "-c", PROGRAM)
    async with asyncio.timeout(60):
        assert await process.wait() == 0
