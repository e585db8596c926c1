"""Drawing the mouth: surroundings, cavity, tongue, teeth, lips, tip of the tongue."""

from typing import Final

import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.curves import smooth
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.lips import CLOSED_GAP, LipShape, MouthSpace, lip_shape
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import SKINS, WHITE, mix, rgb

CAVITY: Final = rgb("#3B0F14"), rgb("#1A0508")
TONGUE: Final = rgb("#B84E57"), rgb("#E58A8C"), rgb("#8A2F3B")
TONGUE_TIP: Final = rgb("#C95F68"), rgb("#F2A3A3")
TEETH: Final = rgb("#FCF8F2")
LOWER_TEETH: Final = rgb("#E9DFD3")
TEETH_SHADE: Final = rgb("#8C6A6A"), rgb("#5A2E30")
TEETH_GAP: Final = rgb("#B8A6A0")
LINE: Final = rgb("#3A0E14")
# From this gap on the tongue rises into sight.
TONGUE_GAP: Final = 8.0
# From this weight on the tip of the tongue shows between the lips.
TIP_SHOWS: Final = 0.25


class Mouth:
    """The mouth of one look. Draws in head pixels."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        skin = SKINS[look.skin]
        self._skin = skin
        self._anatomy = anatomy
        self._is_child = look.age == "child"
        # Men's and children's lips are nearer to the skin around them.
        natural = 0.25 if self._is_child else 0.06 if look.gender == "female" else 0.5
        self._lip = mix(skin.lip, skin.warm, natural)
        self._upper = mix(self._lip, skin.deep, 0.26)
        self._upper_light = mix(self._lip, skin.light, 0.4)
        self._lower_light = mix(skin.light, self._lip, 0.25)
        self._gloss = 0.52 if look.gender == "female" else 0.28
        self._line = mix(skin.deep, LINE, 0.5)
        self._crease = mix(skin.deep, skin.shade, 0.4)

    def draw(self, frame: Frame) -> None:
        """Draw the mouth."""
        shape, space = lip_shape(frame.face, self._anatomy, frame.space)
        self._surroundings(frame, shape, space)
        if shape.open > CLOSED_GAP:
            self._inside(frame, shape, space)
        self._lower_lip(frame, shape, space)
        self._upper_lip(frame, shape, space)
        self._lip_line(frame, shape)
        if frame.face.tongue_out > TIP_SHOWS:
            self._tongue_tip(frame, shape, space)

    def _surroundings(self, frame: Frame, shape: LipShape, space: MouthSpace) -> None:
        """Soft shadow under the lip and in the corners, light above the bow."""
        brush, skin, face, x = frame.brush, self._skin, frame.face, shape.middle
        forward = face.jaw_forward
        below = space.at(x + 1, shape.low_y + 6.5)
        brush.stamp(skin.shade, below, 20 - 6 * face.pucker, 7, 0.62 + 0.3 * forward)
        brush.stamp(skin.light, space.at(x - 3, shape.top_y - 4), 12, 4, 0.28)
        for side in SIDES:
            smile, (cx, cy) = face.smile[side], shape.corner[side]
            tight = 0.26 * smile + 0.30 * face.dimple[side] + 0.16 * face.press[side]
            corner = space.at(cx + side * 2.5, cy + 0.5)
            brush.stamp(skin.deep, corner, 7, 6, 0.14 + tight)
            if smile > 0.2:
                line = [
                    space.at(cx + side * 3, cy - 4), space.at(cx + side * 5.4, cy + 0.5),
                    space.at(cx + side * 4, cy + 5),
                ]  # fmt: skip
                brush.taper(line, 2.0, self._crease, 0.42 * (smile - 0.2))

    def _inside(self, frame: Frame, shape: LipShape, space: MouthSpace) -> None:
        brush, face = frame.brush, frame.face
        opening = skia.Path()
        opening.moveTo(*shape.half[1].corner)
        self._upper_inner(opening, shape)
        right, left = shape.half[1].inner_lower, shape.half[-1].inner_lower
        opening.cubicTo(*left[0], *left[1], *shape.centre_lower)
        opening.cubicTo(*right[1], *right[0], *shape.half[1].corner)
        opening.close()
        brush.fill(opening, CAVITY[0])
        with brush.clipped(opening):
            middle = space.at(shape.middle, (shape.upper_y + shape.lower_y) / 2 + 1)
            brush.stamp(CAVITY[1], middle, 30, 16 + 10 * shape.jaw, 0.85)
            if shape.open > TONGUE_GAP or face.tongue_out:
                self._tongue(frame, shape, space)
            shown = max((face.jaw_open - 0.35) / 0.3, face.lower_down[0] / 0.6)
            if shown > 0:
                self._lower_teeth(frame, shape, space, min(1.0, shown))
            self._upper_teeth(frame, shape, space)

    @staticmethod
    def _upper_inner(path: skia.Path, shape: LipShape) -> None:
        """Continue ``path`` from the corner at +1 along the upper inner edge to that at -1."""
        right, left = shape.half[1].inner_upper, shape.half[-1].inner_upper
        path.cubicTo(*right[0], *right[1], *shape.centre_upper)
        path.cubicTo(*left[1], *left[0], *shape.half[-1].corner)

    def _tongue(self, frame: Frame, shape: LipShape, space: MouthSpace) -> None:
        brush, x = frame.brush, shape.middle
        sunk = 8 * max(0.0, 1 - (shape.open - TONGUE_GAP) / 8) * (1 - frame.face.tongue_out)
        y = shape.lower_y + 5 + sunk - 13 * min(1.0, shape.jaw) - 9 * frame.face.tongue_out
        half = max(6.0, shape.narrow * 0.62)
        outline = [
            (-half, 10), (-half * 0.8, -2), (-half * 0.3, -6), (half * 0.3, -6), (half * 0.8, -2),
            (half, 10), (0, 16),
        ]  # fmt: skip
        brush.fill(smooth([space.at(x + dx, y + dy) for dx, dy in outline]), TONGUE[0])
        brush.stamp(TONGUE[1], space.at(x - 3, y - 1), half * 0.8, 6, 0.75)
        groove = [space.at(x, y - 5), space.at(x + 0.5, y + 2), space.at(x, y + 8)]
        brush.taper(groove, 1.6, TONGUE[2], 0.5)

    def _lower_teeth(self, frame: Frame, shape: LipShape, space: MouthSpace, shown: float) -> None:
        x, half = shape.middle, shape.narrow * 0.86
        low = shape.lower_y
        edge = low + 1.5 - (4.5 + 2.5 * frame.face.lower_down[0]) * shown
        row = [
            (-half * 0.74, low + 4), (-half * 0.66, edge + 0.6), (0, edge - 0.6),
            (half * 0.66, edge + 0.6), (half * 0.74, low + 4),
        ]  # fmt: skip
        frame.brush.fill(smooth([space.at(x + dx, y) for dx, y in row]), LOWER_TEETH, 0.94)

    def _upper_teeth(self, frame: Frame, shape: LipShape, space: MouthSpace) -> None:
        brush, face, x, top = frame.brush, frame.face, shape.middle, shape.upper_y
        half = shape.narrow * 0.86
        edge = self._anatomy.mouth + 6.0 - 1.2 * face.roll_upper + (1.2 if self._is_child else 0.0)
        edge -= 1.5 * face.funnel + 6.5 * face.pucker
        row = [
            (-half * 1.05, top - 8), (-half * 0.97, edge - 3.2), (-half * 0.55, edge - 0.6),
            (0, edge + 0.4), (half * 0.55, edge - 0.6), (half * 0.97, edge - 3.2),
            (half * 1.05, top - 8),
        ]  # fmt: skip
        teeth = smooth([space.at(x + dx, y, -2) for dx, y in row], True, (0, 6))
        brush.fill(teeth, TEETH)
        with brush.clipped(teeth):
            brush.stamp(TEETH_SHADE[0], space.at(x, top - 1), shape.narrow * 1.3, 5.5, 0.55)
            for side in SIDES:
                cx, cy = shape.corner[side]
                dark = space.at(cx - side * 2, (cy + edge) / 2 - 1)
                brush.stamp(TEETH_SHADE[1], dark, shape.narrow * 0.42, 15, 0.75)
            for share in (-0.42, 0.0, 0.42):
                gap = x + half * share
                brush.segment(space.at(gap, top), space.at(gap, edge), TEETH_GAP, 0.26, 0.8)

    def _lower_lip(self, frame: Frame, shape: LipShape, space: MouthSpace) -> None:
        brush, x, thick = frame.brush, shape.middle, shape.thick[1]
        right, left = shape.half[1], shape.half[-1]
        lip = skia.Path()
        lip.moveTo(*shape.half[1].corner)
        lip.cubicTo(*right.outer_lower[0], *right.outer_lower[1], *shape.low)
        lip.cubicTo(*left.outer_lower[1], *left.outer_lower[0], *shape.half[-1].corner)
        lip.cubicTo(*left.inner_lower[0], *left.inner_lower[1], *shape.centre_lower)
        lip.cubicTo(*right.inner_lower[1], *right.inner_lower[0], *shape.half[1].corner)
        lip.close()
        brush.fill(lip, self._lip)
        with brush.clipped(lip):
            y = shape.lower_y
            gloss = self._gloss * (1 + 0.3 * frame.face.jaw_forward)
            wide = space.at(x - 3, y + thick * 0.45)
            brush.stamp(self._lower_light, wide, shape.narrow * 0.55, thick * 0.42 + 1.2, gloss)
            spark = space.at(x - 4.5, y + thick * 0.40)
            brush.stamp(WHITE, spark, shape.narrow * 0.20, thick * 0.16 + 0.6, gloss * 0.9)
            under = space.at(x, shape.low_y + 1.5)
            brush.stamp(self._skin.deep, under, shape.narrow * 0.9, thick * 0.42, 0.40)

    def _upper_lip(self, frame: Frame, shape: LipShape, space: MouthSpace) -> None:
        brush, x, thick = frame.brush, shape.middle, shape.thick[0]
        right, left = shape.half[1], shape.half[-1]
        lip = skia.Path()
        lip.moveTo(*shape.half[1].corner)
        lip.cubicTo(*right.peak[0], *right.peak[1], *right.peak[2])
        bow = (right.peak[2][0] - shape.dip[0]) * 0.4
        lip.quadTo(shape.dip[0] + bow, right.peak[2][1] + 0.2, *shape.dip)
        bow = (left.peak[2][0] - shape.dip[0]) * 0.4
        lip.quadTo(shape.dip[0] + bow, left.peak[2][1] + 0.2, *left.peak[2])
        lip.cubicTo(*left.peak[1], *left.peak[0], *shape.half[-1].corner)
        lip.cubicTo(*left.inner_upper[0], *left.inner_upper[1], *shape.centre_upper)
        lip.cubicTo(*right.inner_upper[1], *right.inner_upper[0], *shape.half[1].corner)
        lip.close()
        brush.fill(lip, self._upper)
        with brush.clipped(lip):
            light = space.at(x - 4, shape.top_y + 1.5)
            brush.stamp(self._upper_light, light, shape.narrow * 0.6, thick * 0.45, 0.45)

    def _lip_line(self, frame: Frame, shape: LipShape) -> None:
        line = skia.Path()
        line.moveTo(*shape.half[1].corner)
        self._upper_inner(line, shape)
        parted = min(1.0, shape.open / 4)
        frame.brush.line(line, self._line, 0.80 - 0.40 * parted, 1.5 - 0.4 * parted)

    def _tongue_tip(self, frame: Frame, shape: LipShape, space: MouthSpace) -> None:
        brush, x, half = frame.brush, shape.middle, shape.narrow * 0.46
        alpha = min(1.0, (frame.face.tongue_out - TIP_SHOWS) * 14)
        top = self._anatomy.mouth + 4 + 3 * shape.jaw
        low = top + 4 + 26 * max(0.0, frame.face.tongue_out - 0.3)
        outline = [
            (-half, top), (0, top - 2), (half, top), (half * 0.86, low - 2), (0, low + 1.5),
            (-half * 0.86, low - 2),
        ]  # fmt: skip
        brush.fill(smooth([space.at(x + dx, y) for dx, y in outline]), TONGUE_TIP[0], alpha)
        brush.stamp(TONGUE_TIP[1], space.at(x - 2, (top + low) / 2), half * 0.8, 5, 0.8 * alpha)
