"""Baking of hair: locks and curls into one opaque decal a layer.

Satin comes from many faint blurred strokes across the light, depth from darker roots and tips,
and structure from a few broad grooves between strands: without them a head of hair is a helmet.
"""

import math
import random
from collections.abc import Sequence
from typing import Final

import numpy as np
import skia

from rt_avatar.engines.rig.brush import ink
from rt_avatar.engines.rig.curves import (
    Curve,
    Points,
    controls,
    orient,
    path_of,
    polygon,
    resampled,
    smooth,
    smoothstep,
)
from rt_avatar.engines.rig.decal import Decal, bake
from rt_avatar.engines.rig.locks import Cloud, Lock, Piece
from rt_avatar.engines.rig.palette import BLACK, WHITE, Color, Tones, argb, is_dark, mix

# Steps along a lock at which its strands are drawn.
STEPS: Final = 32
MARGIN: Final = 14.0  # head pixels of hair colour around the outlines, for turned heads
# Grooves that leave the root of a lock: (share of strands)
GROOVES: Final = 0.22
# Curls a head pixel squared.
CURLS: Final = 1 / 40


def bake_hair(
    pieces: Sequence[Piece],
    tones: Tones,
    rim: Color,
    density: float,
    parting: tuple[Points, Color] | None = None,
) -> Decal:
    """Bake hair into a decal.

    Args:
        pieces: What it is made of, back to front.
        tones: Its colours.
        rim: Light along the right silhouette.
        density: Texels a head pixel.
        parting: Line from the hairline to the crown, and the scalp's colour.
    """
    outlines = [point for piece in pieces for point in piece.outline]
    left = min(x for x, _ in outlines) - MARGIN
    top = min(y for _, y in outlines) - MARGIN
    right = max(x for x, _ in outlines) + MARGIN
    bottom = max(y for _, y in outlines) + MARGIN
    dice = random.Random(1)

    def draw(canvas: skia.Canvas) -> None:
        canvas.scale(density, density)
        canvas.translate(-left, -top)
        # Opaque throughout: where a turned head shows more than was baked, it shows dark hair.
        canvas.clear(argb(mix(tones.mid, tones.dark, 0.6)))
        for piece in pieces:
            if isinstance(piece, Cloud):
                _draw_cloud(canvas, piece, tones, dice)
            else:
                _draw_lock(canvas, piece, tones, dice)
        if parting:
            _part(canvas, *parting, tones)
        _light(canvas, pieces, tones, rim)

    width, height = round((right - left) * density), round((bottom - top) * density)
    return Decal(bake(width, height, draw), left, top, density)


def _toned(color: Color, tone: float, tones: Tones) -> Color:
    return mix(color, tones.dark, -tone) if tone < 0 else mix(color, tones.light, tone)


def _draw_cloud(canvas: skia.Canvas, cloud: Cloud, tones: Tones, dice: random.Random) -> None:
    """Curls: short arcs, lit ones above, dark ones everywhere."""
    path = smooth(cloud.outline, True, cloud.corners)
    box = path.getBounds()
    mid = _toned(tones.mid, cloud.tone, tones)
    dark = _toned(tones.dark, cloud.tone, tones)
    canvas.save()
    canvas.drawPath(path, ink(mid, 1, 8))
    canvas.clipPath(path, True)
    shader = skia.GradientShader.MakeRadial(
        (box.centerX() - 35, box.top() + box.height() * 0.3),
        box.height() * 0.8,
        [argb(mix(mid, tones.light, 0.24)), argb(mid), argb(dark)],
        [0, 0.45, 1],
    )
    canvas.drawPaint(skia.Paint(Shader=shader))
    for _ in range(int(box.width() * box.height() * CURLS)):
        x = dice.uniform(box.left(), box.right())
        y = dice.uniform(box.top(), box.bottom())
        radius = dice.uniform(2.6, 7)
        away = math.hypot(x - box.centerX() + 30, y - box.top() - 26) / (box.height() * 0.75)
        is_lit = dice.random() < 0.45
        start = dice.uniform(180, 250) if is_lit else dice.uniform(0, 360)
        paint = ink(
            tones.light if is_lit else tones.dark,
            0.09 + 0.3 * (1 - min(1.0, away)) if is_lit else 0.38,
            dice.uniform(1.0, 2.2),
        )
        oval = skia.Rect.MakeXYWH(x - radius, y - radius, 2 * radius, 2 * radius)
        canvas.drawArc(oval, start, dice.uniform(120, 220), False, paint)
    canvas.restore()


