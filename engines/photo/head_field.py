"""The head's motion: turns by the depth of a mean head, leans about the neck, breath.

What lies far from the head does not move.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.weights import Pose

Field: TypeAlias = NDArray[np.float32]  # (rows, columns, 2) pixels

# A motion's head unit (half a head's height) in units of the face's frame.
_HEAD_UNIT: Final = 1.45
# Depth of a mean head: (x, y, depth, sigma x, sigma y). Low at the outline, so that hair and what
# is behind it stay where they are when the head turns.
_DEPTH: Final = (
    (0.0, 0.35, 0.95, 0.72, 1.05),
    (0.0, 0.60, 0.26, 0.20, 0.30),
    (0.0, 1.15, 0.08, 0.40, 0.30),
    (0.5, 0.0, -0.06, 0.25, 0.18),
    (-0.5, 0.0, -0.06, 0.25, 0.18),
)
_NECK_Y: Final = 2.2
_BREATH_IN_CHEST: Final = 0.45
_TURNS: Final = 2  # of a fixed point


class HeadField:
    """The field of one head.

    Args:
        landmarks: In the pixels of the picture that is moved.
        places: (rows, columns, 2) pixels at which the field is told, evenly spaced.
    """

    def __init__(self, landmarks: Landmarks, places: NDArray[np.float32]) -> None:
        frame = landmarks.frame
        grid = frame.to_face(places.astype(np.float64))
        x, y = grid[..., 0], grid[..., 1]
        stretch = landmarks.in_face("chin")[1] / 1.78
        depth = np.zeros_like(x)
        for at_x, at_y, high, wide, tall in _DEPTH:
            at_y = at_y * stretch
            depth += high * np.exp(
                -(((x - at_x) / wide) ** 2 + ((y - at_y) / (tall * stretch)) ** 2) / 2
            )
        # 1 in the head with its hair, 0 in the background and below the neck.
        away = np.hypot(x / 1.45, (y - 0.1) / (2.0 * stretch))
        head = 1 - _step(away, 0.8, 2.1)
        head *= 1 - _step(y, 1.5 * stretch, 3.1 * stretch)
        chest = _step(y, 1.8 * stretch, 2.6 * stretch)
        zero = np.zeros_like(x)
        # One field for each of: yaw, pitch, roll, shift x, shift y; angles in radians. Small-angle
        # terms: what a turn narrows is below a pixel at 14 degrees but for the outline.
        fields = np.stack(
            [
                np.stack([depth, zero], -1),
                np.stack([zero, depth - 0.15 * head], -1),
                np.stack([-(y - _NECK_Y) * head, x * head], -1),
                np.stack([_HEAD_UNIT * head, zero], -1),
                np.stack([zero, _HEAD_UNIT * (head + _BREATH_IN_CHEST * chest)], -1),
            ]
        )
        narrowing = np.stack([-x * np.exp(-((x / 1.0) ** 2 + (y / 1.6) ** 2)), zero], -1)
        pixels = np.concatenate([fields, narrowing[None]]) @ frame.matrix.T
        self._fields = pixels.reshape(len(pixels), -1).astype(np.float32)
        self._shape = places.shape
        self._places = places

    def at(self, pose: Pose) -> Field:
        """Return the field of this pose (rows, columns, 2) in pixels."""
        numbers = np.array(
            [
                np.sin(pose.yaw), np.sin(pose.pitch), np.sin(pose.roll), pose.shift_x, pose.shift_y,
                1 - np.cos(pose.yaw),
            ],
            np.float32,
        )  # fmt: skip
        forward: Field = (numbers @ self._fields).reshape(self._shape)
        return came_from(forward, self._places)


def came_from(forward: Field, places: NDArray[np.float32]) -> Field:
    """Turn a field around: from how far places of the picture go to how far they came.

    Args:
        forward: (rows, columns, 2) pixels, below a pixel's change a pixel.
        places: (rows, columns, 2) pixels, evenly spaced.
    """
    origin, step_px = places[0, 0], places[0, 1, 0] - places[0, 0, 0]
    field = forward
    for _ in range(_TURNS):
        at = (places - field - origin) / step_px
        field = cv2.remap(forward, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return field


def _step(values: NDArray[np.float64], start: float, end: float) -> NDArray[np.float64]:
    """Return 0 below ``start``, 1 above ``end``, smooth between."""
    t = np.clip((values - start) / (end - start), 0, 1)
    return t * t * t * (t * (6 * t - 15) + 10)
