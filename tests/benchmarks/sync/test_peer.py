"""A known skew at a real server is the skew that is reported, through the whole path."""

import asyncio
from contextlib import ExitStack

import numpy as np
import pytest

from rt_avatar.benchmarks.server import Server, running_server
from rt_avatar.benchmarks.sync.peer import record_call
from tests.conftest import BUSY

pytestmark = pytest.mark.realtime

FLAGS = ("--avatar.greeting", "false", *BUSY, "--tts.kind", "sync_test", "--avatar.size_px", "256")
CALL_S = 5


async def test_sound_that_was_moved_by_80_ms_is_reported_80_ms_later():
    with ExitStack() as stack:

        def start(*flags: str) -> Server:
            return stack.enter_context(running_server(*FLAGS, *flags))

        servers = await asyncio.gather(
            asyncio.to_thread(start), asyncio.to_thread(start, "--tts.sync_test_skew_ms", "80")
        )
        calls = [record_call(server, CALL_S) for server in servers]
        pairs = [recorded.pairs() for recorded in await asyncio.gather(*calls)]
    for found in pairs:
        assert len(found.skew_ms) >= CALL_S - 2
        assert found.lone_claps + found.lone_flashes <= 2  # cut off by the end of the call
    first, second = (float(np.median(found.skew_ms)) for found in pairs)
    assert second - first == pytest.approx(80, abs=5)
    assert abs(first) < 40
