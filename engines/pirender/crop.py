"""The square of a photograph that PIRenderer and DreamTalk were trained to see."""

from functools import cache
from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.cascades import Cascades
from rt_avatar.engines.types import Image

# The published program's numbers, about the box of a frontal face.
_UP: Final = 0.1  # of the box's height
_GROWTH: Final = 0.4  # of its side, at each of the four
_SMALLEST_PX: Final = 40
_SEARCH_PX: Final = 900  # longer side of the picture in which faces are looked for


def crop_portrait(picture: Image, size_px: int) -> Image:
    """Return the face of a photograph as the published program crops it.

    Args:
        picture: (height, width, 3) RGB. One of exactly ``size_px`` squared is taken as cropped.
        size_px: Side of the result.

    Returns:
        (size_px, size_px, 3) RGB.

    Raises:
        ValueError: No face is seen from the front.
    """
    height, width = picture.shape[:2]
    if (height, width) == (size_px, size_px):
        return picture
    scale = min(1.0, _SEARCH_PX / max(height, width))
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cascades = _cascades()
    with cascades.lock:
        box = cascades.frontal(small, _SMALLEST_PX, min(small.shape))
    if box is None:
        raise ValueError(
            f"expected a face seen from the front; found none in {width} x {height} pixels. Take "
            "one in even light that looks into the camera, or give a picture of "
            f"{size_px} x {size_px} pixels that is cropped already"
        )
    left, top, side = (number / scale for number in box[:3])
    x, y = left + side / 2, top + (0.5 - _UP) * side
    half = int(min(side * (0.5 + _GROWTH), x, y, width - x, height - y))
    square = picture[int(y) - half : int(y) + half, int(x) - half : int(x) + half]
    way = cv2.INTER_AREA if 2 * half > size_px else cv2.INTER_CUBIC
    scaled: Image = cv2.resize(np.ascontiguousarray(square), (size_px, size_px), interpolation=way)
    return scaled


@cache
def _cascades() -> Cascades:
    return Cascades()
