"""The square of a photograph that becomes the avatar's picture."""

from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.types import Image

# In distances between the irises: the square's side, and the middle of the eyes from its top.
_SIDE: Final = 5.0
_EYES_DOWN: Final = 0.43


def crop_face(picture: Image, landmarks: Landmarks, size_px: int) -> tuple[Image, Landmarks]:
    """Cut the square around a face.

    Args:
        picture: (height, width, 3).
        landmarks: In its pixels.
        size_px: Side of the square that is returned.

    Returns:
        (size_px, size_px, 3), and the landmarks in its pixels. Where the face is too near the
        picture's edge for that, it comes out larger or off the middle.
    """
    height, width = picture.shape[:2]
    unit = landmarks.frame.unit
    side = min(_SIDE * unit, height, width)
    x, y = landmarks.frame.origin
    left = float(np.clip(x - side / 2, 0, width - side))
    top = float(np.clip(y - _EYES_DOWN * side, 0, height - side))
    scale = size_px / side
    if scale < 1:
        # Averages first, as a small square of a large picture would else be full of steps.
        x0, y0 = int(left), int(top)
        part = picture[y0 : y0 + round(side), x0 : x0 + round(side)]
        square = cv2.resize(part, (size_px, size_px), interpolation=cv2.INTER_AREA)
        return square, landmarks.mapped(size_px / round(side), (x0 + 0.0, y0 + 0.0))
    place = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]])
    square = cv2.warpAffine(
        picture, place, (size_px, size_px), flags=cv2.INTER_LANCZOS4,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return square, landmarks.mapped(scale, (left, top))
