"""Clothes: the upper body, baked once a look in layout pixels.

The neck's opening is left clear; the skin behind it is drawn by ``neck``.
"""

import math
from dataclasses import dataclass
from typing import Final

import skia

from rt_avatar.engines.rig.brush import ink
from rt_avatar.engines.rig.curves import Point, polygon, smooth
from rt_avatar.engines.rig.decal import Bgra, bake
from rt_avatar.engines.rig.looks import Garment
from rt_avatar.engines.rig.palette import BLACK, WHITE, Color, argb, mix, rgb
from rt_avatar.engines.rig.projection import LAYOUT_PX

# The baked strip covers these rows of the layout: more than shows, for when the body rises.
CLOTH_TOP: Final = 396
CLOTH_BOTTOM: Final = 560
MIDDLE: Final = 256.0
NIGHT: Final = rgb("#0A0A18")  # cloth's shade leans to blue
CORD: Final = (rgb("#F4F1EA"), rgb("#B9B4AA"))
# How deep the neckline reaches below the shoulder.
DEPTH: Final[dict[Garment, float]] = {
    "tee": 30, "sweater": 22, "shirt": 62, "blazer": 92, "hoodie": 34, "vneck": 58, "cardigan": 66,
}  # fmt: skip
POINTED: Final[tuple[Garment, ...]] = ("shirt", "blazer", "vneck", "cardigan")


@dataclass(frozen=True, slots=True)
class _Cut:
    """Measures of one garment in layout pixels, and its colours."""

    canvas: skia.Canvas
    garment: Garment
    color: Color
    under: Color
    dark: Color
    light: Color
    shoulder: float
    collar: float  # half the width of the neck's opening
    top: float
    depth: float

    def at(self, x: float, y: float) -> Point:
        """A point ``x`` from the middle and ``y`` below the collar."""
        return MIDDLE + x, self.top + y

    def fill(self, path: skia.Path, color: Color, alpha: float = 1, blur: float = 0) -> None:
        self.canvas.drawPath(path, ink(color, alpha, blur=blur))

    def line(
        self, path: skia.Path, color: Color, alpha: float, width: float, blur: float = 0
    ) -> None:
        self.canvas.drawPath(path, ink(color, alpha, width, blur))


def bake_clothes(
    garment: Garment, colors: tuple[Color, Color], rim: Color, shoulder: float, size_px: int
) -> Bgra:
    """Bake a garment for shoulders of half width ``shoulder`` on a canvas of ``size_px``."""
    color, under = colors
    unit = size_px / LAYOUT_PX

    def draw(canvas: skia.Canvas) -> None:
        canvas.scale(unit, unit)
        canvas.translate(0, -CLOTH_TOP)
        cut = _Cut(
            canvas, garment, color, under, mix(color, NIGHT, 0.42), mix(color, WHITE, 0.22),
            shoulder, shoulder * 0.36, 428 if shoulder < 140 else 420, DEPTH[garment],
        )  # fmt: skip
        _body(cut, rim)
        if garment in ("tee", "sweater", "hoodie"):
            _round_collar(cut)
        if garment == "hoodie":
            _hood(cut)
        if garment in ("blazer", "cardigan"):
            _inner_shirt(cut)
        if garment in ("shirt", "blazer"):
            _shirt_collar(cut)
        if garment == "blazer":
            _lapels(cut)
        if garment in ("cardigan", "vneck"):
            _knit_edge(cut)
        if garment in ("shirt", "cardigan"):
            _buttons(cut)

    return bake(size_px, round((CLOTH_BOTTOM - CLOTH_TOP) * unit), draw)


def _neckline(cut: _Cut) -> list[Point]:
    """From the person's left to the right."""
    wide, deep = cut.collar, cut.depth
    if cut.garment in POINTED:
        return [cut.at(wide + 4, 2), cut.at(0, deep), cut.at(-wide - 4, 2)]
    return [
        cut.at(wide + 4, 2),
        cut.at(wide * 0.72, deep * 0.72),
        cut.at(0, deep),
        cut.at(-wide * 0.72, deep * 0.72),
        cut.at(-wide - 4, 2),
    ]


