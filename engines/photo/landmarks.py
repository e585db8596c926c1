"""Facial landmarks: 31 named points of a face, and the frame of reference they span.

"left" and "right" are the person's own. The face's frame has its origin between the irises, x
towards the person's left (the viewer's right), y towards the chin; its unit is the distance between
the irises.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.errors import PortraitError

Points: TypeAlias = NDArray[np.float64]  # (n, 2) x, y

# Mean proportions of an adult face at rest, in the face's frame; the mouth is closed. The distance
# between the irises is 63 mm, an iris 11.7 mm wide, as anatomy has them on average.
_HALF: Final[dict[str, tuple[float, float]]] = {
    "eye_outer": (0.73, 0.0), "eye_inner": (0.27, 0.035), "eye_top": (0.5, -0.085),
    "eye_bottom": (0.5, 0.08), "iris": (0.5, 0.0),
    "brow_inner": (0.2, -0.28), "brow_middle": (0.55, -0.38), "brow_outer": (0.86, -0.26),
    "nose": (0.27, 0.7), "mouth": (0.40, 1.12), "jaw": (0.90, 1.15), "cheek": (1.08, 0.3),
}  # fmt: skip
_MIDDLE: Final[dict[str, tuple[float, float]]] = {
    "nose_tip": (0.0, 0.62), "lip_top": (0.0, 1.0), "lip_upper": (0.0, 1.12),
    "lip_lower": (0.0, 1.12), "lip_bottom": (0.0, 1.28), "chin": (0.0, 1.78),
    "forehead": (0.0, -1.05),
}  # fmt: skip
# From the top of a face down.
_ORDER: Final = (
    "forehead", "nose_tip", "lip_top", "lip_upper", "lip_lower", "lip_bottom", "chin",
)  # fmt: skip
MEAN: Final[dict[str, tuple[float, float]]] = {
    **{f"left_{name}": point for name, point in _HALF.items()},
    **{f"right_{name}": (-x, y) for name, (x, y) in _HALF.items()},
    **_MIDDLE,
}
NAMES: Final[tuple[str, ...]] = tuple(MEAN)
IRIS_RADIUS: Final = 0.093
NOT_FOUND: Final = (
    "picture: expected a face seen from the front; found none; take one in even light that looks "
    "into the camera, or give the points with --points"
)
_CROSSED: Final = 0.1  # more is no crossing of shut lips: the points are not a face's


@dataclass(frozen=True, slots=True)
class Frame:
    """The face's frame in a picture: ``origin`` (2,) and ``unit`` in pixels, ``x_axis`` (2,)."""

    origin: NDArray[np.float64]
    x_axis: NDArray[np.float64]
    unit: float

    @property
    def matrix(self) -> NDArray[np.float64]:
        """(2, 2) from the frame's units to pixels; its columns are the axes."""
        x, y = self.x_axis
        return self.unit * np.array([[x, -y], [y, x]])

    def to_face(self, pixels: Points) -> Points:
        """Map pixels (..., 2) to the frame."""
        return (pixels - self.origin) @ np.linalg.inv(self.matrix).T

    def to_pixels(self, points: Points) -> Points:
        """Map points of the frame (..., 2) to pixels."""
        return points @ self.matrix.T + self.origin