def _draw_lock(canvas: skia.Canvas, lock: Lock, tones: Tones, dice: random.Random) -> None:
    path = smooth(lock.outline, True, lock.corners)
    end = list(lock.tip) if len(lock.tip) == 1 else []
    inner = resampled([*lock.inner, *end], STEPS)
    outer = resampled([*lock.outer, *end], STEPS)
    if lock.fade:
        canvas.saveLayer()
    else:
        edge = mix(tones.mid, tones.dark, 0.55 if is_dark(tones.mid) else 0.1)
        canvas.drawPath(path, ink(_toned(edge, lock.tone, tones), 1, 2.5))
    canvas.save()
    canvas.clipPath(path, True)
    canvas.drawPath(path, ink(_toned(tones.mid, lock.tone, tones)))
    _shade_length(canvas, inner, outer, tones)
    _grooves(canvas, lock, inner, outer, tones, dice)
    if lock.sheen:
        _sheen(canvas, lock, lock.sheen, inner, outer, tones, dice)
    _strands(canvas, lock, inner, outer, tones, dice)
    if lock.sheen:
        _glints(canvas, lock, lock.sheen, inner, outer, tones, dice)
    canvas.restore()
    if lock.fade:
        _erase_root(canvas, inner, outer, lock.fade)
        canvas.restore()


def _bands(inner: Curve, outer: Curve) -> list[tuple[float, skia.Path]]:
    """Cut the ribbon across, a little wider than it is: (share of the length, quadrangle)."""
    middle = (inner + outer) / 2
    wide_inner = middle + (inner - middle) * 1.35
    wide_outer = middle + (outer - middle) * 1.35
    return [
        (
            step / (STEPS - 1),
            polygon(
                np.array(
                    [wide_inner[step], wide_outer[step], wide_outer[step + 1], wide_inner[step + 1]]
                ),
                closed=True,
            ),
        )
        for step in range(STEPS - 1)
    ]


def _shade_length(canvas: skia.Canvas, inner: Curve, outer: Curve, tones: Tones) -> None:
    """Darken roots, tips and edges. White hair takes little at the root, or the parting is grey."""
    root = 0.50 if is_dark(tones.mid) else 0.22
    for share, band in _bands(inner, outer):
        depth = root * (1 - smoothstep(share, 0, 0.22)) + 0.42 * smoothstep(share, 0.5, 1.0)
        canvas.drawPath(band, skia.Paint(Color=argb(tones.dark, depth)))
    canvas.drawPath(polygon(inner), ink(tones.dark, 0.55, 12, 6))
    canvas.drawPath(polygon(outer), ink(tones.dark, 0.34, 9, 5))


def _erase_root(canvas: skia.Canvas, inner: Curve, outer: Curve, fade: float) -> None:
    for share, band in _bands(inner, outer):
        if share < fade:
            alpha = 1 - smoothstep(share, 0, fade)
            canvas.drawPath(
                band, skia.Paint(Color=argb(BLACK, alpha), BlendMode=skia.BlendMode.kDstOut)
            )


