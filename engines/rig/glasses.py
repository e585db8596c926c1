"""Glasses."""

import math
from typing import Final

import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.curves import Point, polygon, smooth
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import WHITE, rgb

RADIUS: Final = 33.0
# Twelve points round a lens are enough for a smooth rim.
_RING: Final = tuple(
    (1.06 * math.cos(2 * math.pi * k / 12), 0.86 * math.sin(2 * math.pi * k / 12))
    for k in range(12)
)


class Glasses:
    """The glasses of one look, if it wears any. Draws in head pixels."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        self._color = rgb(look.glasses) if look.glasses else None
        self._eye = anatomy.eye

    def draw(self, frame: Frame) -> None:
        """Draw them."""
        if self._color is None:
            return
        brush, (eye_x, eye_y) = frame.brush, self._eye
        middle = eye_x + 2

        def at(x: float, y: float) -> Point:
            return frame.space.at(x, y, 88 - abs(x) * 0.16)

        for side in SIDES:
            ring = [at(side * (middle + RADIUS * x), eye_y + 4 + RADIUS * y) for x, y in _RING]
            lens = smooth(ring)
            brush.fill(lens, WHITE, 0.05)
            with brush.clipped(lens):
                x, y = at(side * eye_x - 14, eye_y - 8)
                gleam = [(x - 16, y + 30), (x + 12, y - 28), (x + 24, y - 28), (x - 4, y + 30)]
                brush.fill(polygon(gleam, closed=True), WHITE, 0.10)
            brush.line(lens, self._color, 1, 3.6)
            brush.line(lens, WHITE, 0.22, 0.9)
            hinge = at(side * (middle + RADIUS * 1.06), eye_y)
            brush.segment(hinge, frame.space.at(side * 96, eye_y + 4, 0), self._color, 0.95, 3.2)
        bridge = skia.Path()
        bridge.moveTo(*at(-(middle - RADIUS * 1.06), eye_y))
        bridge.quadTo(*at(0, eye_y - 5), *at(middle - RADIUS * 1.06, eye_y))
        brush.line(bridge, self._color, 1, 3.6)
