"""The face's smooth motion: a displacement field a blendshape, on a coarse grid over the picture.

A field is a sum of bumps, each at a landmark; what parts (lips, lids) is in ``slit``. Lengths in
the face's frame (``landmarks``).
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.head_field import came_from
from rt_avatar.engines.photo.landmarks import Landmarks, Points
from rt_avatar.engines.photo.weights import Weights
from rt_avatar.engines.types import ARKIT, BLENDSHAPE

Field: TypeAlias = NDArray[np.float32]  # (rows, columns, 2) pixels

# jawOpen 1 lowers the chin by this.
JAW_DROP: Final = 0.34
# Of it the corners of the mouth take this share.
CORNER_FOLLOWS: Final = 0.40
# (shape, landmark, dx, dy, sigma x, sigma y): the landmark of the shape's own side where it has
# one; dx towards that side.
_SIDED: Final = (
    ("browDown", "brow_inner", -0.050, 0.085, 0.24, 0.22),
    ("browDown", "brow_middle", -0.020, 0.050, 0.24, 0.20),
    ("browOuterUp", "brow_outer", 0.010, -0.085, 0.26, 0.22),
    ("browOuterUp", "brow_middle", 0.000, -0.060, 0.26, 0.22),
    ("cheekSquint", "cheek_apple", 0.000, -0.055, 0.28, 0.20),
    ("noseSneer", "nose", 0.010, -0.060, 0.16, 0.18),
    ("mouthSmile", "mouth", 0.085, -0.090, 0.22, 0.22),
    ("mouthSmile", "cheek_apple", 0.020, -0.050, 0.28, 0.22),
    ("mouthFrown", "mouth", 0.000, 0.085, 0.20, 0.20),
    ("mouthDimple", "mouth", 0.045, -0.015, 0.15, 0.16),
    ("mouthStretch", "mouth", 0.080, 0.030, 0.20, 0.22),
    ("mouthPress", "mouth", 0.015, 0.000, 0.16, 0.14),
    ("mouthUpperUp", "lip_side", 0.000, -0.030, 0.18, 0.16),
    ("mouthLowerDown", "chin_side", 0.000, 0.030, 0.22, 0.20),
    ("eyeSquint", "cheek_apple", 0.000, -0.025, 0.26, 0.16),
)  # fmt: skip
_MIDDLE: Final = (
    ("mouthShrugUpper", "lip_top", 0.0, -0.040, 0.30, 0.14),
    ("mouthShrugLower", "chin_front", 0.0, -0.075, 0.32, 0.24),
    ("mouthLeft", "lips", 0.10, 0.0, 0.42, 0.28),
    ("mouthRight", "lips", -0.10, 0.0, 0.42, 0.28),
    ("jawForward", "chin", 0.0, 0.035, 0.45, 0.30),
)
_LEAST_ABOVE: Final = 0.3  # from where nothing follows the jaw to the corners of the mouth
_PUCKER_NARROWS: Final = 0.36
_FUNNEL_NARROWS: Final = 0.24
_PUFF: Final = 0.10
_JAW_SIDEWAYS: Final = 0.09


class ExpressionField:
    """All fields of one face, summed by their weights.

    Args:
        landmarks: In the pixels of the picture that is moved.
        places: (rows, columns, 2) pixels at which the field is told.
    """

    def __init__(self, landmarks: Landmarks, places: NDArray[np.float32]) -> None:
        self._marks = _anchors(landmarks)
        self._rows, self._columns = places.shape[:2]
        self._places = places
        grid = landmarks.frame.to_face(places.astype(np.float64))
        self._x, self._y = grid[..., 0], grid[..., 1]
        fields = np.zeros((len(ARKIT), *places.shape), np.float64)
        for side, sign in (("Left", 1), ("Right", -1)):
            for shape, mark, dx, dy, wide, high in _SIDED:
                at = self._marks[f"{side.lower()}_{mark}"]
                fields[BLENDSHAPE[shape + side]] += self._bump(at, (sign * dx, dy), (wide, high))
            inner = self._marks[f"{side.lower()}_brow_inner"]
            raised = self._bump(inner, (0.0, -0.085), (0.24, 0.22))
            fields[BLENDSHAPE["browInnerUp"]] += raised
            middle = self._marks[f"{side.lower()}_brow_middle"]
            fields[BLENDSHAPE["browInnerUp"]] += self._bump(middle, (0.0, -0.025), (0.24, 0.22))
            puffed = self._marks[f"{side.lower()}_puff"]
            fields[BLENDSHAPE["cheekPuff"]] += self._bump(puffed, (sign * _PUFF, 0), (0.26, 0.26))
        for shape, mark, dx, dy, wide, high in _MIDDLE:
            fields[BLENDSHAPE[shape]] += self._bump(self._marks[mark], (dx, dy), (wide, high))
        fields[BLENDSHAPE["mouthPucker"]] += self._narrowing(_PUCKER_NARROWS, 0.05)
        fields[BLENDSHAPE["mouthFunnel"]] += self._narrowing(_FUNNEL_NARROWS, 0.03)
        jaw = self._jaw()
        fields[BLENDSHAPE["jawOpen"], ..., 1] += JAW_DROP * jaw
        fields[BLENDSHAPE["jawOpen"], ..., 0] -= 0.05 * jaw * self._x
        fields[BLENDSHAPE["jawLeft"], ..., 0] += _JAW_SIDEWAYS * jaw
        fields[BLENDSHAPE["jawRight"], ..., 0] -= _JAW_SIDEWAYS * jaw
        pixels = fields @ landmarks.frame.matrix.T
        self._fields = pixels.reshape(len(ARKIT), -1).astype(np.float32)

    def at(self, weights: Weights) -> Field:
        """Return how far each place came (rows, columns, 2) in pixels, by these weights."""
        forward: Field = (weights @ self._fields).reshape(self._rows, self._columns, 2)
        return came_from(forward, self._places)

    def _bump(
        self, at: Points, way: tuple[float, float], size: tuple[float, float]
    ) -> NDArray[np.float64]:
        x, y = (self._x - at[0]) / size[0], (self._y - at[1]) / size[1]
        bump: NDArray[np.float64] = np.exp(-(x * x + y * y) / 2)[..., None] * np.array(way)
        return bump

    def _narrowing(self, narrows: float, thickens: float) -> NDArray[np.float64]:
        """Draw the corners of the mouth together; lips grow thicker."""
        mouth = self._marks["lips"]
        x, y = self._x - mouth[0], self._y - mouth[1]
        near = np.exp(-((x / 0.48) ** 2 + (y / 0.30) ** 2))
        return np.stack([-narrows * x * near, thickens * y / 0.16 * near], -1)

    def _jaw(self) -> NDArray[np.float64]:
        """Return how far each place follows the jaw, 0 to 1."""
        lips, chin = self._marks["lips"][1], self._marks["chin"][1]
        # A broad smile's corners lie high: over less than this the skin would fold.
        nose = min(self._marks["nose_tip"][1], lips - _LEAST_ABOVE)
        height = np.interp(
            self._y,
            [nose, lips, (lips + chin) / 2, chin, chin + 0.25, chin + 0.9],
            [0.0, CORNER_FOLLOWS, 0.82, 1.0, 0.85, 0.0],
        )
        wide = abs(self._marks["left_jaw"][0] - self._marks["right_jaw"][0]) / 2
        aside = np.abs(self._x - self._marks["lips"][0]) / max(wide, 0.6)
        # Below the chin the neck is narrower than the jaw.
        width = _fall(aside, 0.55, 1.15)
        smooth = _blur(height * width, 0.06 / max(1e-6, float(abs(self._y[1, 0] - self._y[0, 0]))))
        return smooth


def _fall(values: NDArray[np.float64], start: float, end: float) -> NDArray[np.float64]:
    """Return 1 below ``start``, 0 above ``end``, smooth between."""
    t = np.clip((values - start) / (end - start), 0, 1)
    return 1 - t * t * (3 - 2 * t)


def _blur(values: NDArray[np.float64], sigma: float) -> NDArray[np.float64]:
    blurred: NDArray[np.float64] = cv2.GaussianBlur(
        values, (0, 0), max(sigma, 0.3), borderType=cv2.BORDER_REPLICATE
    )
    return blurred


def _anchors(landmarks: Landmarks) -> dict[str, Points]:
    """Return the landmarks in the face's frame, and the places that follow from them."""
    marks = {name: landmarks.in_face(name) for name in landmarks}
    marks["lips"] = (marks["left_mouth"] + marks["right_mouth"]) / 2
    marks["chin_front"] = (marks["lip_bottom"] + marks["chin"]) / 2
    for side in ("left", "right"):
        mouth, nose = marks[f"{side}_mouth"], marks[f"{side}_nose"]
        iris = marks[f"{side}_iris"]
        marks[f"{side}_cheek_apple"] = np.array([1.15 * iris[0], (iris[1] + nose[1]) / 2 + 0.12])
        marks[f"{side}_puff"] = np.array([1.45 * mouth[0], mouth[1]])
        marks[f"{side}_lip_side"] = (marks["lip_top"] + mouth) / 2
        marks[f"{side}_chin_side"] = (marks["lip_bottom"] + mouth) / 2 + (0, 0.06)
    return marks
