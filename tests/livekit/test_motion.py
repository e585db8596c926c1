"""The motion stream as a robot in the room reads it, through a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import numpy as np
import pytest
from livekit import rtc

from rt_avatar.engines.motion.space import ARKIT52
from rt_avatar.engines.types import MOTION_SIZE
from rt_avatar.media_io import VideoPicture
from rt_avatar.signaling.livekit.motion_stream import CHUNK_ROWS, MotionSender
from rt_avatar.signaling.livekit.outgoing import RoomTracks
from tests.livekit.numbered import NumberedMediaOutput, read_number
from tests.livekit.rooms import Caller

pytestmark = pytest.mark.realtime

PLANES = np.full((96, 64), 128, np.uint8)


def picture(number: int) -> VideoPicture:
    return VideoPicture(number * 1920, PLANES, np.full(MOTION_SIZE, number / 7, np.float32))


@asynccontextmanager
async def sender(livekit, room_name) -> AsyncIterator[tuple[MotionSender, rtc.Room]]:
    room = rtc.Room()
    await room.connect(livekit.url, livekit.token("avatar", room_name))
    motion = MotionSender(room, ARKIT52)
    task = asyncio.create_task(motion.run())
    try:
        yield motion, room
    finally:
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        await room.disconnect()


async def test_rows_are_the_motion_of_the_pictures_at_their_times(livekit, room_name):
    async with Caller(livekit, room_name) as robot, sender(livekit, room_name) as (motion, _):
        await robot.wait_for_participant("avatar")
        for number in range(2 * CHUNK_ROWS):
            motion.take(picture(number))
        await robot.until(lambda: len(robot.rows) >= 2 * CHUNK_ROWS)
    for number, (pts, row) in enumerate(robot.rows):
        assert pts == number * 1920
        np.testing.assert_array_equal(row, np.full(MOTION_SIZE, number / 7, np.float32))
    header = robot.motion_headers[0]
    assert header["space"] == "arkit52"
    assert header["names"].split(",") == list(ARKIT52.channels)
    assert (header["version"], header["fps"], header["pts_rate_hz"]) == ("1", "25", "48000")
    assert int(header["row_bytes"]) == 4 + 4 * MOTION_SIZE


async def feed(motion: MotionSender) -> None:
    """Give pictures at their pace."""
    for number in count():
        motion.take(picture(number))
        await asyncio.sleep(0.04)


async def test_a_robot_that_comes_later_gets_a_stream_of_its_own(livekit, room_name):
    async with Caller(livekit, room_name) as first, sender(livekit, room_name) as (motion, _):
        first.start(feed(motion))
        await first.until(lambda: bool(first.rows))
        async with Caller(livekit, room_name, "late") as late:
            await late.until(lambda: len(late.rows) > 2 * CHUNK_ROWS)
            last = late.rows[-1][0]
            await first.until(lambda: first.rows[-1][0] >= last)
    assert len(first.motion_headers) >= 2  # the old stream ended for the newcomer's sake
    for robot in (first, late):
        numbers = [pts // 1920 for pts, _ in robot.rows]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_rows_and_pictures_of_a_call_agree(livekit, room_name):
    shown: set[int] = set()
    media_output = NumberedMediaOutput()
    async with Caller(livekit, room_name) as robot, sender(livekit, room_name) as (motion, room):
        robot.on_picture = lambda _who, seen: shown.add(read_number(seen.luma))
        tracks = RoomTracks(room, media_output, 256, motion.take)
        await tracks.publish()
        task = asyncio.create_task(tracks.run())
        await robot.until(lambda: len(robot.rows) >= 50 and len(shown) >= 40)
        task.cancel()
        await asyncio.wait({task})
        await tracks.aclose()
    moved = {pts // 1920: row for pts, row in robot.rows}
    assert all(row[0] == number for number, row in moved.items())  # as the media output numbers it
    assert len(moved.keys() & shown) > 30
