"""OpenCV's Haar cascades for faces: gray picture → boxes and evidence, of one picture.

Knows nothing of time or of persons (``face_cues`` does).
Source: P. Viola, M. Jones, "Rapid object detection using a boosted cascade of simple features",
CVPR 2001; the trained cascades are those of the OpenCV 4 wheel.
"""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]  # (height, width)
Box = tuple[int, int, int, int]  # left, top, width, height in pixels

_STEP: Final = 1.15  # between two sizes; 1.1 finds no more faces of GRID and takes a third longer
_AGREE: Final = 4  # neighbouring hits that make a face; 3 sometimes finds one in noise
_PROFILE_YAW: Final = 0.9
_EYES_PX: Final = 115  # width at which eyes are looked for; half of it sees half of them
_MOUTH_PX: Final = 80


class Cascades:
    """The four cascades. Not thread-safe: hold ``lock`` while calling the others.

    Raises:
        FileNotFoundError: This OpenCV does not carry them.
    """

    def __init__(self) -> None:
        folder = Path(cv2.__file__).parent / "data"
        self._frontal = _load(folder, "frontalface_alt2")
        self._profile = _load(folder, "profileface")
        self._smile = _load(folder, "smile")
        self._eyes = _load(folder, "eye_tree_eyeglasses")
        self.lock = Lock()

    def frontal(self, gray: Gray, smallest: int, largest: int) -> Box | None:
        """Return the largest frontal face of that size."""
        return _largest(
            self._frontal.detectMultiScale(
                gray, _STEP, _AGREE, minSize=(smallest, smallest), maxSize=(largest, largest)
            )
        )

    def profile(self, gray: Gray, smallest: int) -> tuple[Box | None, float]:
        """Return the largest face seen from the side, and its yaw.

        The cascade knows faces that look to the left of the image; the others are mirrored.
        """
        for picture, yaw in ((gray, -_PROFILE_YAW), (np.ascontiguousarray(gray[:, ::-1]), 1.0)):
            box = _largest(
                self._profile.detectMultiScale(picture, _STEP, _AGREE, minSize=(smallest, smallest))
            )
            if box is not None and yaw < 0:
                return box, yaw
            if box is not None:
                left = gray.shape[1] - box[0] - box[2]
                return (left, box[1], box[2], box[3]), _PROFILE_YAW
        return None, 0.0

    def smile(self, face: Gray) -> float:
        """Return the evidence for a smile in a face: number and best weight of the hits."""
        height, width = face.shape
        mouth = face[int(0.55 * height) :, int(0.12 * width) : int(0.88 * width)]
        size = (_MOUTH_PX, max(24, _MOUTH_PX * mouth.shape[0] // mouth.shape[1]))
        mouth = cv2.equalizeHist(cv2.resize(mouth, size, interpolation=cv2.INTER_AREA))
        boxes, _, weights = self._smile.detectMultiScale3(
            mouth, 1.1, 0, minSize=(36, 18), outputRejectLevels=True
        )
        if len(boxes) == 0:
            return 0.0
        return 0.05 * len(boxes) + max(0.0, float(np.max(weights)))

    def open_eyes(self, face: Gray) -> int:
        """Return how many open eyes are seen in the upper half of a face."""
        height, width = face.shape
        upper = face[int(0.15 * height) : int(0.6 * height), int(0.05 * width) : int(0.95 * width)]
        upper = cv2.equalizeHist(cv2.resize(upper, (_EYES_PX, _EYES_PX // 2)))
        return len(self._eyes.detectMultiScale(upper, 1.2, 2, minSize=(19, 19), maxSize=(51, 51)))


def _load(folder: Path, name: str) -> "cv2.CascadeClassifier":
    path = folder / f"haarcascade_{name}.xml"
    cascade = cv2.CascadeClassifier(str(path))
    if cascade.empty():
        raise FileNotFoundError(
            f"face_cues: expected the cascade {path}, which opencv-python-headless 4.x carries "
            "(5.x does not); install a version below 5"
        )
    return cascade


def _largest(boxes: Sequence[Sequence[int]]) -> Box | None:
    """Return the largest of the boxes."""
    if len(boxes) == 0:
        return None
    left, top, width, height = max(boxes, key=lambda box: box[2])
    return int(left), int(top), int(width), int(height)