def _body(cut: _Cut, rim: Color) -> None:
    wide, at = cut.shoulder, cut.at
    slope = [(cut.collar + 4, 2), (wide * 0.62, 15), (wide * 0.93, 33), (wide * 1.14, 74)]
    left = [at(-x, y) for x, y in slope]
    right = [at(x, y) for x, y in reversed(slope)]
    hem = [at(-wide * 1.22, 180), at(wide * 1.22, 180)]
    inside = _neckline(cut)[1:-1]
    corners = {0, 4, 5, 9} | ({10} if cut.garment in POINTED else set())
    path = smooth([*left, *hem, *right, *inside], True, corners)
    cut.fill(path, cut.color)
    cut.canvas.save()
    cut.canvas.clipPath(path, True)
    shader = skia.GradientShader.MakeLinear(
        [at(-wide, 0), at(wide, 120)],
        [
            argb(mix(cut.color, cut.light, 0.7)),
            argb(cut.color),
            argb(mix(cut.color, cut.dark, 0.75)),
        ],
        [0, 0.42, 1],
    )
    cut.canvas.drawPaint(skia.Paint(Shader=shader))
    for side in (-1, 1):  # sleeve seams and soft folds
        x = side * wide
        seam = smooth([at(x * 0.86, 36), at(x * 0.80, 70), at(x * 0.84, 140)], False)
        cut.line(seam, cut.dark, 0.38, 2.4, 1.4)
        fold = smooth([at(x * 0.5, 30), at(x * 0.42, 66), at(x * 0.5, 140)], False)
        cut.line(fold, cut.dark, 0.14, 14, 9)
        ridge = smooth([at(x * 0.60, 24), at(x * 0.66, 60), at(x * 0.64, 140)], False)
        cut.line(ridge, cut.light, 0.14, 12, 8)
    for x, color, alpha in ((wide, rim, 0.4), (-wide, WHITE, 0.22)):
        edge = smooth([at(x * 0.5, 11), at(x * 0.92, 33), at(x * 1.15, 80)], False)
        cut.line(edge, color, alpha, 5, 2.6)
    cut.canvas.restore()


def _round_collar(cut: _Cut) -> None:
    width = {"tee": 8.0, "sweater": 15.0}.get(cut.garment, 11.0)
    path = smooth(_neckline(cut), False)
    cut.line(path, mix(cut.color, cut.dark, 0.45), 1, width)
    cut.line(path, mix(cut.color, cut.light, 0.35), 0.8, 1.4)
    if cut.garment == "sweater":
        for step in range(34):  # ribs
            turn = math.pi * (0.02 + 0.96 * step / 33)
            x, y = cut.collar * math.cos(turn), math.sin(turn) ** 0.8 * cut.depth
            start, end = cut.at(x * 0.93, y - 4), cut.at(x * 1.06, y + 6)
            cut.canvas.drawLine(*start, *end, ink(cut.dark, 0.35, 1.2))


def _hood(cut: _Cut) -> None:
    wide = cut.collar
    for side in (-1, 1):
        edge = [
            (wide - 6, -14), (wide + 30, -5), (wide + 48, 24), (wide * 0.9, 50), (16, 70),
            (6, 58), (wide * 0.66, 26),
        ]  # fmt: skip
        path = smooth([cut.at(side * x, y) for x, y in edge])
        cut.fill(path, BLACK, 0.22, 5)
        cut.fill(path, mix(cut.color, cut.dark, 0.22))
        cut.canvas.save()
        cut.canvas.clipPath(path, True)
        crest = [(wide + 6, -6), (wide + 24, 20), (wide * 0.8, 44)]
        cut.line(smooth([cut.at(side * x, y) for x, y in crest], False), cut.light, 0.5, 12, 6)
        inner = [(wide - 8, -14), (wide * 0.62, 26), (4, 60)]
        cut.line(smooth([cut.at(side * x, y) for x, y in inner], False), cut.dark, 0.5, 9, 4)
        cut.canvas.restore()
        cut.line(path, cut.dark, 0.35, 1.2)
        for color, alpha, width, dx in ((CORD[0], 0.95, 4.0, 0.0), (CORD[1], 0.6, 1.2, 1.0)):
            start, end = cut.at(side * 22 + dx, 58), cut.at(side * 25 + dx, 122)
            cut.canvas.drawLine(*start, *end, ink(color, alpha, width))