class Landmarks(Mapping[str, NDArray[np.float64]]):
    """All points of one face, in pixels of one picture, by name.

    Raises:
        PortraitError: A name is unknown or missing, or the points are not those of a face.
    """

    def __init__(self, points: Mapping[str, object]) -> None:
        unknown = sorted(set(points) - set(NAMES))
        if unknown:
            raise PortraitError(
                f"points: expected names out of {', '.join(NAMES)}; got {', '.join(unknown)}"
            )
        missing = [name for name in NAMES if name not in points]
        if missing:
            raise PortraitError(f"points: expected all points; {', '.join(missing)} are missing")
        self._points = {name: _point(name, points[name]) for name in NAMES}
        left, right = self["left_iris"], self["right_iris"]
        across = left - right
        unit = float(np.hypot(*across))
        if unit < 1 or across[0] <= 0:
            raise PortraitError(
                "points: expected the person's right iris left of the left one, as on a picture; "
                f"got right {right.tolist()} and left {left.tolist()}"
            )
        self.frame = Frame((left + right) / 2, across / unit, unit)
        self._check_order()

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._points[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)

    def in_face(self, name: str) -> NDArray[np.float64]:
        """Return a point in the face's frame."""
        return self.frame.to_face(self[name])

    def moved(self, changes: Mapping[str, object]) -> "Landmarks":
        """Return these points with some of them replaced."""
        return Landmarks({**self._points, **changes})

    def mapped(self, scale: float, offset: tuple[float, float]) -> "Landmarks":
        """Return the points after ``(point - offset) * scale``."""
        return Landmarks({name: (p - offset) * scale for name, p in self._points.items()})

    def as_dict(self) -> dict[str, list[float]]:
        """Return the points as JSON has them."""
        return {name: [round(float(x), 2), round(float(y), 2)] for name, (x, y) in self.items()}

    def _check_order(self) -> None:
        """Refuse what would turn the face inside out."""
        height = {name: self.in_face(name)[1] for name in NAMES}
        for above, below in pairwise(_ORDER):
            if height[above] > height[below] + 1e-6:
                raise PortraitError(
                    f"points: expected {above} above {below}, seen along the face; drag them apart"
                )
        for side in ("left", "right"):
            if height[f"{side}_eye_top"] >= height[f"{side}_eye_bottom"]:
                raise PortraitError(
                    f"points: expected {side}_eye_top above {side}_eye_bottom: the eyes of the "
                    "picture must be open"
                )
        if self.in_face("left_mouth")[0] <= self.in_face("right_mouth")[0]:
            raise PortraitError(
                "points: expected right_mouth (the person's right) left of left_mouth, as on a "
                "picture"
            )


def found_landmarks(points: Mapping[str, Points]) -> Landmarks:
    """Return landmarks of points that were found: those that cross a little are uncrossed.

    Raises:
        PortraitError: They are not those of a face seen from the front.
    """
    frame = frame_of(points["right_iris"], points["left_iris"])
    places = np.array([frame.to_face(points[name]) for name in _ORDER])
    heights = _ascending(places[:, 1].tolist())
    if np.abs(heights - places[:, 1]).max() > _CROSSED:
        raise PortraitError(NOT_FOUND)
    places[:, 1] = heights
    uncrossed = dict(zip(_ORDER, frame.to_pixels(places), strict=True))
    try:
        return Landmarks({**points, **uncrossed})
    except PortraitError as error:
        raise PortraitError(NOT_FOUND) from error


def _ascending(values: Sequence[float]) -> NDArray[np.float64]:
    """Return the nearest values that never fall: neighbours that do become their mean."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and np.mean(pools[-2]) > np.mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    return np.concatenate([np.full(len(pool), np.mean(pool)) for pool in pools])


def frame_of(right: Points, left: Points) -> Frame:
    """Return the frame that a person's right and left iris (2,), in pixels, span."""
    across = left - right
    unit = float(np.hypot(*across))
    return Frame((left + right) / 2, across / unit, unit)


def read_points(text: str) -> dict[str, object]:
    """Read points (x, y in the picture's pixels) by name from JSON.

    Raises:
        PortraitError: It is not JSON of that shape.
    """
    try:
        tree = json.loads(text)
    except ValueError as error:  # no JSON, or a number of thousands of digits
        raise PortraitError(f"points: expected JSON; got {error}") from error
    if not isinstance(tree, dict):
        raise PortraitError('points: expected {"chin": [x, y], …}; got ' + type(tree).__name__)
    return tree


def mean_landmarks(frame: Frame, stretch: float = 1.0) -> dict[str, NDArray[np.float64]]:
    """Return the mean face at ``frame``; below the eyes heights are times ``stretch``."""
    return {
        name: frame.to_pixels(np.array([x, y * stretch if y > 0.3 else y]))
        for name, (x, y) in MEAN.items()
    }


def _point(name: str, value: object) -> NDArray[np.float64]:
    try:
        point = np.asarray(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        point = np.zeros(0)
    if point.shape != (2,) or not np.isfinite(point).all():
        raise PortraitError(f"points: expected {name} as [x, y] in pixels; got {value!r}")
    return point
