"""Brush: the few ways in which the rig puts colour on a canvas.

Colours, paths and alphas in; pixels out. It knows nothing of faces. Paints and soft stamps are
cached for the process: making them costs more than using them.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from types import TracebackType
from typing import Final

import numpy as np
import skia

from rt_avatar.engines.rig.curves import Point, smooth
from rt_avatar.engines.rig.palette import Color, argb

LINEAR: Final = skia.SamplingOptions(skia.FilterMode.kLinear)
NEAREST: Final = skia.SamplingOptions(skia.FilterMode.kNearest)
STAMP_PX: Final = 64
# The bell of a stamp: exp(-2.6 r^2), lowered so that it is exactly 0 at the rim.
STAMP_FALL: Final = 2.6
# A spot at least so wide, from its middle to its rim, is so soft that nobody sees it shifted by
# half a pixel (60 dB): it is kept at its size and put on whole pixels, which is a copy (0.03 ms for
# 286 × 167 pixels) and no scaling (0.19 ms).
BROAD_PX: Final = 9.0
# Alphas are quantised so that the cache of paints stays small; 1/127 is below what one sees.
ALPHA_STEPS: Final = 127
# Fainter than this nothing shows after rounding to 8 bits.
FAINTEST: Final = 0.004


@lru_cache(16384)
def _paint(color: Color, alpha_step: int, width: float, blur: float) -> skia.Paint:
    paint = skia.Paint(AntiAlias=True, Color=argb(color, alpha_step / ALPHA_STEPS))
    if width:
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(width)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
    if blur:
        paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
    return paint


def ink(color: Color, alpha: float = 1.0, width: float = 0.0, blur: float = 0.0) -> skia.Paint:
    """Return a paint that fills (width 0) or strokes. Shared: do not change it.

    ``blur`` is for baking only: in a frame it costs more than all the rest.
    """
    step = round(ALPHA_STEPS * max(0.0, min(1.0, alpha)))
    return _paint(color, step, round(width, 1), blur)


@lru_cache(1024)
def _stamp(color: Color, width: int = STAMP_PX, height: int = STAMP_PX) -> skia.Image:
    """A soft spot. A surface snapshot in the native order draws 4-7 times faster."""
    columns = np.linspace(-1, 1, width)
    rows = np.linspace(-1, 1, height)[:, None]
    floor = math.exp(-STAMP_FALL)
    alpha = np.clip((np.exp(-STAMP_FALL * (columns**2 + rows**2)) - floor) / (1 - floor), 0, 1)
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[..., :3] = (np.array(color) * alpha[..., None]).round()
    pixels[..., 3] = (alpha * 255).round()
    source = skia.Image.fromarray(
        pixels, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType, copy=True
    )
    surface = skia.Surface(width, height)
    surface.getCanvas().drawImage(source, 0, 0)
    return surface.makeImageSnapshot()


class Clip:
    """``with brush.clipped(path):`` keeps what is drawn inside the path."""

    def __init__(self, canvas: skia.Canvas, path: skia.Path, is_smooth: bool) -> None:
        self._canvas = canvas
        self._path = path
        self._is_smooth = is_smooth

    def __enter__(self) -> None:
        self._canvas.save()
        self._canvas.clipPath(self._path, self._is_smooth)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._canvas.restore()


class Brush:
    """Draws on one canvas. One thread at a time."""

    def __init__(self, canvas: skia.Canvas) -> None:
        self.canvas = canvas
        self._spot = skia.Paint()

    def fill(self, path: skia.Path, color: Color, alpha: float = 1.0) -> None:
        """Fill a path."""
        self.canvas.drawPath(path, ink(color, alpha))

    def line(self, path: skia.Path, color: Color, alpha: float, width: float) -> None:
        """Stroke a path with an even line."""
        self.canvas.drawPath(path, ink(color, alpha, width))

    def segment(self, start: Point, end: Point, color: Color, alpha: float, width: float) -> None:
        """Stroke one straight line."""
        self.canvas.drawLine(*start, *end, ink(color, alpha, width))

    def dot(self, at: Point, radius: float, color: Color, alpha: float = 1.0) -> None:
        """Fill a circle."""
        self.canvas.drawCircle(*at, radius, ink(color, alpha))

    def stamp(
        self, color: Color, at: Point, radius_x: float, radius_y: float, alpha: float
    ) -> None:
        """Put a soft spot: ten times cheaper than a gradient of the same look, or more."""
        if alpha <= FAINTEST:
            return
        self._spot.setAlphaf(min(1.0, alpha))
        x, y = at
        space = self.canvas.getTotalMatrix()
        scale = space.getScaleX()  # the same both ways, and never turned
        if min(radius_x, radius_y) * scale >= BROAD_PX:
            image = _stamp(color, round(2 * radius_x * scale), round(2 * radius_y * scale))
            left = round(x * scale + space.getTranslateX() - image.width() / 2)
            top = round(y * scale + space.getTranslateY() - image.height() / 2)
            self.canvas.save()
            self.canvas.resetMatrix()
            self.canvas.drawImage(image, left, top, NEAREST, self._spot)
            self.canvas.restore()
            return
        box = skia.Rect.MakeLTRB(x - radius_x, y - radius_y, x + radius_x, y + radius_y)
        self.canvas.drawImageRect(_stamp(color), box, LINEAR, self._spot)

    def taper(self, points: Sequence[Point], width: float, color: Color, alpha: float) -> None:
        """Draw a stroke with pointed ends, as one filled path."""
        if alpha <= FAINTEST:
            return
        last = len(points) - 1
        there, back = [points[0]], []
        for index in range(1, last):
            x, y = points[index]
            x0, y0 = points[index - 1]
            x1, y1 = points[index + 1]
            length = math.hypot(x1 - x0, y1 - y0) or 1.0
            half = 0.5 * width * math.sin(math.pi * index / last) ** 0.8 / length
            dx, dy = (y1 - y0) * half, (x1 - x0) * half
            there.append((x - dx, y + dy))
            back.append((x + dx, y - dy))
        there.append(points[last])
        back.reverse()
        self.fill(smooth(there + back, True, (0, last)), color, alpha)

    def clipped(self, path: skia.Path, *, is_smooth: bool = True) -> Clip:
        """Keep what is drawn in the ``with`` block inside the path.

        Args:
            path: In the units of the canvas.
            is_smooth: Whether its edge is; not needed for what is faint there, and costs more.
        """
        return Clip(self.canvas, path, is_smooth)
