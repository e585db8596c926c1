"""Ears and earrings."""

from typing import Final

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.curves import Point, smooth
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import BLACK, SKINS, WHITE, mix, rgb

EAR_Z: Final = -30.0


class Ears:
    """The ears of one look. Draws in head pixels."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        self._skin = SKINS[look.skin]
        self._rim = rgb(look.rim)
        self._jewel = rgb(look.earrings) if look.earrings else None
        # Measures below are for a head whose contour is 91 wide at the ear.
        self._out = anatomy.outline[4][0] - 91
        self._down = anatomy.ear * 0.6

    def draw(self, frame: Frame) -> None:
        """Draw both, behind the face."""
        for side in SIDES:
            self._draw_one(frame, side)

    def _draw_one(self, frame: Frame, side: int) -> None:
        brush, skin = frame.brush, self._skin

        def at(x: float, y: float) -> Point:
            return frame.space.at(side * (self._out + x), y + self._down, EAR_Z)

        rim = [at(95, -22), at(105, -16), at(106, 6), at(99, 26)]
        path = smooth([at(84, -10), *rim, at(93, 41), at(85, 36), at(82, 12)])
        brush.fill(path, mix(skin.base, skin.warm, 0.30 if side < 0 else 0.5))
        with brush.clipped(path):
            brush.stamp(skin.shade, at(86, 12), 12, 34, 0.8)
            brush.stamp(skin.light, at(102, -8), 8, 18, 0.5 if side < 0 else 0.2)
        helix = [at(90, -12), at(98, -12), at(101, 2), at(96, 18)]
        brush.taper(helix, 3, skin.deep, 0.38)
        brush.taper([at(91, 4), at(95, 8), at(91, 20)], 3, skin.deep, 0.3)
        if side > 0:
            brush.line(smooth(rim, False), self._rim, 0.35, 2)

    def draw_earrings(self, frame: Frame) -> None:
        """Draw what hangs from them, over the hair."""
        if self._jewel is None:
            return
        for side in SIDES:
            x, y = frame.space.at(side * 97, 47, -22)
            frame.brush.dot((x, y), 4, mix(self._jewel, BLACK, 0.15))
            frame.brush.dot((x - 1, y - 1), 1.6, WHITE, 0.9)
