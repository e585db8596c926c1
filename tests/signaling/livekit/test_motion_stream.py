import asyncio

import numpy as np
import pytest
from livekit import rtc

from rt_avatar.engines.motion.space import ARKIT52, BFM64
from rt_avatar.engines.types import ARKIT, MOTION_SIZE, PITCH, ROLL, SHIFT_X, SHIFT_Y, YAW
from rt_avatar.media_io import VideoPicture
from rt_avatar.signaling.livekit.motion_stream import (
    CHUNK_ROWS,
    MotionSender,
    attributes,
    pack,
    unpack,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("space", [ARKIT52, BFM64])
def test_every_number_of_a_row_has_a_name_and_the_space_is_told(space):
    told = attributes(space)
    names = told["names"].split(",")
    assert told["space"] == space.name
    assert len(names) == len(set(names)) == MOTION_SIZE
    assert (tuple(names[: len(ARKIT)]) == ARKIT) == (space.name == "arkit52")
    pose = {"pitch": PITCH, "yaw": YAW, "roll": ROLL, "shiftX": SHIFT_X, "shiftY": SHIFT_Y}
    assert {name: names.index(name) for name in pose} == pose


def test_rows_survive_the_wire_to_the_bit():
    rows = [(n * 1920, np.linspace(-n, n, MOTION_SIZE).astype(np.float32)) for n in range(7)]
    read = unpack(pack(rows))
    assert [pts for pts, _ in read] == [pts for pts, _ in rows]
    for (_, was), (_, motion) in zip(rows, read, strict=True):
        np.testing.assert_array_equal(motion, was)


def test_a_row_is_read_as_the_guide_says():
    data = pack([(0x01020304, np.arange(MOTION_SIZE, dtype=np.float32))])
    assert len(data) == int(attributes(ARKIT52)["row_bytes"]) == 296
    assert data[:4] == bytes([4, 3, 2, 1])
    assert np.frombuffer(data[4:], "<f4").tolist() == list(range(MOTION_SIZE))


def test_half_a_row_is_refused_with_what_to_do():
    with pytest.raises(ValueError, match=r"expected rows of 296 bytes, got 300.*join chunks"):
        unpack(bytes(300))


class GoneWriter:
    """Of a room that was left: nothing can be closed any more."""

    async def write(self, data: bytes) -> None: ...

    async def aclose(self) -> None:
        raise rtc.StreamError("handle not found")


class GoneRoom:
    """A room that is left while a stream of it is open."""

    def __init__(self) -> None:
        self.remote_participants = {"caller": None}
        self.local_participant = self
        self.has_stream = asyncio.Event()

    def isconnected(self) -> bool:
        return True

    def on(self, *_what: object) -> None: ...

    def off(self, *_what: object) -> None: ...

    async def stream_bytes(self, *_name: object, **_options: object) -> GoneWriter:
        self.has_stream.set()
        return GoneWriter()


async def test_a_sender_that_is_cancelled_ends_though_its_stream_cannot_be_closed():
    room = GoneRoom()
    sender = MotionSender(room, ARKIT52)
    picture = VideoPicture(0, np.zeros((6, 4), np.uint8), np.zeros(MOTION_SIZE, np.float32))
    for _ in range(CHUNK_ROWS):
        sender.take(picture)
    async with asyncio.timeout(60):
        task = asyncio.ensure_future(sender.run())
        await room.has_stream.wait()
        await asyncio.sleep(0)  # into the open stream
        task.cancel()
        await asyncio.wait({task})
    assert task.cancelled()
