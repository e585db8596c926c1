"""The example's robot in a real room: its face moves whatever becomes of an avatar."""

import asyncio
import importlib.util
import sys
from itertools import count

import numpy as np
import pytest
from livekit import rtc

from rt_avatar.engines.motion.space import ARKIT52
from rt_avatar.engines.types import MOTION_SIZE
from rt_avatar.signaling.livekit.motion_stream import attributes, pack
from rt_avatar.signaling.livekit.names import TOPIC_MOTION
from tests.livekit.server import ROOT

pytestmark = pytest.mark.realtime


class Robot:
    """``robot_face.py`` with servos that note at which times of the motion they were moved."""

    def __init__(self, monkeypatch) -> None:
        path = ROOT / "examples" / "livekit" / "robot_face.py"
        spec = importlib.util.spec_from_file_location("robot_face", path)
        self.program = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "robot_face", self.program)
        spec.loader.exec_module(self.program)
        self.program.move = self._move
        self.moved_s: list[float] = []
        self._news = asyncio.Event()

    def _move(self, at_s, _face) -> None:
        self.moved_s.append(at_s)
        self._news.set()

    async def until_moved(self, at_s: float) -> None:
        async with asyncio.timeout(20):
            while at_s not in self.moved_s:
                self._news.clear()
                await self._news.wait()


async def moving(room: rtc.Room, first: int) -> None:
    """Send motion from a row on, as an avatar does; the stream is left open."""
    writer = await room.local_participant.stream_bytes(
        "motion", topic=TOPIC_MOTION, attributes=attributes(ARKIT52)
    )
    for number in count(first):
        await writer.write(pack([(number * 1920, np.zeros(MOTION_SIZE, np.float32))]))
        await asyncio.sleep(0.04)


async def test_a_robot_whose_avatar_dies_follows_the_next_one(livekit, room_name, monkeypatch):
    robot, room = Robot(monkeypatch), rtc.Room()
    await room.connect(livekit.url, livekit.token("robot-face", room_name, kind="agent"))
    following = asyncio.create_task(robot.program.follow(room, 1))
    for worker, first in enumerate((0, 1000, 2000)):
        avatar = rtc.Room()
        await avatar.connect(livekit.url, livekit.token(f"avatar-{worker}", room_name))
        sending = asyncio.create_task(moving(avatar, first))
        await robot.until_moved((first + 2) * 0.04)
        sending.cancel()
        await asyncio.wait({sending})
        await avatar.disconnect()
    assert not following.done()
    await room.disconnect()
    async with asyncio.timeout(10):
        await following
