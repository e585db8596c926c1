"""Eyes: lids, white, iris, lashes. Half of what people like in a face is here.

The iris is large and cut by the upper lid, the lid throws a shadow on the white, and the
catchlights stay where the room's lamp is while the iris moves.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.baked import bake_iris
from rt_avatar.engines.rig.brush import LINEAR, Brush
from rt_avatar.engines.rig.curves import Point
from rt_avatar.engines.rig.decal import image_of
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import HAIR, IRISES, SKINS, WHITE, mix, rgb

# Both lids meet this far below the eye's axis when they close.
SHUT_Y: Final = 4.2
# How far the iris travels across and up or down at full weight.
GAZE_X, GAZE_Y = 8.2, 5.6
# An iris seen from the side is this much narrower.
GAZE_SQUASH: Final = 0.26
EYE_DEPTH: Final = -3.0
PINK: Final = rgb("#C79C9A")
GREY: Final = rgb("#9A8C96")
LID_SHADOW: Final = rgb("#2A1A22"), rgb("#1A0E14")
Cubic: TypeAlias = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class _Lids:
    """Where one eye's lids are, relative to its middle, and the curves they make."""

    side: int
    upper_y: float
    lower_y: float
    tilt: float
    blink: float
    upper: Cubic
    lower: Cubic
    crease: Cubic
    crease_y: float


def _between(there: Cubic, back: Cubic) -> skia.Path:
    """The closed path along one cubic and back along the other."""
    path = skia.Path()
    path.moveTo(*there[0])
    path.cubicTo(*there[1], *there[2], *there[3])
    path.lineTo(*back[3])
    path.cubicTo(*back[2], *back[1], *back[0])
    path.close()
    return path


def _lowered(curve: Cubic, by: float) -> Cubic:
    (ax, ay), (bx, by_), (cx, cy), (dx, dy) = curve
    return (ax, ay + by), (bx, by_ + by), (cx, cy + by), (dx, dy + by)


