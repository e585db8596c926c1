"""A call from the real page, at a scripted other end: everything that a benchmark asks of it."""

import asyncio

import numpy as np
import pytest

from rt_avatar.benchmarks.browser.call import opened_call
from rt_avatar.benchmarks.browser.chromium import running_chromium
from rt_avatar.benchmarks.browser.readings import join
from rt_avatar.benchmarks.browser.tape import MicTape
from tests.fakes.page_server import running_page_server

pytestmark = pytest.mark.realtime


async def test_a_call_is_measured_from_its_beginning_to_its_end(tmp_path):
    tone = (8000 * np.sin(np.arange(48_000) * (2 * np.pi * 440 / 48_000))).astype(np.int16)
    mic = MicTape().speak(np.tile(tone, 30), "tone").write(tmp_path / "mic.wav")
    async with (
        running_page_server() as server,
        running_chromium(mic) as browser,
        opened_call(browser, server.url) as call,
    ):
        await call.start()
        await server.wait_called()
        server.send("state", turn=1, state="thinking")
        await call.send({"type": "interrupt"})
        parts = [await call.drain()]
        async with asyncio.timeout(15):
            while not (len(parts[-1].pictures.at_s) and any(part.messages for part in parts)):
                await asyncio.sleep(0.3)
                parts.append(await call.drain())
        await server.wait_message("interrupt")
        stats = await call.stats()
        await call.end()
    whole = join(parts)
    assert whole.mic.rms.max() > 0.01
    assert 0.002 < np.median(whole.remote.rms[-80:]) < 0.02  # the other end's quiet hum
    assert {"type": "state", "turn": 1, "state": "thinking"} in [m.data for m in whole.messages]
    assert set(whole.pictures.rtp) <= set(whole.decoded.rtp)
    now_s = whole.mic.at_s[-1]
    assert all(0 < message.at_s < now_s + 1 for message in whole.messages)
    assert stats.decoded_pictures > 0
    assert stats.heard_samples > 0
    assert stats.output_latency_s > 0
