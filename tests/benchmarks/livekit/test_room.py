"""Two of the benchmark's callers in one real room: what the one says, the other hears."""

import asyncio

import numpy as np
import pytest

from rt_avatar.benchmarks.livekit.analysis import first_sound
from rt_avatar.benchmarks.livekit.room import RoomCaller
from rt_avatar.benchmarks.livekit.server import LiveKitServer

pytestmark = pytest.mark.realtime


async def test_what_one_says_the_other_hears_after_it_was_said():
    pcm = (12_000 * np.sin(2 * np.pi * 500 / 48_000 * np.arange(48_000))).astype(np.int16)
    async with (
        LiveKitServer() as livekit,
        RoomCaller(livekit, "two", "speaker") as speaker,
        RoomCaller(livekit, "two", "listener") as listener,
    ):
        assert await listener.until(lambda: len(listener.audio.came_s) > 20, 20)
        assert first_sound(listener.audio, 0) is None
        said_s = await speaker.speak(pcm)
        assert await listener.until(lambda: first_sound(listener.audio, said_s) is not None, 20)
        heard_s = first_sound(listener.audio, 0)
        assert heard_s is not None
        assert said_s < heard_s <= asyncio.get_running_loop().time()
        assert first_sound(speaker.audio, 0) is None  # nobody hears themselves
