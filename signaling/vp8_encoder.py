"""VP8 for a face that a program draws: ``VideoFrame → packets``, in half the library's time.

The library's encoder is set for webcams: it takes noise out of pictures, and looks at every block
that differs at all. A rendered face has no noise, and most of it stands still. A picture that is
shown again is not looked at: the same few bytes say so each time, without a thread.
"""

import multiprocessing
from typing import Final

import av
from aiortc.codecs.vpx import Vp8Encoder, number_of_threads
from av import Packet, VideoCodecContext, VideoFrame
from av.frame import Frame

from rt_avatar.signaling.vp8_repetition import repetition

# The library makes a new encoder when the rate it may send at has moved by more than this share.
_RATE_STEP: Final = 0.1
# libvpx' own names; what is not here has libvpx' default. Against the library's noise-sensitivity
# 4, cpu-used -6 and static-thresh 1, 225 pictures of tracked speech at 800 kbit/s: 1.8 instead of
# 3.8 ms a picture, 605 instead of 778 kbit/s, PSNR 46.9 for 46.9 dB (docs/LOG.md). From a
# threshold of 1,000 on it is 1 dB less.
_OPTIONS: Final = {
    "cpu-used": "-8",
    "deadline": "realtime",
    "lag-in-frames": "0",
    "noise-sensitivity": "0",
    "overshoot-pct": "15",
    "partitions": "0",  # one: each picture is a few packets
    "static-thresh": "500",
    "undershoot-pct": "100",
}
_KEY_FRAME_DISTANCE: Final = 3000  # two minutes: a receiver asks for one when it needs it
# Finest and coarsest. With the library's 2 a still face gets .7 dB of 48 for two fifths more bytes.
_QUANTISERS: Final = (6, 56)
# So often in a row a picture is only said to be the same; then it is encoded, and gets finer.
_REPETITIONS: Final = 3


class RenderedVp8Encoder(Vp8Encoder):  # type: ignore[misc]  # the library has no types we follow
    """The library's encoder with another codec context: packets, rates and key frames are its."""

    codec: VideoCodecContext | None

    def __init__(self) -> None:
        super().__init__()
        self._last: VideoFrame | None = None  # it keeps its pixels, so none other can lie there
        self._repeated = 0

    def again(self, frame: VideoFrame) -> Packet | None:
        """Return, for ``pack``, the packet that shows the last picture once more.

        None: it is another one, or is to be encoded and get finer. A picture that lies in the same
        memory as the last one is the same.
        """
        if not self._is_shown(frame) or self._repeated >= _REPETITIONS:
            return None
        self._repeated += 1
        packet = Packet(repetition(frame.width, frame.height))
        packet.pts, packet.time_base = frame.pts, frame.time_base
        return packet

    def encode(self, frame: Frame, force_keyframe: bool = False) -> tuple[list[bytes], int]:
        """Encode one picture; a key frame where one is forced, or where size or rate changed."""
        assert isinstance(frame, VideoFrame)
        self._last, self._repeated = frame, 0
        codec = self.codec
        if (
            codec is None
            or (frame.width, frame.height) != (codec.width, codec.height)
            or abs(self.target_bitrate - codec.bit_rate) > _RATE_STEP * codec.bit_rate
        ):
            self.codec = self._context(frame.width, frame.height)
        packets: tuple[list[bytes], int] = super().encode(frame, force_keyframe)
        return packets

    def _is_shown(self, frame: VideoFrame) -> bool:
        last = self._last
        return (
            last is not None
            and (frame.width, frame.height) == (last.width, last.height)
            and frame.planes[0].buffer_ptr == last.planes[0].buffer_ptr
        )

    def _context(self, width: int, height: int) -> VideoCodecContext:
        codec: VideoCodecContext = av.VideoCodecContext.create("libvpx", "w")
        rate = str(self.target_bitrate)
        codec.width, codec.height, codec.pix_fmt = width, height, "yuv420p"
        codec.bit_rate, codec.gop_size = self.target_bitrate, _KEY_FRAME_DISTANCE
        codec.qmin, codec.qmax = _QUANTISERS
        # Equal bounds make a constant rate; a buffer of one second.
        codec.options = {**_OPTIONS, "minrate": rate, "maxrate": rate, "bufsize": rate}
        codec.thread_count = number_of_threads(width * height, multiprocessing.cpu_count())
        return codec
