"""A photographed portrait that moves: motion in, picture out.

``MotionFrame -> picture``. The picture is warped, in this order: the head (turns, leans, breath),
the face's smooth motion, then what parts, lids and lips. It keeps nothing from frame to frame.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.expression_field import ExpressionField
from rt_avatar.engines.photo.eyes import Eye
from rt_avatar.engines.photo.head_field import Field, HeadField
from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.mouth import Mouth
from rt_avatar.engines.photo.slit import Box, Map
from rt_avatar.engines.photo.weights import Weights, read_pose, read_weights
from rt_avatar.engines.types import Image, MotionFrame

_GRID: Final = 64  # places of the smooth fields along a side
# A picture that is moved between places, bilinear, comes out softer: it is made crisper before, by
# this much of its second difference, with which moved faces are as sharp as their picture
# (docs/LOG.md).
_SOFTENED: Final = 0.1
_CRISPER: Final = np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]], np.float32) * _SOFTENED
_CRISPER[1, 1] += 1


class PhotoPortrait:
    """One face, prepared for one size.

    Args:
        picture: (side, side, 3) RGB.
        landmarks: In its pixels.
    """

    def __init__(self, picture: Image, landmarks: Landmarks) -> None:
        self._side = picture.shape[0]
        self._picture = cv2.filter2D(picture, -1, _CRISPER, borderType=cv2.BORDER_REPLICATE)
        self._step = self._side / _GRID
        at = (np.arange(_GRID) + 0.5) * self._step - 0.5
        self._coarse = np.stack(np.meshgrid(at, at), -1).astype(np.float32)
        pixels = np.arange(self._side, dtype=np.float32)
        self._places = np.stack(np.meshgrid(pixels, pixels), -1)
        self._head = HeadField(landmarks, self._coarse)
        self._expression = ExpressionField(landmarks, self._coarse)
        self._eyes = [Eye(self._picture, landmarks, side) for side in ("left", "right")]
        self._mouth = Mouth(self._picture, landmarks)

    def displacement(self, motion: MotionFrame) -> Field:
        """Return how far the picture's places came (64, 64, 2) in pixels; lids and lips aside."""
        return self._smooth(read_weights(motion), self._head.at(read_pose(motion)))

    def opening(self, motion: MotionFrame) -> float:
        """Return how many pixels are seen between the lips, the head held straight."""
        return self._mouth.opening(read_weights(motion))

    def draw(self, motion: MotionFrame) -> Image:
        """Return one checked frame of motion as a fresh (side, side, 3) RGB picture."""
        weights = read_weights(motion)
        head = self._head.at(read_pose(motion))
        smooth = self._smooth(weights, head)
        size = (self._side, self._side)
        sources = self._places - cv2.resize(smooth, size, interpolation=cv2.INTER_LINEAR)
        out: Image = cv2.remap(
            self._picture, sources, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        coarse_sources = self._coarse - smooth
        for eye in self._eyes:
            rows, columns = self._region(coarse_sources, eye.slit.box)
            if rows.stop > rows.start and columns.stop > columns.start:
                eye.draw(out, rows, columns, sources[rows, columns], weights)
        rows, columns = self._region(coarse_sources, self._mouth.slit.box)
        if rows.stop > rows.start and columns.stop > columns.start:
            skull_here = self._places[rows, columns] - self._enlarged(head, rows, columns)
            self._mouth.draw(out, rows, columns, sources[rows, columns], skull_here, weights)
        return out

    def _smooth(self, weights: Weights, head: Field) -> Field:
        """Return the head's motion and the face's (64, 64, 2), one after the other."""
        local = (self._coarse - head - self._coarse[0, 0]) / np.float32(self._step)
        face = cv2.remap(
            self._expression.at(weights), local, None, cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return np.asarray(head + face)

    def _region(self, sources: Map, box: Box) -> tuple[slice, slice]:
        """Return the rows and columns of the picture that come from ``box``."""
        x, y = sources[..., 0], sources[..., 1]
        margin = self._step
        is_in = (x > box.left - margin) & (x < box.right + margin)
        is_in &= (y > box.top - margin) & (y < box.bottom + margin)
        rows, columns = np.flatnonzero(is_in.any(1)), np.flatnonzero(is_in.any(0))
        if not len(rows):
            return slice(0, 0), slice(0, 0)

        def span(found: NDArray[np.intp]) -> slice:
            return slice(int(found[0] * self._step), int((found[-1] + 1) * self._step))

        return span(rows), span(columns)

    def _enlarged(self, field: NDArray[np.float32], rows: slice, columns: slice) -> Map:
        """Return a part of a coarse field at full size."""
        scale = 1 / self._step
        shift = [scale * (at.start + 0.5) - 0.5 for at in (columns, rows)]
        place = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
        size = columns.stop - columns.start, rows.stop - rows.start
        part: Map = cv2.warpAffine(
            field, place, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return part
