"""Send a session's ``MediaOutput`` as the WebRTC library's tracks.

Sound and pictures come out of the session when they are due, with times on one line at 48 kHz. The
library pulls one after the other; sound goes to it encoded, pictures it encodes off the loop, but
for those that are shown again.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from aiortc import MediaStreamTrack, RTCRtpSender
from aiortc.mediastreams import MediaStreamError
from av import Packet, VideoFrame

from rt_avatar.engines.types import FPS, WIRE_RATE_HZ
from rt_avatar.media_io import BLOCK_SAMPLES, MediaEndedError, MediaOutput
from rt_avatar.signaling.aiortc_private import encoder_of
from rt_avatar.signaling.opus import OpusEncoder
from rt_avatar.signaling.vp8_encoder import RenderedVp8Encoder

_AUDIO_TIME_BASE: Final = Fraction(1, WIRE_RATE_HZ)
VIDEO_RATE_HZ: Final = 90_000  # RTP clock of all video codecs
_VIDEO_TIME_BASE: Final = Fraction(1, VIDEO_RATE_HZ)
PICTURE_SAMPLES: Final = WIRE_RATE_HZ // FPS  # 1,920 at 48 kHz between two pictures

OnSkipped = Callable[[str, int], None]  # kind of track, blocks or pictures that were not sent
OnFailed = Callable[[Exception], None]


class OutgoingAudio(MediaStreamTrack):  # type: ignore[misc]  # the library has no types we follow
    """The avatar's voice: 20 ms packets of Opus."""

    kind = "audio"

    def __init__(
        self, media_output: MediaOutput, on_skipped: OnSkipped, on_failed: OnFailed
    ) -> None:
        super().__init__()
        self._media_output = media_output
        self._encoder = OpusEncoder()
        self._gaps = _Gaps("audio", BLOCK_SAMPLES, on_skipped)
        self._on_failed = on_failed

    async def recv(self) -> Packet:
        """Wait for the next 20 ms and return them."""
        if self.readyState != "live":
            raise MediaStreamError
        try:
            block = await self._media_output.next_audio()
        except MediaEndedError:  # the call is over; the connection closes in a moment
            self.stop()
            raise MediaStreamError from None
        except Exception as error:  # the library would only log it, and the call would go on mute
            self._on_failed(error)
            raise
        self._gaps.note(block.pts)
        packet = Packet(self._encoder.encode(block.pcm))
        packet.time_base, packet.pts = _AUDIO_TIME_BASE, block.pts
        return packet


class OutgoingVideo(MediaStreamTrack):  # type: ignore[misc]  # as above
    """The avatar's face: I420 pictures at 25 fps.

    Attributes:
        sender: Who pulls, so that it is seen how it encodes; None: each picture is encoded.
    """

    kind = "video"
    sender: RTCRtpSender | None = None

    def __init__(
        self, media_output: MediaOutput, on_skipped: OnSkipped, on_failed: OnFailed
    ) -> None:
        super().__init__()
        self._media_output = media_output
        self._gaps = _Gaps("video", PICTURE_SAMPLES, on_skipped)
        self._on_failed = on_failed

    async def recv(self) -> VideoFrame | Packet:
        """Wait for the next picture and return it, or what shows the last one again."""
        if self.readyState != "live":
            raise MediaStreamError
        try:
            picture = await self._media_output.next_video()
        except MediaEndedError:
            self.stop()
            raise MediaStreamError from None
        except Exception as error:  # as above; the face would freeze
            self._on_failed(error)
            raise
        self._gaps.note(picture.pts)
        frame = VideoFrame.from_numpy_buffer(picture.planes, format="yuv420p")  # nothing is copied
        frame.time_base = _VIDEO_TIME_BASE
        frame.pts = picture.pts * VIDEO_RATE_HZ // WIRE_RATE_HZ  # whole: pts is n · 1,920
        encoder = None if self.sender is None else encoder_of(self.sender)
        again = encoder.again(frame) if isinstance(encoder, RenderedVp8Encoder) else None
        return frame if again is None else again


class _Gaps:
    """Counts what was skipped, from the times of what was not."""

    def __init__(self, kind: str, period: int, on_skipped: OnSkipped) -> None:
        self._kind = kind
        self._period = period
        self._on_skipped = on_skipped
        self._due: int | None = None

    def note(self, pts: int) -> None:
        if self._due is not None and pts > self._due:
            self._on_skipped(self._kind, (pts - self._due) // self._period)
        self._due = pts + self._period
