"""Settings of the WebRTC library that it only has as constants of its modules. Process-wide.

Made once when the server starts, never at import.
"""

import logging
import math
from typing import Final

import numpy as np
from av import AudioFrame

from rt_avatar.signaling.aiortc_private import set_audio_level, set_bitrate, set_vp8_encoder
from rt_avatar.signaling.private_api import LibraryChangedError
from rt_avatar.signaling.vp8_encoder import RenderedVp8Encoder

_log = logging.getLogger(__name__)

# A 512 px drawn face at 25 fps has no visible blocks at 800 kbit/s and is not better at more. The
# library begins at 0.5 and lets a good line drive it to 1.5 Mbit/s, and every step of 10 % makes a
# new encoder and a key frame; beginning at the most it may have, it only ever steps down.
BITRATE_BPS: Final = {256: 400_000, 384: 600_000, 512: 800_000}
_FULL_SCALE: Final = 32767
_QUIETEST_DBOV: Final = -127


def tune_encoders(size_px: int) -> None:
    """Set bit rates for pictures of that side, our encoder for them and our meter of sound."""
    try:
        set_bitrate(BITRATE_BPS[size_px])
        set_vp8_encoder(RenderedVp8Encoder)
        set_audio_level(audio_level_dbov)
    except LibraryChangedError as error:
        _log.warning("sound and pictures are encoded as the library likes: %s", error)


def audio_level_dbov(frame: AudioFrame) -> int:
    """Return the level of (1, samples) int16 sound in dBov, -127 to 0 (RFC 6465, appendix A).

    The library's own goes through a frame sample by sample, on the event loop.
    """
    samples = frame.to_ndarray().astype(np.float64)
    power = float(np.mean(samples**2)) / _FULL_SCALE**2
    return round(max(_QUIETEST_DBOV, 10 * math.log10(power))) if power else _QUIETEST_DBOV
