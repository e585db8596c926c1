"""Read a photograph: a file's bytes → pixels, upright; or a sentence on what is wrong."""

import re
import struct
from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.types import Image

MAX_BYTES: Final = 40_000_000
MIN_SIDE_PX: Final = 128
MAX_SIDE_PX: Final = 6000
_WORKING_PX: Final = 2048  # longer side; more shows nothing at 512 pixels
_HEIC: Final = (b"heic", b"heix", b"heif", b"mif1", b"msf1", b"hevc", b"avif", b"avis")
# All headers of frames, wherever they are: which one is decoded is for the decoder to say.
# Compressed pixels have none; in 10 MB of anything else is one by chance in a file of ten thousand.
_JPEG_FRAME: Final = re.compile(
    rb"""
    \xFF (?=                   # what follows may hide another
        [\xC0-\xC3\xC5-\xC7\xC9-\xCB\xCD-\xCF]
        (.. [\x02-\x10]        # length, bits of a sample
        .{4} [\x01-\x0A])      # height and width, channels
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_JPEG_SCAN: Final = re.compile(
    rb"\xFF\xDA\x00 (?: \x08\x01|\x0A\x02|\x0C\x03|\x0E\x04 )", re.VERBOSE
)
_MOST_SCANS: Final = 100  # a progressive picture has ten, but each empty one costs 13 ms


def read_picture(data: bytes) -> Image:
    """Decode a photograph.

    Args:
        data: A whole JPEG, PNG or WebP file.

    Returns:
        (height, width, 3) RGB, turned as its EXIF says, its longer side 2,048 pixels at most.

    Raises:
        PortraitError: It is no still picture in colours, or too small or too large.
    """
    if len(data) > MAX_BYTES:
        raise PortraitError(
            f"picture: expected a file of at most {MAX_BYTES // 1_000_000} MB; got "
            f"{len(data) / 1e6:.0f}; save a smaller copy of it"
        )
    width, height = _check_header(data)
    if max(width, height) > MAX_SIDE_PX:
        raise PortraitError(
            f"picture: expected at most {MAX_SIDE_PX:,} pixels a side; got {width:,} × {height:,}; "
            "save a smaller copy of it"
        )
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # more pixels than OpenCV's environment lets it read
        decoded = None
    if decoded is None:
        raise PortraitError(
            "picture: expected a whole JPEG, PNG or WebP file; its header is one's, but it cannot "
            "be decoded; save it anew"
        )
    if min(decoded.shape[:2]) < MIN_SIDE_PX:
        raise PortraitError(
            f"picture: expected {MIN_SIDE_PX} pixels or more a side; got {decoded.shape[1]} × "
            f"{decoded.shape[0]}; take a larger one"
        )
    scale = _WORKING_PX / max(decoded.shape[:2])
    if scale < 1:
        decoded = cv2.resize(decoded, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture: Image = cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB)
    return picture


def _check_header(data: bytes) -> tuple[int, int]:
    """Return width and height as the file's header tells them, before anything is decoded."""
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC:
        raise PortraitError(
            "picture: expected JPEG, PNG or WebP; got HEIC or AVIF; save it as JPEG (a phone does "
            'with the setting "most compatible")'
        )
    if data[:4] in (b"GIF8", b"RIFF") or data[:8] == b"\x89PNG\r\n\x1a\n":
        is_animated = data[:4] == b"GIF8" or b"ANIM" in data[:64] or b"acTL" in data[:256]
        if is_animated:
            raise PortraitError(
                "picture: expected a still one; got an animated file or a GIF; save one of its "
                "pictures as JPEG or PNG"
            )
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    raise PortraitError("picture: expected a JPEG, PNG or WebP file; got something else")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Return width and height of the largest frame, however it is hidden."""
    frames = (struct.unpack(">HxHHB", found[1]) for found in _JPEG_FRAME.finditer(data))
    whole = (frame for frame in frames if frame[0] == 8 + 3 * frame[3])
    _, height, width, channels = max(whole, key=lambda frame: max(frame[1:3]), default=(0,) * 4)
    if not channels:
        raise PortraitError("picture: expected a whole JPEG file; got the beginning of one")
    if channels == 4:
        raise PortraitError(
            "picture: expected the colours of a screen (RGB); got those of a printer "
            "(CMYK); save it as an sRGB JPEG"
        )
    scans = sum(1 for _ in _JPEG_SCAN.finditer(data))
    if scans > _MOST_SCANS:
        raise PortraitError(
            f"picture: expected a JPEG of at most {_MOST_SCANS} scans; got {scans:,}; save it anew"
        )
    return int(width), int(height)


def _webp_size(data: bytes) -> tuple[int, int]:
    kind, body = data[12:16], data[20:30]
    if len(body) == 10 and kind == b"VP8X":
        return (
            1 + int.from_bytes(body[4:7], "little"),
            1 + int.from_bytes(body[7:10], "little"),
        )
    if len(body) == 10 and kind == b"VP8 ":
        width, height = struct.unpack("<HH", body[6:10])
        return int(width) & 0x3FFF, int(height) & 0x3FFF
    if len(body) == 10 and kind == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    raise PortraitError("picture: expected a whole WebP file; got the beginning of one")
