"""A slit in a face, lips or lids: what lies above it and below it moves apart.

The picture is warped twice near the slit, once as what lies above it moves and once as what lies
below does; each place then shows the one whose source is on its own side of the slit, and what is
inside where neither is. So edges stay those of the picture, and nothing is cut.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.landmarks import Frame

Grid: TypeAlias = NDArray[np.float64]  # (rows, columns)
Map: TypeAlias = NDArray[np.float32]  # (rows, columns, 2) pixels of the picture
Alpha: TypeAlias = NDArray[np.float32]  # (rows, columns) 0 to 1
Colours: TypeAlias = NDArray[np.floating[Any]]  # (rows, columns, 3) 0 to 255
Curve: TypeAlias = Callable[[Grid], Grid]  # x → y in the face's frame
Spread: TypeAlias = Callable[[Grid, Grid], Grid]  # (x, y) in the face's frame → a share or length

_STEP: Final = 2  # pixels between two places of a field


@dataclass(frozen=True, slots=True)
class Parted:
    """One frame's slit: where the two sides come from, and how much of each is seen.

    Attributes:
        upper: Map of what lies above.
        lower: Map of what lies below.
        lower_share: Of the lower side, where either is seen.
        inside: How much of the inside is seen.
        depth_px: Pixels below the upper edge; the inside's shadow lies there.
    """

    upper: Map
    lower: Map
    lower_share: Alpha
    inside: Alpha
    depth_px: NDArray[np.float32]


class Box:
    """A rectangle of the picture, in whole pixels."""

    def __init__(self, frame: Frame, corners: tuple[float, float, float, float], side: int) -> None:
        x0, y0, x1, y1 = corners
        points = frame.to_pixels(np.array([[x0, y0], [x1, y0], [x0, y1], [x1, y1]]))
        low, high = np.floor(points.min(0)), np.ceil(points.max(0))
        self.left, self.top = (int(n) for n in np.clip(low, 0, side - 16))
        self.right, self.bottom = (int(n) for n in np.clip(high, 16, side))
        self.width, self.height = self.right - self.left, self.bottom - self.top

    def places(self, step: float) -> NDArray[np.float64]:
        """Return (rows, columns, 2) pixels, ``step`` apart."""
        x = self.left + step * np.arange(int(np.ceil(self.width / step)) + 1)
        y = self.top + step * np.arange(int(np.ceil(self.height / step)) + 1)
        return np.stack(np.meshgrid(x, y), -1)


class Slit:
    """One slit.

    Args:
        frame: Of the face.
        box: What its fields reach; they must be zero at its edge.
        upper: The upper edge in the picture.
        lower: The lower edge; at and beyond the corners the two are one.
        fields: (k, 2) functions of (x, y) in the face's frame: how far one unit of each of ``k``
            controls lowers what lies above and what lies below, in units of the frame.
    """

    def __init__(
        self,
        frame: Frame,
        box: Box,
        upper: Curve,
        lower: Curve,
        fields: list[tuple[Spread, Spread]],
    ) -> None:
        self.box = box
        near = frame.to_face(box.places(1))
        x, y = near[..., 0], near[..., 1]
        self._over = ((upper(x) - y) * frame.unit).astype(np.float32)  # pixels above the slit
        self._under = ((y - lower(x)) * frame.unit).astype(np.float32)
        coarse = frame.to_face(box.places(_STEP))
        x, y = coarse[..., 0], coarse[..., 1]
        down = np.stack(
            [np.stack([of_upper(x, y), of_lower(x, y)]) for of_upper, of_lower in fields]
        )
        axis = frame.matrix[:, 1]  # pixels of one unit down
        pixels = (down[..., None] * axis).astype(np.float32)  # k, side, rows, columns, xy
        self._shape = pixels.shape[2:]
        self._fields = pixels.transpose(1, 0, 2, 3, 4).reshape(2, len(fields), -1).copy()
        self._origin = np.array([box.left, box.top], np.float32)

    def part(self, sources: Map, controls: NDArray[np.float32]) -> Parted:
        """Part it.

        Args:
            sources: (rows, columns, 2) where the places to draw come from, slit aside.
            controls: (k,) how much of each field.
        """
        local = sources - self._origin
        at = local * np.float32(1 / _STEP)
        upper, over = self._side(local, at, controls @ self._fields[0], self._over)
        lower, under = self._side(local, at, controls @ self._fields[1], self._under)
        gap = -(over + under)
        inside = np.minimum(np.minimum(0.5 - over, 0.5 - under), gap)
        share = 0.5 + (under - over) / 2
        return Parted(upper, lower, np.clip(share, 0, 1), np.clip(inside, 0, 1), -over)

    def _side(
        self, local: Map, at: Map, field: NDArray[np.float32], distance: NDArray[np.float32]
    ) -> tuple[Map, NDArray[np.float32]]:
        """Return where one side's places come from, and how far that is on its own side."""
        moved = cv2.remap(
            field.reshape(self._shape), at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
        )
        places = local - moved
        own = cv2.remap(distance, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        places += self._origin
        return places, own


def mix(below: Colours, above: Colours, alpha: NDArray[np.floating[Any]]) -> Colours:
    """Lay ``above`` (h, w, 3) on ``below`` as far as ``alpha`` (h, w) says."""
    mixed: Colours = below + (above - below) * alpha[..., None]
    return mixed


def ramp(values: Grid, start: float, end: float) -> Grid:
    """Return 0 at ``start``, 1 at ``end`` (either may be the greater), smooth between."""
    t = np.clip((values - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)
