"""Beards: stubble as soft stamps, a full beard as a shape filled with baked hair."""

import math
import random
from itertools import pairwise
from typing import Final

import numpy as np
import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.brush import ink
from rt_avatar.engines.rig.curves import Point, smooth
from rt_avatar.engines.rig.decal import Decal, bake
from rt_avatar.engines.rig.frame import JAW_DROP, Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import HAIR, SKINS, Tones, argb, mix
from rt_avatar.engines.rig.projection import HEAD_SCALE, LAYOUT_PX

# The baked patch in head pixels.
LEFT, TOP, WIDTH, HEIGHT = -120, -20, 240, 200
PLANE_Z: Final = 34.0
HAIRS: Final = 1500
# Below this a beard is stubble.
FULL: Final = 0.5


def bake_beard(tones: Tones, anatomy: Anatomy, density: float) -> Decal:
    """Bake a beard: rows of hairs that fan out from the mouth, lit on the chin."""
    dark, mid, light = tones
    mouth = anatomy.mouth

    def draw(canvas: skia.Canvas) -> None:
        dice = random.Random(9)
        canvas.scale(density, density)
        canvas.translate(-LEFT, -TOP)
        canvas.clear(argb(mix(mid, dark, 0.30)))
        canvas.drawCircle(-6, mouth + 30, 34, ink(mix(mid, light, 0.35), 0.75, blur=14))
        for side in (-1, 1):
            canvas.drawCircle(side * 64, mouth - 6, 22, ink(mix(mid, light, 0.25), 0.4, blur=12))
        canvas.drawCircle(0, mouth + 16, 11, ink(dark, 0.75, blur=6))
        rows = sorted(dice.uniform(-20, 165) for _ in range(HAIRS))
        for y in rows:  # upper hairs first: each row lies on the one below it
            x = dice.uniform(-112, 112)
            length = dice.uniform(7, 13)
            lean = x / 115 * 0.35 + dice.gauss(0, 0.16)
            if y < mouth - 6 and abs(x) < 36:  # the moustache parts in the middle
                lean += math.copysign(0.9, x)
            curl = dice.gauss(0, 0.12)
            color, alpha = dice.choice(((dark, 0.40), (dark, 0.40), (mid, 0.5), (light, 0.42)))
            hair = [
                (x, y),
                (x + (lean * 0.4 + curl) * length, y + length * 0.55),
                (x + lean * length, y + length),
            ]
            canvas.drawPath(smooth(hair, False), ink(color, alpha, dice.uniform(0.7, 1.7)))
        shade = skia.GradientShader.MakeLinear(
            [(20, 60), (95, 70)], [argb(dark, 0), argb(dark, 0.55)]
        )
        canvas.drawRect(skia.Rect.MakeLTRB(20, TOP, 120, 180), skia.Paint(Shader=shade))

    pixels = bake(round(WIDTH * density), round(HEIGHT * density), draw)
    return Decal(pixels, LEFT, TOP, density)


class Beard:
    """The beard of one look, if it has any. Draws in head pixels, clipped to the face."""

    def __init__(self, look: Look, anatomy: Anatomy, size_px: int) -> None:
        self._strength = look.beard
        self._anatomy = anatomy
        tones = HAIR[look.hair_color]
        self._stubble = mix(tones.dark, SKINS[look.skin].deep, 0.6)
        self._edge = mix(tones.mid, tones.dark, 0.30)
        self._bright = mix(tones.mid, tones.light, 0.5)
        self._decal = None
        if look.beard > FULL:
            density = HEAD_SCALE * size_px / LAYOUT_PX
            self._decal = bake_beard(tones, anatomy, density)

    def draw(self, frame: Frame) -> None:
        """Draw it."""
        if self._decal is not None:
            self._draw_full(frame, self._decal)
        elif self._strength:
            self._draw_stubble(frame)

    def _draw_stubble(self, frame: Frame) -> None:
        """Soft stamps: a blurred shape would read as a muzzle and cost six times as much."""
        stamp, on, color, k = frame.brush.stamp, frame.space.on_face, self._stubble, self._strength
        mouth, jaw = self._anatomy.mouth, frame.face.jaw_open
        for side in (-1, 1):
            stamp(color, on(side * 70, mouth - 4 + 8 * jaw), 30, 60, k * 0.62)
            stamp(color, on(side * 40, mouth + 22 + 18 * jaw), 52, 42, k * 0.8)
        stamp(color, on(0, mouth - 14), self._anatomy.mouth_half + 12, 15, k * 1.1)
        stamp(color, on(0, mouth + 34 + 24 * jaw), 30, 28, k * 0.8)

    def _draw_full(self, frame: Frame, decal: Decal) -> None:
        on, a, jaw = frame.space.on_face, self._anatomy, frame.face.jaw_open
        y, half = a.mouth, a.mouth_half
        smile = frame.face.smile
        top: list[Point] = [(86, 26), (74, 50), (half + 21 + 4 * smile[1], y - 11 - 4 * smile[1])]
        top += [(half + 4, y - 19 - 2 * smile[1]), (10, y - 22), (0, y - 20)]
        top += [(-10, y - 22), (-half - 4, y - 19 - 2 * smile[-1])]
        top += [(-half - 21 - 4 * smile[-1], y - 11 - 4 * smile[-1]), (-74, 50), (-86, 26)]
        edge = [on(*point) for point in top]
        path = smooth(frame.contour[4:13] + edge[::-1])
        place = frame.space.plane(PLANE_Z)
        # The chin takes the beard along; the moustache hardly moves.
        stretch = 1 + 0.7 * jaw * JAW_DROP / (a.chin - y)
        fixed = np.array([[1, 0, 0], [0, stretch, y * (1 - stretch)], [0, 0, 1]])
        frame.fill(frame.to_canvas(path), decal, place @ fixed)
        self._fringe(frame, edge)

    def _fringe(self, frame: Frame, edge: list[Point]) -> None:
        """Fine hairs across the upper edge, which is otherwise a cut-out."""
        for count, color, alpha, seed in ((5, self._edge, 0.75, 3), (3, self._bright, 0.55, 4)):
            dice = random.Random(seed)
            hairs = skia.Path()
            for (x0, y0), (x1, y1) in pairwise(edge):
                for _ in range(count):
                    share = dice.random()
                    x, y = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
                    long, lean = dice.uniform(5, 9), dice.uniform(-2.5, 2.5)
                    hairs.moveTo(x - 0.9, y + 4)
                    hairs.lineTo(x + lean * 0.5, y + 4 - long)
                    hairs.lineTo(x + 0.9, y + 4)
                    hairs.close()
            frame.brush.fill(hairs, color, alpha)
