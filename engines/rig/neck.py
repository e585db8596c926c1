"""Neck, upper chest and clothes: the top follows the head, the bottom the body."""

from typing import Final

import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.brush import Brush
from rt_avatar.engines.rig.clothes import CLOTH_TOP, bake_clothes
from rt_avatar.engines.rig.curves import Point, smooth
from rt_avatar.engines.rig.decal import Bgra, Sprite, bake, image_of
from rt_avatar.engines.rig.frame import CHIN, Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import SKINS, argb, mix, rgb
from rt_avatar.engines.rig.projection import HEAD_SCALE, HEAD_UNIT, LAYOUT_PX

# Shares of the head's own movement that the body takes part in.
SWAY_SHARE: Final = 0.25
BREATH_SHARE: Final = 0.8
COLLAR_Y: Final = 432.0  # layout pixels
# The baked skin reaches this far above and below the collar.
CHEST_ABOVE, CHEST_BELOW = 160, 90
# Breathing lifts the shoulders, but never off the lower edge of the picture.
MAX_BREATH: Final = 16.0


def _moved(frame: Frame) -> Point:
    """Return how far the body is to the right and down, in layout pixels."""
    space = frame.space
    rise = BREATH_SHARE * space.pose.shift_y * HEAD_UNIT * HEAD_SCALE
    return SWAY_SHARE * space.slide[0], max(-MAX_BREATH, min(MAX_BREATH, rise))


class Neck:
    """Neck and clothes of one look. Draws in layout pixels."""

    def __init__(self, look: Look, anatomy: Anatomy, size_px: int) -> None:
        self._skin = SKINS[look.skin]
        self._anatomy = anatomy
        cloth, under = look.cloth
        self._cloth = Sprite(
            bake_clothes(
                look.garment, (rgb(cloth), rgb(under)), rgb(look.rim), anatomy.shoulder, size_px
            )
        )
        self._chest = image_of(self._bake_chest(size_px), True)

    def draw(self, frame: Frame) -> skia.Path:
        """Draw the neck; return its outline."""
        anatomy, space = self._anatomy, frame.space
        sway, rise = _moved(frame)
        half, wide = anatomy.neck, anatomy.shoulder
        x, y = 256 + sway, COLLAR_Y + rise
        left = frame.to_layout(space.at(-half, 66, -42))
        right = frame.to_layout(space.at(half, 66, -42))
        low_left, low_right = (x - half * 1.12, y - 26), (x + half * 1.12, y - 26)
        path = smooth(
            [
                left,
                ((left[0] + low_left[0]) / 2 + 1, (left[1] + low_left[1]) / 2),
                low_left,
                (x - half * 1.5, y - 2),
                (x - wide * 0.72, y + 24),
                (x - wide * 0.8, y + 110),
                (x + wide * 0.8, y + 110),
                (x + wide * 0.72, y + 24),
                (x + half * 1.5, y - 2),
                low_right,
                ((right[0] + low_right[0]) / 2 - 1, (right[1] + low_right[1]) / 2),
                right,
            ],
            True,
            (0, 4, 5, 6, 7, 11),
        )
        frame.canvas.fill_still(
            frame.layout_path(path),
            self._chest,
            (sway + 256 - LAYOUT_PX / 2) * frame.unit,
            (y - CHEST_ABOVE) * frame.unit,
        )
        return path

    def dress(self, frame: Frame, outline: skia.Path) -> None:
        """Draw the chin's shadow on the neck and, over both, the clothes."""
        with frame.brush.clipped(outline, is_smooth=False):
            self._draw_chin_shadow(frame)
        sway, rise = _moved(frame)
        pen = frame.canvas.skia
        pen.save()
        pen.resetMatrix()
        self._cloth.draw(pen, sway * frame.unit, (CLOTH_TOP + rise) * frame.unit)
        pen.restore()

    def _draw_chin_shadow(self, frame: Frame) -> None:
        chin = frame.to_layout(frame.contour[CHIN])
        frame.brush.stamp(self._skin.warm, (chin[0] + 8, chin[1] + 6), 120, 70, 0.55)
        frame.brush.stamp(self._skin.deep, (chin[0] + 8, chin[1] - 10), 112, 66, 0.95)

    def _bake_chest(self, size_px: int) -> Bgra:
        """Bake the skin of neck and chest: side shade, light on the collarbones, muscles."""
        skin, half, wide = self._skin, self._anatomy.neck, self._anatomy.shoulder
        unit = size_px / LAYOUT_PX

        def draw(canvas: skia.Canvas) -> None:
            canvas.scale(unit, unit)
            canvas.translate(LAYOUT_PX / 2, CHEST_ABOVE)  # to the middle of the collar
            canvas.clear(argb(mix(skin.base, skin.shade, 0.30)))
            brush = Brush(canvas)
            brush.stamp(skin.shade, (half, -20), half, 110, 0.7)
            brush.stamp(skin.light, (-half * 0.7, 26), 60, 34, 0.55)
            brush.stamp(skin.light, (half * 0.9, 34), 50, 26, 0.25)
            for side in (-1, 1):
                muscle = [(side * half * 0.92, -50), (side * half * 0.62, -14), (side * 10, 16)]
                brush.taper(muscle, 5, skin.shade, 0.28)
                bone = [(side * 14, 20), (side * half * 1.1, 16), (side * wide * 0.55, 12)]
                brush.taper(bone, 4, skin.shade, 0.4)

        return bake(size_px, round((CHEST_ABOVE + CHEST_BELOW) * unit), draw)