def _inner_shirt(cut: _Cut) -> None:
    wide, deep = cut.collar, cut.depth
    dip = deep * (0.60 if cut.garment == "blazer" else 0.66)
    path = smooth(
        [
            cut.at(-wide - 4, 2), cut.at(0, dip), cut.at(wide + 4, 2), cut.at(wide * 0.9, 30),
            cut.at(0, deep + 10), cut.at(-wide * 0.9, 30),
        ],
        True,
        {0, 1, 2, 4},
    )  # fmt: skip
    cut.fill(path, cut.under)
    shade = mix(cut.under, BLACK, 0.35)
    cut.canvas.save()
    cut.canvas.clipPath(path, True)
    cut.line(polygon([cut.at(wide, 0), cut.at(6, deep)]), shade, 0.35, 12, 6)
    cut.line(polygon([cut.at(-wide, 0), cut.at(-6, deep)]), shade, 0.25, 12, 6)
    cut.line(polygon([cut.at(0, dip), cut.at(0, 140)]), shade, 0.6, 1.6)
    cut.canvas.restore()


def _shirt_collar(cut: _Cut) -> None:
    wide, deep = cut.collar, cut.depth
    is_blazer = cut.garment == "blazer"
    cloth = cut.under if is_blazer else mix(cut.color, WHITE, 0.14)
    meet = deep * (0.56 if is_blazer else 0.92)
    spread = 26.0 if is_blazer else 32.0
    for side in (1, -1):
        wing = [
            (wide + 3, -9), (wide + 20, 10), (spread, meet + 16), (2, meet), (wide * 0.52, 22),
        ]  # fmt: skip
        path = smooth([cut.at(side * x, y) for x, y in wing], True, {0, 2, 3})
        cut.fill(path, BLACK, 0.24, 4)
        cut.fill(path, cloth)
        cut.canvas.save()
        cut.canvas.clipPath(path, True)
        fold = smooth([cut.at(side * x, y) for x, y in ((wide + 2, -8), wing[4], (0, meet))], False)
        cut.line(fold, mix(cloth, BLACK, 0.4), 0.4, 7, 3)
        cut.canvas.restore()
        cut.line(path, mix(cloth, BLACK, 0.3), 0.5, 1.2)


def _lapels(cut: _Cut) -> None:
    """Notched lapels: collar and lapel meet at the notch, both roll to the button."""
    wide, deep = cut.collar, cut.depth
    button = deep + 34
    for side in (-1, 1):
        collar = [
            (wide + 2, -7), (wide + 24, 6), (wide + 34, 30), (wide + 14, 44), (wide - 2, 34),
        ]  # fmt: skip
        lapel = [
            (wide + 2, 24), (wide + 15, 43), (wide + 40, 38), (wide + 37, 60), (20, button + 6),
            (0, button), (wide * 0.45, 66),
        ]  # fmt: skip
        for points, corners, tint in ((lapel, {0, 1, 2, 3, 5}, 0.34), (collar, {0, 2, 3}, 0.2)):
            path = smooth([cut.at(side * x, y) for x, y in points], True, corners)
            cut.fill(path, BLACK, 0.32, 4)
            cut.fill(path, mix(cut.color, cut.light, tint))
            cut.line(path, cut.dark, 0.55, 1.2)
        crease = smooth([cut.at(side * x, y) for x, y in (lapel[0], lapel[6], lapel[5])], False)
        cut.line(crease, cut.dark, 0.5, 5, 2.5)
        edge = [(wide + 38, 42), (wide + 34, 60), (24, button)]
        cut.line(smooth([cut.at(side * x, y) for x, y in edge], False), cut.light, 0.5, 1.6)


def _knit_edge(cut: _Cut) -> None:
    wide, deep = cut.collar, cut.depth
    for side in (-1, 1):
        band = polygon([cut.at(side * (wide + 4), 2), cut.at(0, deep)])
        cut.line(band, mix(cut.color, cut.dark, 0.35), 1, 11)
        bright = polygon([cut.at(side * (wide + 8), 2), cut.at(side * 4, deep)])
        cut.line(bright, cut.light, 0.5, 1.3)
        for step in range(16):  # ribs
            share = (step + 0.5) / 16
            x, y = side * (wide + 4) * (1 - share), 2 + (deep - 2) * share
            start, end = cut.at(x - side * 3.4, y - 2.6), cut.at(x + side * 3.4, y + 2.6)
            cut.canvas.drawLine(*start, *end, ink(cut.dark, 0.28, 1.1))


def _buttons(cut: _Cut) -> None:
    cut.canvas.drawLine(*cut.at(0, cut.depth), *cut.at(1, 150), ink(cut.dark, 0.6, 2))
    for row in (1, 2):
        at = cut.at(5, cut.depth + 18 * row - 4)
        cut.canvas.drawCircle(at[0], at[1] + 0.8, 3.2, ink(cut.dark, 0.5))
        cut.canvas.drawCircle(*at, 3, ink(mix(cut.color, WHITE, 0.5)))
