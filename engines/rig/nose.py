"""The nose: drawn by shading; only nostrils and wing curves are lines."""

import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.curves import Point, smooth
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import SKINS, WHITE


class Nose:
    """The nose of one look. Draws in head pixels, clipped to the face."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        self._skin = SKINS[look.skin]
        self._base = anatomy.nose
        self._half = anatomy.nose_half
        self._is_child = look.age == "child"
        # A child's bridge is low: little shading on it.
        self._bridge = 0.45 if self._is_child else 1.0
        self._glint = 0.62 if look.skin < 4 else 0.42

    def draw(self, frame: Frame) -> None:
        """Draw the nose."""
        brush, skin, sneer = frame.brush, self._skin, frame.face.sneer
        base, bridge = self._base, self._bridge
        lift = {side: -4 * sneer[side] for side in SIDES}
        half = {side: self._half * (1 + 0.06 * sneer[side]) for side in SIDES}
        on = frame.space.on_face
        # The shaded plane carries the form.
        brush.stamp(skin.shade, on(10, base * 0.30, 8), 9, base * 0.62, 0.50 * bridge)
        brush.stamp(skin.shade, on(-11, base * 0.12, 6), 8, base * 0.42, 0.22 * bridge)
        brush.stamp(skin.warm, on(half[1] * 0.72, base - 8 + lift[1], 14), 13, 15, 0.52)
        brush.stamp(skin.shade, on(half[1] * 0.95, base - 4 + lift[1], 8), 9, 13, 0.40)
        tip_lift = (lift[1] + lift[-1]) / 2
        blush = 0.36 if self._is_child else 0.26
        brush.stamp(skin.blush, on(0, base - 8 + tip_lift, 20), 19, 15, blush)
        brush.stamp(skin.shade, on(3, base + 11, 4), 20, 9, 0.50)
        brush.stamp(skin.light, on(-3, base * 0.22, 12), 6, base * 0.6, 0.60 * bridge)
        brush.fill(self._underside(frame, half, lift), skin.shade, 0.60)
        for side in SIDES:
            self._wing(frame, side, half[side], lift[side])
        brush.stamp(WHITE, on(-3.5, base - 8 + tip_lift, 24), 7, 5.5, self._glint)

    def _underside(self, frame: Frame, half: dict[int, float], lift: dict[int, float]) -> skia.Path:
        """The plane between the nostrils."""
        on, base = frame.space.on_face, self._base

        def edge(side: int) -> list[Point]:
            x, y = side * half[side], base + lift[side]
            return [
                on(x * 0.30, y + 2.2, 20), on(x * 0.62, y + 0.5, 15), on(x, y - 2, 8),
                on(x * 0.8, y + 5, 10), on(x * 0.3, base + 7, 14),
            ]  # fmt: skip

        right, left = edge(1), edge(-1)
        left.reverse()
        return smooth([on(0, base + 4.2, 22), *right, on(0, base + 8.6, 16), *left])

    def _wing(self, frame: Frame, side: int, half: float, lift: float) -> None:
        brush, skin, on, base = frame.brush, self._skin, frame.space.on_face, self._base
        x, y = side * half, base + lift
        nostril = [
            on(x * 0.24, base + 4 + lift * 0.6, 17), on(x * 0.46, y + 1.0, 16),
            on(x * 0.72, y + 3.4, 13), on(x * 0.5, base + 5.6 + lift * 0.6, 14),
        ]  # fmt: skip
        brush.fill(smooth(nostril), skin.deep, 0.82)
        wing = [
            on(x * 0.86, y - 11, 9), on(x * 1.05, y - 5, 8), on(x, y + 3, 8),
            on(x * 0.78, y + 5.5, 10),
        ]  # fmt: skip
        brush.taper(wing, 2.4, skin.deep, 0.42 if side > 0 else 0.30)
        sneer = frame.face.sneer[side]
        if sneer > 0.05:
            for row in (0, 7):
                line = [
                    on(side * 5, 6 + row, 10), on(side * 10, 9 + row, 8),
                    on(side * 13, 15 + row, 6),
                ]  # fmt: skip
                brush.taper(line, 2.2, skin.deep, 0.42 * sneer)
