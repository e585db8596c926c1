"""Brows: a tapered shape, a darker core and a few hairs."""

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.curves import Point, smooth
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import BLACK, HAIR, SKINS, mix, rgb

HAIRS = 5


class Brows:
    """The brows of one look. Draws in head pixels."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        tones = HAIR[look.hair_color]
        # White brows vanish on light skin: theirs are grey.
        self._color = rgb("#969498") if look.hair_color == "white" else mix(tones[0], tones[1], 0.5)
        self._core = mix(self._color, BLACK, 0.35)
        self._light = mix(self._color, tones.light, 0.25)
        self._shade = SKINS[look.skin].shade
        self._anatomy = anatomy
        is_child = look.age == "child"
        self._width = 0.84 if is_child else 1.0
        self._arch = 4.0 if is_child or look.gender == "male" else 5.6
        self._alpha = (0.72 if look.age == "elderly" else 0.80) * (0.85 if is_child else 1.0)

    def draw(self, frame: Frame) -> None:
        """Draw both."""
        for side in SIDES:
            self._draw_one(frame, side)

    def _keys(self, frame: Frame, side: int) -> list[Point]:
        """Head, body, arch and tail. A head below the arch at rest would read as anger."""
        face, (x, y), wide = frame.face, self._anatomy.eye, self._width
        down, inner, outer = face.brow_down[side], face.brow_inner_up, face.brow_outer_up[side]
        y += self._anatomy.brow + (0.8 if side > 0 else 0.0)  # no face is symmetric
        return [
            (x - 23 * wide - 4.0 * down, y - 0.5 + 12.5 * down - 12 * inner - 3 * outer),
            (x - 8 * wide - 2.5 * down, y - 3.6 + 9.0 * down - 7.5 * inner - 6 * outer),
            (x + 10 * wide, y - self._arch + 3.6 * down - 2.0 * inner - 9.5 * outer),
            (x + 28 * wide, y + 4.0 + 0.5 * down + 3 * inner - 6.5 * outer),
        ]

    def _draw_one(self, frame: Frame, side: int) -> None:
        brush, on, thick = frame.brush, frame.space.on_face, self._anatomy.brow_thick
        keys = self._keys(frame, side)
        heights = (thick * 0.72, thick, thick * 0.78, 0.8)

        def at(x: float, y: float) -> Point:
            return on(side * x, y, 2)

        upper = [at(x, y - h * 0.55) for (x, y), h in zip(keys, heights, strict=True)]
        lower = [at(x, y + h * 0.45) for (x, y), h in zip(keys, heights, strict=True)]
        lower.reverse()
        eye = self._anatomy.eye
        shadow = at(eye[0], eye[1] + self._anatomy.brow + 6 + 4 * frame.face.brow_down[side])
        brush.stamp(self._shade, shadow, 30, 10, 0.25)
        brush.fill(smooth(upper + lower, True, (3, 4), 0.19), self._color, self._alpha)
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = keys
        core = [at(x0 + 5, y0), at(x1, y1 + 0.4), at(x2, y2 + 0.2), at(x3 - 4, y3 - 0.6)]
        brush.line(smooth(core, False), self._core, 0.28, thick * 0.34)
        for index in range(HAIRS):
            share = (index + 1) / 8
            key = int(share * 3)
            rest = share * 3 - key
            x = keys[key][0] + (keys[key + 1][0] - keys[key][0]) * rest
            y = keys[key][1] + (keys[key + 1][1] - keys[key][1]) * rest
            height = thick * (0.85 - 0.5 * share)
            brush.segment(
                at(x - 1, y + height * 0.45),
                at(x + 2.5 + 4 * share, y - height * (0.85 - 0.75 * share)),
                self._light if index % 2 else self._color,
                0.55,
                0.9,
            )
