"""Settings of the WebRTC library that it only has as constants of its modules. Process-wide.

Made once when the server starts, never at import.
"""

import logging
from typing import Final

from rt_avatar.signaling.aiortc_private import (
    set_bitrate,
    set_video_decoders,
    set_vp8_encoder,
)
from rt_avatar.signaling.camera_decoders import CameraH264Decoder, CameraVp8Decoder
from rt_avatar.signaling.private_api import LibraryChangedError
from rt_avatar.signaling.vp8_encoder import RenderedVp8Encoder
from rt_avatar.signaling.vp8_repetition import repetition

_log = logging.getLogger(__name__)

# A 512 px drawn face at 25 fps has no visible blocks at 800 kbit/s and is not better at more. The
# library begins at 0.5 and lets a good line drive it to 1.5 Mbit/s, and every step of 10 % makes a
# new encoder and a key frame; beginning at the most it may have, it only ever steps down.
BITRATE_BPS: Final = {256: 400_000, 384: 600_000, 512: 800_000}


def tune_encoders(size_px: int) -> None:
    """Set bit rates for pictures of that side, and our encoder for them."""
    try:
        set_bitrate(BITRATE_BPS[size_px])
        set_vp8_encoder(RenderedVp8Encoder)
        repetition(size_px, size_px)  # written once, and not in a call
    except LibraryChangedError as error:
        _log.warning("pictures are encoded as the library likes: %s", error)


def tune_decoders() -> None:
    """Let callers' pictures be no larger than is of use."""
    try:
        set_video_decoders(CameraVp8Decoder, CameraH264Decoder)
    except LibraryChangedError as error:
        _log.warning("pictures of any size are decoded: %s", error)
