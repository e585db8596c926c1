"""A camera that shows a recording: a real face costs a server more than a colour does."""

import asyncio
import itertools
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from aiortc import MediaStreamTrack
from av import VideoFrame

from rt_avatar.benchmarks.peer.media import Camera
from rt_avatar.engines.media_file import PICTURES, MediaError, open_media, pictures_of
from rt_avatar.errors import BadInputError

WIDTH_PX: Final = 320
HEIGHT_PX: Final = 240
PERIOD_S: Final = 0.1  # as docs/protocol.md advises pages
MAX_PICTURES: Final = 50  # 5 s in a loop; 6 MB
_TIME_BASE: Final = Fraction(1, 90_000)


class RecordedCamera(MediaStreamTrack):  # type: ignore[misc]
    """Plays the first seconds of a video again and again, 320 × 240, ten pictures a second.

    Raises:
        BadInputError: The file holds no pictures.
    """

    kind = "video"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._pictures = itertools.cycle(read_pictures(path))
        self._times: Iterator[int] = itertools.count(0, 9_000)  # a tenth at 90 kHz
        self._due_s: float | None = None

    async def recv(self) -> VideoFrame:
        """Wait until the next picture is due and return it."""
        loop = asyncio.get_running_loop()
        self._due_s = loop.time() if self._due_s is None else self._due_s + PERIOD_S
        await asyncio.sleep(max(0.0, self._due_s - loop.time()))
        frame = next(self._pictures)
        frame.pts = next(self._times)
        return frame


def point_camera(pc: Any, path: Path) -> None:
    """Let a connection whose camera shows a colour show a recording instead."""
    for sender in pc.getSenders():
        if isinstance(sender.track, Camera):
            sender.replaceTrack(RecordedCamera(path))


def read_pictures(path: Path) -> list[VideoFrame]:
    """Return the pictures that a camera plays in a loop.

    Raises:
        BadInputError: The file holds none.
    """
    try:
        with open_media(path, "a video", PICTURES) as file:
            rate = float(next((one.average_rate for one in file.streams.video), None) or 25)
            every = max(1, round(rate * PERIOD_S))
            some = itertools.islice(pictures_of(file), 0, MAX_PICTURES * every, every)
            pictures = [frame.reformat(WIDTH_PX, HEIGHT_PX, "yuv420p") for frame in some]
    except MediaError as error:
        raise BadInputError(str(error)) from error
    if not pictures:
        raise BadInputError(f"{path}: expected a video, found no picture in it")
    for picture in pictures:
        picture.time_base = _TIME_BASE
    return pictures
