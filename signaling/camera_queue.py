"""Holds a caller's pictures for the decoder, and never many: pictures of a codec → its thread.

The WebRTC library takes them at any rate. What comes faster than its thread decodes piles up before
it, what is decoded behind it, without bound; and at the end of the connection the event loop, and
every call with it, stands still until the last one is decoded. Here what comes too fast is dropped,
up to the next key frame, and in the end all that waits: 4 pictures a second are looked at. The
others are decoded, since later ones build on them, and go no further.
"""

import math
import re
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Final

from aiortc import RTCRtpCodecParameters
from aiortc.jitterbuffer import JitterFrame

from rt_avatar.signaling.aiortc_private import (
    frames_waiting,
    key_frame_request,
    replace_decoder_queue,
)

Task = tuple[RTCRtpCodecParameters, JitterFrame]

# Before the decoder and behind it, together: more than a network's burst of a quarter of a second.
MAX_WAITING: Final = 8
# A slice of an IDR picture in Annex B, of any importance. Source: ITU-T H.264 §7.3.1, table 7-1.
_IDR: Final = re.compile(rb"\x00\x00\x01[\x05\x25\x45\x65]")


class CameraQueue:
    """Stands between a receiver, which puts from the loop, and its decoder's thread, which gets.

    Args:
        decoded: Tells how many pictures are decoded and not taken yet.
        request: Asks the sender for a key frame.
        rate_hz: So many pictures a second are looked at, at most.
    """

    def __init__(
        self, decoded: Callable[[], int], request: Callable[[], None], rate_hz: float = math.inf
    ) -> None:
        self._decoded = decoded
        self._request = request
        self._period_s = 1 / rate_hz
        self._due_s = 0.0
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._is_broken = False  # something was dropped; only a key frame does without it

    def put(self, task: Task | None) -> None:
        """Take a picture, or drop it; None: nothing is decoded any more, not even what waits."""
        if task is None:
            self._empty()
        elif not self._has_place(*task):
            return
        else:
            task[1].is_looked_at = self._is_due()
        self._tasks.put(task)

    def get(self) -> Task | None:
        """Wait for the next picture, or the end."""
        return self._tasks.get()

    def _has_place(self, codec: RTCRtpCodecParameters, picture: JitterFrame) -> bool:
        is_full = self._tasks.qsize() + self._decoded() >= MAX_WAITING
        self._is_broken = is_full or (
            self._is_broken and not is_key_frame(codec.name, picture.data)
        )
        if self._is_broken and not is_full:
            self._request()
        return not self._is_broken

    def _is_due(self) -> bool:
        now_s = time.monotonic()
        if now_s < self._due_s:
            return False
        self._due_s = max(self._due_s + self._period_s, now_s)
        return True

    def _empty(self) -> None:
        try:
            while True:
                self._tasks.get_nowait()
        except Empty:
            return


def is_looked_at(picture: JitterFrame) -> bool:
    """Return whether a picture that the queue gave, or the library's own, is to be passed on."""
    return getattr(picture, "is_looked_at", True)


def is_key_frame(codec: str, data: bytes) -> bool:
    """Return whether a picture needs none before it. Source for VP8: RFC 6386 §9.1."""
    return data[:1] != b"" and not data[0] & 1 if codec == "VP8" else bool(_IDR.search(data))


def install_camera_queue(receiver: Any, rate_hz: float = math.inf) -> None:
    """Replace the queue of an ``RTCRtpReceiver`` for video before it receives.

    Decoders that ask ``is_looked_at`` pass on ``rate_hz`` pictures a second.

    Raises:
        LibraryChangedError: The library keeps its queue elsewhere.
    """
    queue = CameraQueue(frames_waiting(receiver.track), key_frame_request(receiver), rate_hz)
    replace_decoder_queue(receiver, queue)