def _grooves(
    canvas: skia.Canvas, lock: Lock, inner: Curve, outer: Curve, tones: Tones, dice: random.Random
) -> None:
    """Broad soft valleys beside soft ridges, root to tip: strands hang together in bundles."""
    for _ in range(int(lock.strands * GROOVES)):
        at = dice.uniform(0.06, 0.94)
        drift = dice.uniform(-0.10, 0.10)
        share = np.clip(at + drift * np.linspace(0, 1, STEPS) ** 1.5, 0, 1)[:, None]
        start, end = dice.randrange(0, STEPS // 4), dice.randrange(STEPS * 3 // 5, STEPS)
        width = dice.uniform(2.0, 4.5)
        valley = inner * (1 - share) + outer * share
        beside = np.clip(share + 0.04, 0, 1)
        ridge = inner * (1 - beside) + outer * beside
        strength = 0.26 if is_dark(tones.mid) else 0.16
        canvas.drawPath(polygon(valley[start:end]), ink(tones.dark, strength, width, 1.6))
        canvas.drawPath(polygon(ridge[start:end]), ink(tones.light, 0.10, width, 1.8))


def _sheen(
    canvas: skia.Canvas,
    lock: Lock,
    sheen: tuple[float, float],
    inner: Curve,
    outer: Curve,
    tones: Tones,
    dice: random.Random,
) -> None:
    """The satin light across the strands: many faint blurred strokes."""
    low, high = sheen
    color = mix(tones.mid, tones.light, 0.85)
    for _ in range(int(lock.strands * 2)):
        share = dice.betavariate(1.8, 1.8)
        middle = (low + high) / 2 + dice.gauss(0, 0.035) + 0.04 * math.sin(share * 7)
        reach = (high - low) * dice.uniform(0.3, 0.6) * (1.05 - abs(share - 0.5))
        lit = _around(inner * (1 - share) + outer * share, middle, reach)
        if len(lit) > 2:
            canvas.drawPath(polygon(lit), ink(color, 0.10, dice.uniform(3, 9), 3))


def _strands(
    canvas: skia.Canvas, lock: Lock, inner: Curve, outer: Curve, tones: Tones, dice: random.Random
) -> None:
    bend = np.linspace(0, 3, STEPS)
    light = mix(tones.mid, tones.light, 0.65)
    for _ in range(int(lock.strands * 1.5)):
        sway = dice.uniform(-0.06, 0.06) * np.sin(bend + dice.random() * 2 * math.pi)
        share = np.clip(dice.random() + sway, 0, 1)[:, None]
        strand = inner * (1 - share) + outer * share
        start, end = dice.randrange(0, STEPS // 2), dice.randrange(STEPS // 2, STEPS)
        is_shade = dice.random() < 0.5
        alpha = dice.uniform(0.10, 0.30) if is_shade else dice.uniform(0.05, 0.16)
        width, middle = dice.uniform(0.7, 2.0), (start + end) // 2
        color = tones.dark if is_shade else light
        # Twice, the second time shorter: strands thin out towards their ends.
        canvas.drawPath(polygon(strand[start : end + 1]), ink(color, alpha * 0.6, width, 0.4))
        inside = strand[(start + middle) // 2 : (middle + end) // 2 + 1]
        if len(inside) > 1:
            canvas.drawPath(polygon(inside), ink(color, alpha * 0.7, width, 0.4))


def _glints(
    canvas: skia.Canvas,
    lock: Lock,
    sheen: tuple[float, float],
    inner: Curve,
    outer: Curve,
    tones: Tones,
    dice: random.Random,
) -> None:
    low, high = sheen
    color = mix(tones.light, WHITE, 0.15)
    for _ in range(int(lock.strands * 0.8)):
        share = dice.random()
        middle, reach = (
            (low + high) / 2 + dice.gauss(0, 0.06),
            (high - low) * dice.uniform(0.15, 0.45),
        )
        lit = _around(inner * (1 - share) + outer * share, middle, reach)
        if len(lit) > 2:
            canvas.drawPath(polygon(lit), ink(color, 0.13, dice.uniform(0.7, 1.4), 0.5))


def _around(strand: Curve, middle: float, reach: float) -> Curve:
    """Return a strand ``reach`` to either side of ``middle``, both shares of its length."""
    start = max(0, int((middle - reach) * STEPS))
    end = min(STEPS - 1, int((middle + reach) * STEPS) + 1)
    return strand[start : max(start, end + 1)]


def _part(canvas: skia.Canvas, line: Points, scalp: Color, tones: Tones) -> None:
    """A parting: the valley between two falls of hair, with a hint of scalp at the hairline."""
    path = smooth(line, closed=False)
    canvas.drawPath(path, ink(tones.dark, 0.5 if is_dark(tones.mid) else 0.22, 6, 2.4))
    canvas.drawPath(path, ink(mix(tones.dark, scalp, 0.45), 0.5, 1.1, 0.5))


def _light(canvas: skia.Canvas, pieces: Sequence[Piece], tones: Tones, rim: Color) -> None:
    """The room's light over all: sheen from the left, shade and a rim on the right."""
    union = path_of([orient(controls(p.outline, True, p.corners)).ravel().tolist() for p in pieces])
    canvas.save()
    canvas.clipPath(union, True)
    glow = skia.GradientShader.MakeRadial(
        (-44, -96), 90, [argb(tones.light, 0.20), argb(tones.light, 0)]
    )
    canvas.drawCircle(-44, -96, 90, skia.Paint(Shader=glow))
    shade = skia.GradientShader.MakeLinear(
        [(40, -80), (130, -40)], [argb(tones.dark, 0), argb(tones.dark, 0.38)]
    )
    canvas.drawRect(skia.Rect.MakeLTRB(20, -240, 190, 240), skia.Paint(Shader=shade))
    edge = skia.GradientShader.MakeLinear([(30, 0), (118, -20)], [argb(rim, 0), argb(rim, 0.32)])
    paint = skia.Paint(
        AntiAlias=True,
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=8,
        Shader=edge,
        MaskFilter=skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 3.2),
    )
    right = [
        piece
        for piece in pieces
        if isinstance(piece, Lock)
        and piece.on_face
        and piece.tone <= 0.04
        and not piece.fade
        and max(x for x, _ in piece.outer) > 90
    ]
    right.sort(key=lambda piece: -max(x for x, _ in piece.outer))
    for piece in right[:2]:
        canvas.drawPath(smooth(piece.outer, False), paint)
    canvas.restore()
