"""In a real browser claps are heard and flashes seen; how far apart is for no test to decide."""

import numpy as np
import pytest

from rt_avatar.benchmarks.browser.readings import WINDOW_S
from rt_avatar.benchmarks.server import running_server
from rt_avatar.benchmarks.sync.analysis import FLASH_LUMA, find_claps
from rt_avatar.benchmarks.sync.benchmark import FLAGS, SYNC_TEST
from rt_avatar.benchmarks.sync.browser import skipped_so_far, watch_call
from rt_avatar.benchmarks.sync.talk import TEXTS
from tests.conftest import BUSY

pytestmark = pytest.mark.realtime


async def test_claps_are_heard_and_flashes_are_seen_in_a_browser():
    times: list[float] = []
    with running_server(*FLAGS, *SYNC_TEST, *BUSY, "--avatar.size_px", "256") as server:
        watched = await watch_call(server, 4.5, times.append)
        assert set(await skipped_so_far(server.metrics)) <= {"audio", "video"}
    sound, decoded = watched.readings.remote, watched.readings.decoded
    assert len(find_claps(sound.at_s, sound.rms, WINDOW_S)) >= 2
    bright = decoded.brightness > FLASH_LUMA
    assert bright.any()
    assert np.median(decoded.brightness) < 30
    said = [message.data for message in watched.readings.messages]
    assert {"role": "caller", "text": TEXTS[0]}.items() <= next(
        message for message in said if message["type"] == "caption"
    ).items()
    assert times == sorted(times)
