"""What a face does, drawn or photographed: how its landmarks moved since it was at rest.

Optical flow of the pixels about each landmark; it is told where these are in the face at rest, and
knows nothing of the shapes that move them.

Source: T. Kroeger et al., "Fast optical flow using dense inverse search", ECCV 2016 (OpenCV's DIS);
P. Ekman, W. Friesen, "Facial Action Coding System", 1978, for what is worth telling apart.
"""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Image

Row = NDArray[np.float64]
Points = Mapping[str, NDArray[np.float64]]  # (2,) x, y in pixels, by name

# Left and right are the person's.
LANDMARKS: Final = (
    *(
        f"{side}_{part}"
        for side in ("left", "right")
        for part in ("brow_inner", "brow_outer", "eye_top", "eye_bottom", "mouth", "nose")
    ),
    "lip_top",
    "lip_bottom",
)
ACTIONS: Final = (
    "inner brows up", "left brow up", "right brow up", "eyes wider", "lower lids up",
    "left corner up", "right corner up", "mouth wider", "upper lip up", "lower lip down", "nose up",
)  # fmt: skip
# Larger patches than DIS has by itself: spectacles near a brow pull smaller ones along.
_PATCH_PX, _STRIDE_PX = 16, 4
_REACH: Final = 0.09  # of the distance between the irises: what is looked at about a landmark
_MOST: Final = 60  # its flow is that of the share that moves most: bare skin cannot be followed
# What is cut out about the eyes' middle, in distances between the irises.
_ASIDE, _ABOVE, _BELOW = 1.2, 0.8, 2.1


class FaceReader:
    """Compares pictures of one face with it at rest.

    Args:
        rest: (height, width, 3) RGB.
        landmarks: Of it, ``LANDMARKS`` among them.
        unit: Distance between the irises, in pixels.
    """

    def __init__(self, rest: Image, landmarks: Points, unit: float) -> None:
        middle = (landmarks["left_eye_top"] + landmarks["right_eye_top"]) / 2
        before, behind = np.array([_ASIDE, _ABOVE]), np.array([_ASIDE, _BELOW])
        corner = np.maximum(middle - before * unit, 0).astype(int)
        end = (middle + behind * unit).astype(int)
        self._face = slice(corner[1], end[1]), slice(corner[0], end[0])
        self._unit = unit
        self._landmarks = {name: (landmarks[name] - corner).astype(int) for name in LANDMARKS}
        self._rest = self._cut(rest)
        self._matcher = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
        self._matcher.setPatchSize(_PATCH_PX)
        self._matcher.setPatchStride(_STRIDE_PX)

    def read(self, picture: Image) -> Row:
        """Return ``ACTIONS`` of a picture (11,), in distances between the irises."""
        flow = self._matcher.calc(self._rest, self._cut(picture), None) / self._unit
        reach = max(3, int(_REACH * self._unit))
        moved = {}
        for name, (x, y) in self._landmarks.items():
            about = flow[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 2)
            far = np.hypot(*about.T)
            moved[name] = np.median(about[far >= np.percentile(far, _MOST)], axis=0)

        def up(name: str) -> float:
            return -float(moved[name][1])

        def both(part: str) -> float:
            return (up(f"left_{part}") + up(f"right_{part}")) / 2

        return np.array(
            [
                both("brow_inner"),
                up("left_brow_outer"),
                up("right_brow_outer"),
                both("eye_top") - both("eye_bottom"),
                both("eye_bottom"),
                up("left_mouth"),
                up("right_mouth"),
                float(moved["left_mouth"][0] - moved["right_mouth"][0]),
                up("lip_top"),
                -up("lip_bottom"),
                both("nose"),
            ]
        )

    def _cut(self, picture: Image) -> NDArray[np.uint8]:
        grey: NDArray[np.uint8] = cv2.cvtColor(picture[self._face], cv2.COLOR_RGB2GRAY)
        return grey
