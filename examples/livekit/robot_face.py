"""A robot's face in step with the avatar: joins the room, reads its motion, prints servo angles.

    LIVEKIT_URL=… LIVEKIT_API_KEY=… LIVEKIT_API_SECRET=… python examples/livekit/robot_face.py ROOM

Each row of the stream (docs/livekit.md) is what the face does in one picture, 25 times a second.
``SERVOS`` says which shapes move which servo; put your own robot's in its place, and in ``move``
what your servo controller wants instead of a line of text.
"""

import argparse
import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import numpy as np
from livekit import api, rtc

TOPIC = "rt_avatar.motion"
DEGREES = 180 / np.pi


@dataclass(frozen=True)
class Servo:
    """One servo: its angle at rest, and by how many degrees a whole shape moves it."""

    rest_deg: float
    by_shape: Mapping[str, float]
    least_deg: float
    most_deg: float

    def angle_deg(self, face: Mapping[str, float]) -> float:
        """Return the angle for a face, within what the servo can do."""
        moved = sum(amount * face.get(shape, 0.0) for shape, amount in self.by_shape.items())
        return float(np.clip(self.rest_deg + moved, self.least_deg, self.most_deg))


SERVOS = {
    "jaw": Servo(90, {"jawOpen": -28}, 60, 92),
    "mouth_left": Servo(90, {"mouthSmileLeft": 25, "mouthFrownLeft": -20}, 65, 115),
    "mouth_right": Servo(90, {"mouthSmileRight": -25, "mouthFrownRight": 20}, 65, 115),
    "lid_left": Servo(40, {"eyeBlinkLeft": 75, "eyeWideLeft": -15, "eyeSquintLeft": 15}, 20, 120),
    "lid_right": Servo(
        40, {"eyeBlinkRight": 75, "eyeWideRight": -15, "eyeSquintRight": 15}, 20, 120
    ),
    "brows": Servo(90, {"browInnerUp": 20, "browDownLeft": -10, "browDownRight": -10}, 70, 112),
    # The pose is in radians; its signs are those of the stream's table.
    "neck_nod": Servo(90, {"pitch": DEGREES}, 70, 110),
    "neck_turn": Servo(90, {"yaw": DEGREES}, 60, 120),
    "neck_tilt": Servo(90, {"roll": DEGREES}, 75, 105),
}


async def faces(reader: rtc.ByteStreamReader) -> AsyncIterator[tuple[float, dict[str, float]]]:
    """Yield the time (s, from the session's start) and the named values of each row of a stream.

    Raises:
        ValueError: The stream is of a version that is not known here.
    """
    about = reader.info.attributes or {}
    if about.get("version") != "1":
        raise ValueError(f"motion: expected version 1, got {about.get('version')!r}; update this")
    names = about["names"].split(",")
    rate_hz, size = float(about["pts_rate_hz"]), int(about["row_bytes"])
    row = np.dtype([("pts", "<u4"), ("values", "<f4", (len(names),))])
    left = b""
    async for chunk in reader:  # a chunk may end within a row
        left += chunk
        whole = len(left) // size * size
        for pts, values in np.frombuffer(left[:whole], row):
            yield int(pts) / rate_hz, dict(zip(names, values.tolist(), strict=True))
        left = left[whole:]


def move(at_s: float, face: Mapping[str, float]) -> None:
    """Move the servos: here, print where they would go."""
    angles = "  ".join(f"{name} {servo.angle_deg(face):5.1f}" for name, servo in SERVOS.items())
    print(f"{at_s:8.2f} s  {angles}", flush=True)


async def follow(room: rtc.Room, every: int) -> None:
    """Follow the avatar's motion until the room is left; ``every`` n-th row moves the servos."""
    newest: rtc.ByteStreamReader | None = None
    has_stream = asyncio.Event()

    def begin(reader: rtc.ByteStreamReader, _sender: str) -> None:
        """Go on with a new stream; the one before has no end if its avatar has died."""
        nonlocal newest
        if newest is not None:
            newest.close()
        newest = reader
        has_stream.set()

    room.register_byte_stream_handler(TOPIC, begin)
    count = 0
    while room.isconnected():
        try:
            await asyncio.wait_for(has_stream.wait(), 1.0)
        except TimeoutError:
            continue
        has_stream.clear()
        assert newest is not None
        try:
            async for at_s, face in faces(newest):  # ten seconds long; the next one follows it
                if count % every == 0:
                    move(at_s, face)
                count += 1
        except rtc.StreamError as error:  # it broke off; the next one is a new one
            print(f"motion: {error}", flush=True)


async def main() -> None:
    """Join a room and follow."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    env = os.environ.get
    parser.add_argument("room", help="name of the room")
    parser.add_argument("--url", default=env("LIVEKIT_URL", "ws://127.0.0.1:7880"))
    parser.add_argument("--every", type=int, default=5, help="print every n-th of 25 a second")
    options = parser.parse_args()
    # A robot shows and says nothing itself: it may neither send sound nor pictures.
    grants = api.VideoGrants(room_join=True, room=options.room, can_publish=False)
    token = api.AccessToken(env("LIVEKIT_API_KEY", "devkey"), env("LIVEKIT_API_SECRET", "secret"))
    room = rtc.Room()
    await room.connect(
        options.url,
        # Of the kind that is no person, or an avatar might take the robot for the one to talk with.
        token.with_identity("robot-face").with_kind("agent").with_grants(grants).to_jwt(),
        rtc.RoomOptions(auto_subscribe=False),
    )
    try:
        await follow(room, options.every)
    finally:
        await room.disconnect()


if __name__ == "__main__":
    asyncio.run(main())
