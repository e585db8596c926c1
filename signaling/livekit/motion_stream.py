"""Publish the face's motion to the room as a byte stream, for robots and games.

Topic ``rt_avatar.motion``. The stream's attributes say how to read it; its bytes are rows, one for
each picture, in order, little-endian, without anything between them:

    uint32   time of the picture: samples at ``pts_rate_hz``, counted from the session's start
    float32  × 73, in the order of the attribute ``names``, then the pose of the head (radians and
             head units). The attribute ``space`` says what the first 64 are: ``arkit52``, the 52
             ARKit blendshapes (0..1) and reserved ones (ignore them); ``bfm64``, coefficients of
             the Basel Face Model's expressions, as DreamTalk makes them, without bounds

Written every 200 ms. A stream lasts ten seconds, or until somebody comes into the room; the next
one begins where it ends. Rows that a slow room could not take in time are missing, whole. A reader
keeps what it has of a row until the rest comes: the SDKs may cut anywhere.
"""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final

import numpy as np
from livekit import rtc

from rt_avatar.engines.motion.space import MotionSpace
from rt_avatar.engines.types import FPS, MOTION_SIZE, WIRE_RATE_HZ, MotionFrame
from rt_avatar.media_io import VideoPicture
from rt_avatar.signaling.livekit.names import TOPIC_MOTION

VERSION: Final = 1
CHUNK_ROWS: Final = 5  # 200 ms: five packets a second, each of 1,480 bytes
STREAM_ROWS: Final = 10 * FPS
MAX_WAITING_ROWS: Final = FPS  # a second; what is older would move a face that is elsewhere
WRITE_S: Final = (
    5.0  # the first one negotiates a connection; a line that is worse gets a new stream
)
CLOSE_S: Final = 1.0
# What a line that is away raises; of a room that is closed the SDK asserts that it knows it.
SEND_ERRORS: Final = (TimeoutError, rtc.StreamError, AssertionError)

ROW: Final = np.dtype([("pts", "<u4"), ("motion", "<f4", (MOTION_SIZE,))])


class MotionSender:
    """Sends the motion of the pictures that leave. One event loop only; owned by the call.

    It sends only while somebody else is in the room.

    Args:
        room: Where to.
        space: Of the motion.
    """

    def __init__(self, room: rtc.Room, space: MotionSpace) -> None:
        self._room, self._space = room, space
        # Full: the oldest row is dropped, whole.
        self._rows: deque[tuple[int, MotionFrame]] = deque(maxlen=MAX_WAITING_ROWS)
        self._has_chunk = asyncio.Event()
        self._is_newcomer_there = False

    def take(self, picture: VideoPicture) -> None:
        """Take the motion of a picture that was just sent; never waits."""
        self._rows.append((picture.pts, picture.motion))
        if len(self._rows) >= CHUNK_ROWS:
            self._has_chunk.set()

    async def run(self) -> None:
        """Send until cancelled, one stream after the other."""
        # Not when it has joined: before it is active it cannot receive data.
        self._room.on("participant_active", self._on_newcomer)
        try:
            while True:
                await self._has_chunk.wait()
                if not self._room.isconnected() or not self._room.remote_participants:
                    self._take_rows()
                    continue
                try:
                    await self._send_stream()
                except SEND_ERRORS:
                    self._take_rows()  # the line was away: what waits is old
        finally:
            self._room.off("participant_active", self._on_newcomer)

    def _on_newcomer(self, _participant: rtc.RemoteParticipant) -> None:
        self._is_newcomer_there = True

    def _take_rows(self) -> list[tuple[int, MotionFrame]]:
        rows = list(self._rows)
        self._rows.clear()
        self._has_chunk.clear()
        return rows

    async def _send_stream(self) -> None:
        """Open a stream, fill it, close it."""
        self._is_newcomer_there = False
        async with asyncio.timeout(WRITE_S):
            writer = await self._room.local_participant.stream_bytes(
                "motion", topic=TOPIC_MOTION, attributes=attributes(self._space)
            )
        sent = 0
        try:
            # In a room that is gone the SDK would log each refused write with all its bytes.
            while sent < STREAM_ROWS and not self._is_newcomer_there and self._room.isconnected():
                rows = self._take_rows()
                sent += len(rows)
                async with asyncio.timeout(WRITE_S):
                    await writer.write(pack(rows))
                await self._has_chunk.wait()
        finally:
            if self._room.isconnected():
                with suppress(*SEND_ERRORS):  # else it would hide a cancellation, and nothing ends
                    async with asyncio.timeout(CLOSE_S):
                        await writer.aclose()


def attributes(space: MotionSpace) -> dict[str, str]:
    """Return what a reader of motion in that space must know, as the stream's attributes."""
    return {
        "version": str(VERSION),
        "fps": str(FPS),
        "pts_rate_hz": str(WIRE_RATE_HZ),
        "row_bytes": str(ROW.itemsize),
        "space": space.name,
        "names": ",".join(space.channels),
    }


def pack(rows: list[tuple[int, MotionFrame]]) -> bytes:
    """Return the bytes of some rows: time and (73,) motion each."""
    packed = np.zeros(len(rows), ROW)
    for index, (pts, motion) in enumerate(rows):
        packed[index] = (pts % 2**32, motion)
    return packed.tobytes()


def unpack(data: bytes) -> list[tuple[int, MotionFrame]]:
    """Return the rows of whole rows' bytes: time and (73,) motion each.

    Raises:
        ValueError: Not a whole number of rows.
    """
    if len(data) % ROW.itemsize:
        raise ValueError(
            f"motion: expected rows of {ROW.itemsize} bytes, got {len(data)} bytes; "
            "join chunks before reading them"
        )
    return [(int(row["pts"]), row["motion"].copy()) for row in np.frombuffer(data, ROW)]
