"""Decoders for callers' pictures that refuse large ones: encoded pictures → I420 frames.

The library's take any size that a header names: a few hundred bytes of one colour become 400 MB.
They run in one thread for each camera and take no more than a core. What is not looked at ends with
them: handing a picture to the event loop takes it .2 ms.
"""

from typing import Final

import av
from aiortc.codecs.h264 import H264Decoder
from aiortc.codecs.vpx import Vp8Decoder
from aiortc.jitterbuffer import JitterFrame
from av import CodecContext
from av.frame import Frame

from rt_avatar.signaling.camera_queue import is_looked_at

# Full HD either way round, in whole blocks of 16; the avatar looks at 320 pixels of a row.
MAX_PIXELS: Final = 1920 * 1088


class CameraVp8Decoder(Vp8Decoder):  # type: ignore[misc]  # the library has no types we follow
    """FFmpeg's own VP8: libvpx, the library's choice, makes room before it can refuse."""

    def __init__(self) -> None:
        self.codec = _limited("vp8")

    def decode(self, encoded_frame: JitterFrame) -> list[Frame]:
        """Return the pictures that one more completes, if it is looked at."""
        frames: list[Frame] = super().decode(encoded_frame)
        return frames if is_looked_at(encoded_frame) else []


class CameraH264Decoder(H264Decoder):  # type: ignore[misc]  # as above
    """The library's with a limit."""

    def __init__(self) -> None:
        self.codec = _limited("h264")

    def decode(self, encoded_frame: JitterFrame) -> list[Frame]:
        """Return the pictures that one more completes, if it is looked at."""
        frames: list[Frame] = super().decode(encoded_frame)
        return frames if is_looked_at(encoded_frame) else []


def _limited(name: str) -> CodecContext:
    codec = av.CodecContext.create(name, "r")
    codec.options = {"max_pixels": str(MAX_PIXELS)}
    codec.thread_count = 1
    return codec