class Eyes:
    """The eyes of one look. Draws in head pixels."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        skin = SKINS[look.skin]
        self._skin = skin
        self._anatomy = anatomy
        self._is_female = look.gender == "female"
        self._is_child = look.age == "child"
        self._is_old = look.age == "elderly"
        self._iris = image_of(bake_iris(IRISES[look.iris]))
        self._lid = mix(skin.base, skin.warm, 0.34)
        self._shadow = mix(skin.shade, rgb("#5A3040"), 0.3)
        self._white = mix(rgb("#FBF7F4"), skin.base, 0.06 if look.skin < 4 else 0.12)
        self._corner = mix(skin.blush, rgb("#D08080"), 0.5)
        self._waterline = mix(skin.light, skin.blush, 0.4)
        self._lash = mix(rgb("#1A0F12"), HAIR[look.hair_color].dark, 0.35)
        self._lash_alpha = 0.7 if self._is_old and not self._is_female else 0.96
        self._tilt = 0.8 if self._is_old else -2.6 if self._is_female else -1.4
        if self._is_child:
            self._lash_thick = (2.2, 3.4) if self._is_female else (2.0, 2.9)
        else:
            self._lash_thick = (2.6, 4.3) if self._is_female else (1.8, 2.7)
        self._wing = (4.6, -2.6) if self._is_female else (1.6, -0.4)
        if not self._is_female:
            self._flicks: tuple[tuple[float, float], ...] = ()
        else:
            self._flicks = ((0.84, 4.6),) if self._is_child else ((0.62, 4.2), (0.86, 5.4))

    def draw(self, frame: Frame) -> None:
        """Draw both."""
        for side in SIDES:
            lids = self._lids(frame, side)
            self._draw_lid(frame, lids)
            if lids.lower_y - lids.upper_y > 1.2:
                self._draw_ball(frame, lids)
            self._draw_lashes(frame, lids)
            self._draw_creases(frame, lids)

    def _at(self, frame: Frame, side: int, x: float, y: float, depth: float = EYE_DEPTH) -> Point:
        """Project a point relative to the eye's middle, x away from the nose."""
        eye_x, eye_y = self._anatomy.eye
        return frame.space.on_face(side * (eye_x + x), eye_y + y, depth)

    def _lids(self, frame: Frame, side: int) -> _Lids:
        face, a = frame.face, self._anatomy
        blink, squint, wide = face.blink[side], face.squint[side], face.wide[side]
        gaze_up = face.look_up[side] - face.look_down[side]
        down = face.brow_down[side]
        upper = a.lid_up * (1 + 0.30 * wide) + 4.5 * squint + 2.2 * down
        upper -= (2.0 if gaze_up > 0 else 5.5) * gaze_up
        lower = a.lid_low * (1 + 0.10 * wide) - 5.0 * squint - 2.6 * face.smile[side]
        lower += 1.6 * max(0.0, -gaze_up) - 3.5 * face.cheek_squint[side]
        lower = max(lower, 2.2)
        upper += (SHUT_Y - upper) * blink
        lower += (SHUT_Y + 0.6 - lower) * blink
        crease = a.lid_up * (1 + 0.26 * wide) - 5.2 + 1.5 * squint + 3.2 * down + 1.5 * blink
        crease += (2.2 if self._is_old else 0.0) - 1.2 * gaze_up
        worry = 1.3 * face.brow_inner_up * (1 - blink)
        half = a.eye_half
        inner, outer = (-half, 3.2), (half, 1.0 + self._tilt)

        def curve(y: float, near: float, far: float) -> Cubic:
            # The height of a cubic's middle is 3/4 of its handles and 1/8 of each end.
            high = y * 1.333 - 0.1667 * (inner[1] + outer[1])
            return (
                self._at(frame, side, *inner),
                self._at(frame, side, (near - 1) * half, high + 1.2 + 1.6 * down - 1.2 * worry),
                self._at(frame, side, (1 - far) * half, high - 0.8 - 0.4 * down),
                self._at(frame, side, *outer),
            )

        return _Lids(
            side=side,
            upper_y=upper,
            lower_y=lower,
            tilt=self._tilt,
            blink=blink,
            upper=curve(upper, 0.38, 0.28),
            lower=curve(lower, 0.43, 0.27),
            crease=curve(crease, 0.38, 0.28),
            crease_y=crease,
        )

    def _draw_lid(self, frame: Frame, lids: _Lids) -> None:
        """The skin between the crease and the lashes."""
        brush, side = frame.brush, lids.side
        path = _between(lids.upper, lids.crease)
        brush.fill(path, self._lid, 0.85)
        if lids.blink <= 0.3 and not self._is_female:
            return
        with brush.clipped(path):
            light = self._at(frame, side, -2, (lids.crease_y + lids.upper_y) / 2 + 1)
            brush.stamp(self._skin.light, light, 16, 5 + 5 * lids.blink, 0.5 * max(lids.blink, 0.5))
            if self._is_female and not self._is_child:
                outer = self._at(frame, side, self._anatomy.eye_half * 0.7, lids.upper_y - 2)
                brush.stamp(self._shadow, outer, 14, 10, 0.45)

    def _draw_ball(self, frame: Frame, lids: _Lids) -> None:
        brush, side, face, half = frame.brush, lids.side, frame.face, self._anatomy.eye_half
        opening = _between(lids.upper, lids.lower)
        brush.fill(opening, self._white)
        with brush.clipped(opening):
            brush.stamp(PINK, self._at(frame, side, -half, 3), 9, 8, 0.55)
            brush.stamp(GREY, self._at(frame, side, half, 0), 12, 14, 0.42)
            out = face.look_out[side] - face.look_in[side]
            up = face.look_up[side] - face.look_down[side]
            x, y = out * GAZE_X, -up * GAZE_Y - 0.6
            radius = self._anatomy.iris
            narrow = radius * (1 - GAZE_SQUASH * out * out)
            at = self._at(frame, side, x, y - 0.2, -1)
            box = skia.Rect.MakeLTRB(at[0] - narrow, at[1] - radius, at[0] + narrow, at[1] + radius)
            frame.canvas.skia.drawImageRect(self._iris, box, LINEAR)
            for by, color in zip((4.6, 2.4), LID_SHADOW, strict=True):
                brush.fill(_between(lids.upper, _lowered(lids.upper, by)), color, 0.30)
            self._catchlights(brush, self._at(frame, side, x * 0.86, y * 0.86 - 0.2, -1), radius)
        brush.dot(self._at(frame, side, -half + 2.4, 3.4), 2.0, self._corner, 0.75)
        line = skia.Path()
        line.moveTo(*self._at(frame, side, -half + 4, 4.2))
        line.cubicTo(*lids.lower[1], *lids.lower[2], *lids.lower[3])
        brush.line(line, self._waterline, 0.75, 1.5)

    def _catchlights(self, brush: Brush, at: Point, radius: float) -> None:
        k = radius / 11.8
        brush.dot((at[0] - 4.0 * k, at[1] - 4.4 * k), 3.25 * k, WHITE, 0.96)
        brush.dot((at[0] + 4.4 * k, at[1] + 4.4 * k), 1.55 * k, WHITE, 0.62)

    def _draw_lashes(self, frame: Frame, lids: _Lids) -> None:
        """The lower line, and the upper wedge: thin at the nose, thick and winged outside."""
        brush, side, half = frame.brush, lids.side, self._anatomy.eye_half
        lower, upper = lids.lower, lids.upper
        line = skia.Path()
        line.moveTo(*self._at(frame, side, -half + 8, 4.6 + (lids.lower_y - 6) * 0.45))
        line.cubicTo(lower[1][0], lower[1][1] + 1.5, lower[2][0], lower[2][1] + 0.9, *lower[3])
        brush.line(line, self._skin.deep, 0.55 if self._is_female else 0.42, 1.15)
        near, far = self._lash_thick
        tip = self._at(
            frame, side, half + self._wing[0], 1.0 + lids.tilt + self._wing[1] + 3.0 * lids.blink
        )
        wedge = skia.Path()
        wedge.moveTo(*upper[0])
        wedge.cubicTo(upper[1][0], upper[1][1] - near, upper[2][0], upper[2][1] - far * 1.25, *tip)
        bend = tip[0] * 0.6 + upper[3][0] * 0.4, tip[1] * 0.3 + upper[3][1] * 0.7 + 0.8
        wedge.quadTo(*bend, upper[3][0], upper[3][1] + 0.6)
        wedge.cubicTo(upper[2][0], upper[2][1] + 0.7, upper[1][0], upper[1][1] + 0.5, *upper[0])
        wedge.close()
        brush.fill(wedge, self._lash, self._lash_alpha)
        flip = 1 - 1.5 * lids.blink
        for share, length in self._flicks:
            x, y = _point_on(upper, (share + 1) / 2)
            flick = [
                (x - side * 2, y),
                (x + side * length * 0.55, y - length * 0.42 * flip),
                (x + side * length * 1.15, y - length * 1.15 * flip),
            ]
            brush.taper(flick, 2.0, self._lash, 0.9)

    def _draw_creases(self, frame: Frame, lids: _Lids) -> None:
        brush, side, half, face = frame.brush, lids.side, self._anatomy.eye_half, frame.face
        crease = skia.Path()
        crease.moveTo(*self._at(frame, side, -half + 3, -3.5 + 0.4 * (lids.crease_y + 18)))
        end = self._at(frame, side, half + 3, -3.4 + lids.tilt)
        crease.cubicTo(*lids.crease[1], *lids.crease[2], *end)
        brush.line(crease, self._skin.deep, 0.32 if self._is_child else 0.50, 1.3)
        smile, squint = face.smile[side], face.squint[side]
        raised = max(smile + face.cheek_squint[side] - 0.4, squint - 0.1)
        if raised > 0:  # the bag of a smile
            y = lids.lower_y
            bag = [
                self._at(frame, side, -half * 0.7, y + 6), self._at(frame, side, 0, y + 8.5),
                self._at(frame, side, half * 0.8, y + 5),
            ]  # fmt: skip
            brush.taper(bag, 2.4, self._skin.deep, min(0.3, raised))


def _point_on(curve: Cubic, share: float) -> Point:
    rest = 1 - share
    a, b, c, d = rest**3, 3 * rest * rest * share, 3 * rest * share * share, share**3
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    return a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy
