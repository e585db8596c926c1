"""Textures baked once a look: skin, iris, backdrop.

Gradients and blurs cost milliseconds a frame, so all of them live here. The skin carries the
room's light, which stays in the room when the head turns.
"""

import math
import random
from typing import Final

import skia

from rt_avatar.engines.rig.brush import ink
from rt_avatar.engines.rig.curves import Point, smooth
from rt_avatar.engines.rig.decal import Bgra, bake
from rt_avatar.engines.rig.palette import BLACK, WHITE, Color, Skin, Tones, argb, mix, rgb
from rt_avatar.engines.rig.projection import LAYOUT_PX

SKIN_LEFT, SKIN_TOP, SKIN_WIDTH, SKIN_HEIGHT = -150, -160, 300, 330  # head pixels
IRIS_PX: Final = 72
PUPIL: Final = rgb("#0A0608")
VIGNETTE: Final = rgb("#10131F")


def _radial(
    middle: Point, radius: float, colors: list[int], stops: list[float] | None = None
) -> skia.Paint:
    shader = skia.GradientShader.MakeRadial(middle, radius, colors, stops)
    return skia.Paint(AntiAlias=True, Shader=shader)


def bake_skin(skin: Skin, density: float) -> Bgra:
    """Bake the light on a face at ``density`` texels a head pixel. Nothing in it is sharp."""

    def draw(canvas: skia.Canvas) -> None:
        canvas.scale(density, density)
        canvas.translate(-SKIN_LEFT, -SKIN_TOP)
        canvas.clear(argb(skin.base))
        light = skin.light
        glow = [argb(light, 0.95), argb(light, 0.55), argb(light, 0)]
        canvas.drawCircle(-34, -30, 110, _radial((-34, -30), 110, glow, [0, 0.4, 1]))
        chin = [argb(light, 0.35), argb(light, 0)]
        canvas.drawCircle(-28, 92, 60, _radial((-20, 96), 44, chin))
        # Form shadow: a saturated warm band first, then the cooler shade.
        side = smooth(
            [
                (62, -150), (66, -90), (74, -30), (70, 20), (62, 62), (44, 96), (14, 122),
                (-40, 140), (-60, 170), (160, 170), (160, -150),
            ]
        )  # fmt: skip
        canvas.drawPath(side, ink(skin.warm, 0.46, blur=20))
        side.offset(16, 8)
        canvas.drawPath(side, ink(skin.shade, 0.85, blur=13))
        far = smooth([(-70, 170), (-96, 60), (-108, -40), (-130, -60), (-150, 60), (-120, 170)])
        canvas.drawPath(far, ink(skin.warm, 0.35, blur=13))
        jaw = smooth(
            [(-90, 112), (-40, 128), (0, 133), (40, 126), (90, 108), (90, 170), (-90, 170)]
        )
        canvas.drawPath(jaw, ink(skin.shade, 0.5, blur=9))
        hairline = smooth([(-110, -160), (-60, -104), (0, -92), (60, -104), (110, -160)])
        canvas.drawPath(hairline, ink(skin.shade, 0.4, blur=14))

    return bake(round(SKIN_WIDTH * density), round(SKIN_HEIGHT * density), draw)


def bake_iris(tones: Tones) -> Bgra:
    """Bake an iris with its pupil: (72, 72, 4)."""
    dark, mid, light = tones

    def draw(canvas: skia.Canvas) -> None:
        dice = random.Random(2)
        canvas.translate(IRIS_PX / 2, IRIS_PX / 2)
        ring = [argb(mid), argb(mid), argb(mix(mid, dark, 0.55)), argb(dark)]
        canvas.drawCircle(0, 0, 35, _radial((0, 5), 35, ring, [0, 0.5, 0.78, 1]))
        for _ in range(90):
            angle = dice.uniform(0, 2 * math.pi)
            near, far = dice.uniform(14, 18), dice.uniform(22, 31)
            color = light if dice.random() < 0.6 else dark
            paint = ink(color, dice.uniform(0.1, 0.3), dice.uniform(0.8, 2))
            x, y = math.cos(angle), math.sin(angle)
            canvas.drawLine(near * x, near * y, far * x, far * y, paint)
        lit = [argb(light, 0.75), argb(light, 0)]
        canvas.drawCircle(0, 15, 20, _radial((0, 19), 20, lit))
        canvas.drawCircle(0, 0, 33.5, ink(dark, 0.75, 3.5, 0.8))
        canvas.drawCircle(0, 0, 15.5, ink(PUPIL, 0.97, blur=0.8))
        canvas.drawCircle(0, -22, 26, ink(BLACK, 0.26, blur=8))

    return bake(IRIS_PX, IRIS_PX, draw)


def bake_backdrop(colors: tuple[Color, Color, Color], size_px: int) -> Bgra:
    """Bake a blurred studio wall: a diagonal gradient, one glow, a few dim spots, a vignette."""
    near, far, glow = colors

    def draw(canvas: skia.Canvas) -> None:
        dice = random.Random(7)
        canvas.scale(size_px / LAYOUT_PX, size_px / LAYOUT_PX)
        wall = skia.GradientShader.MakeLinear([(60, 0), (430, 512)], [argb(near), argb(far)])
        canvas.drawPaint(skia.Paint(Shader=wall, Dither=True))
        lamp = [argb(glow, 0.85), argb(glow, 0)]
        paint = _radial((190, 190), 330, lamp)
        paint.setDither(True)
        canvas.drawCircle(190, 190, 330, paint)
        spots = ((70, 90, 46), (452, 130, 62), (410, 330, 36), (34, 300, 58), (476, 430, 50))
        for x, y, radius in spots:
            canvas.drawCircle(x, y, radius * 1.2, ink(WHITE, dice.uniform(0.08, 0.15), blur=18))
        vignette = [0, 0, argb(VIGNETTE, 0.30)]
        canvas.drawRect(
            skia.Rect.MakeWH(LAYOUT_PX, LAYOUT_PX), _radial((256, 240), 385, vignette, [0, 0.62, 1])
        )

    return bake(size_px, size_px, draw)
