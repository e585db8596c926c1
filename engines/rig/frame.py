"""Frame: all that the parts of a portrait need to know to draw themselves once."""

from typing import Final

import numpy as np
import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.brush import Brush
from rt_avatar.engines.rig.curves import Curve, Point, smooth, smoothstep
from rt_avatar.engines.rig.decal import Affine, Canvas, Decal
from rt_avatar.engines.rig.expression import Expression
from rt_avatar.engines.rig.projection import HEAD_SCALE, LAYOUT_PX, ORIGIN_X, ORIGIN_Y, Projection

# How far an open jaw takes the chin down, and narrows it.
JAW_DROP: Final = 25.0
JAW_NARROWS: Final = 0.06
# How far jawLeft and jawRight take the chin to the side.
JAW_SIDEWAYS: Final = 8.0
CHIN: Final = 8  # index of the chin in the contour


class Frame:
    """One drawing in progress.

    Attributes:
        canvas: The picture.
        brush: Draws on it. In head pixels while the head is drawn, else in layout pixels.
        space: The pose.
        face: The weights.
        contour: The face's outline as posed points, clockwise from the skull's top.
        skin_path: The same as a path.
    """

    def __init__(
        self, canvas: Canvas, space: Projection, face: Expression, anatomy: Anatomy
    ) -> None:
        self.canvas = canvas
        self.brush = Brush(canvas.skia)
        self.space = space
        self.face = face
        self.unit = canvas.size_px / LAYOUT_PX  # canvas pixels a layout pixel
        self._scale = HEAD_SCALE * self.unit
        lowered = 1.5 if anatomy.chin < 115 else 0.7  # a short face sits lower, not on a long neck
        self._left = (ORIGIN_X + space.slide[0]) * self.unit
        self._top = (ORIGIN_Y + (120 - anatomy.chin) * lowered + space.slide[1]) * self.unit
        self._head = skia.Matrix.Translate(self._left, self._top)
        self._head.preScale(self._scale, self._scale)
        self.contour = contour_of(anatomy, face, space)
        self.skin_path = smooth(self.contour)

    def enter_head(self) -> None:
        """From here on the brush draws in head pixels."""
        self.canvas.skia.save()
        self.canvas.skia.translate(self._left / self.unit, self._top / self.unit)
        self.canvas.skia.scale(HEAD_SCALE, HEAD_SCALE)

    def leave_head(self) -> None:
        """From here on the brush draws in layout pixels again."""
        self.canvas.skia.restore()

    def to_layout(self, point: Point) -> Point:
        """Map a posed point of the head to layout pixels."""
        scale = HEAD_SCALE
        return (
            self._left / self.unit + scale * point[0],
            self._top / self.unit + scale * point[1],
        )

    def layout_path(self, path: skia.Path) -> skia.Path:
        """Map a path in layout pixels to canvas pixels."""
        if self.unit == 1:
            return path
        placed = skia.Path()
        path.transform(skia.Matrix.Scale(self.unit, self.unit), placed)
        return placed

    def place(self, x: float, y: float) -> Point:
        """Map a posed point of the head to canvas pixels."""
        return self._left + self._scale * x, self._top + self._scale * y

    def place_all(self, points: Curve) -> Curve:
        """Map posed points of the head (n, 2) to canvas pixels."""
        return points * self._scale + (self._left, self._top)

    def to_canvas(self, path: skia.Path) -> skia.Path:
        """Map a posed path of the head to canvas pixels."""
        placed = skia.Path()
        path.transform(self._head, placed)
        return placed

    def fill(self, path: skia.Path, decal: Decal, plane: Affine) -> None:
        """Fill a path in canvas pixels with a decal that follows ``plane`` (posed head space)."""
        self.canvas.fill(
            path, decal, plane * self._scale + np.array([[0, 0, self._left], [0, 0, self._top]])
        )


def contour_of(anatomy: Anatomy, face: Expression, space: Projection) -> list[Point]:
    """Return the posed outline of the face: jaw, smile and puffed cheeks applied."""
    sides: dict[int, list[Point]] = {}
    sideways = JAW_SIDEWAYS * face.jaw_sideways
    for side in (1, -1):
        bulge = (
            2.6 * face.smile[side]
            + 1.2 * face.cheek_squint[side]
            + 7 * face.cheek_puff
            - 3 * face.pucker
        )
        points = []
        for x, y, z in anatomy.outline:
            jaw = smoothstep(y, 25, 115)
            cheek = smoothstep(y, -10, 30) * (1 - smoothstep(y, 70, 115))
            points.append(
                space.at(
                    side * (x * (1 - JAW_NARROWS * face.jaw_open * jaw) + bulge * cheek)
                    + sideways * jaw,
                    y + (JAW_DROP * face.jaw_open + 1.6 * face.jaw_forward) * jaw,
                    z + 10 * face.jaw_forward * jaw,
                )
            )
        sides[side] = points
    return sides[1] + sides[-1][-2:0:-1]
