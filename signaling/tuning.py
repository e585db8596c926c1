"""Settings of the WebRTC library that it only has as constants of its modules. Process-wide.

Made once when the server starts, never at import. A constant that a later version lacks is left
alone: the default then is worse, not wrong.
"""

from types import ModuleType
from typing import Final

from aiortc.codecs import h264, vpx

# A 512 px drawn face at 25 fps has no visible blocks at 800 kbit/s and is not better at more. The
# library begins at 0.5 and lets a good line drive it to 1.5 Mbit/s, and every step of 10 % makes a
# new encoder and a key frame; beginning at the most it may have, it only ever steps down.
BITRATE_BPS: Final = {256: 400_000, 384: 600_000, 512: 800_000}


def tune_encoders(size_px: int) -> None:
    """Set the bit rates for pictures of that side."""
    bitrate = BITRATE_BPS[size_px]
    for codec in (vpx, h264):
        _set(codec, "DEFAULT_BITRATE", bitrate)
        _set(codec, "MAX_BITRATE", bitrate)


def _set(module: ModuleType, name: str, value: int) -> None:
    if hasattr(module, name):
        setattr(module, name, value)
