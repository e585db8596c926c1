"""Decals: pictures baked once that a posed path is filled with.

A decal is warped to the pose on the pixel grid of the canvas (OpenCV), and the path is then filled
from it pixel by pixel. That turns hair by any angle, without steps and without a store of
pre-turned copies, in the time a scaled image shader takes without turning.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import skia
from numpy.typing import NDArray

from rt_avatar.engines.rig.brush import LINEAR, NEAREST
from rt_avatar.engines.types import Image

Bgra = NDArray[np.uint8]  # (height, width, 4) premultiplied, the canvas's own order
Affine = NDArray[np.float64]  # (2, 3)
PLACES: Final = 4  # of a sprite between one pixel and the next
KEPT_PLACES: Final = 8  # 340 KB each; a breath goes through five


def canvas_over(pixels: Bgra) -> skia.Surface:
    """Return a surface that draws straight into ``pixels``: no read-back is needed.

    Blue comes first: that is the rasteriser's own order, any other costs three times as much.
    """
    height, width = pixels.shape[:2]
    info = skia.ImageInfo.Make(width, height, skia.kBGRA_8888_ColorType, skia.kPremul_AlphaType)
    return skia.Surface.MakeRasterDirect(info, pixels)


def bake(width: int, height: int, draw: Callable[[skia.Canvas], None]) -> Bgra:
    """Return the pixels that ``draw`` paints on an empty canvas."""
    pixels = np.zeros((height, width, 4), np.uint8)
    surface = canvas_over(pixels)
    draw(surface.getCanvas())
    surface.flushAndSubmit()
    return pixels


def image_of(pixels: Bgra, is_opaque: bool = False) -> skia.Image:
    """Return an image of baked pixels; an opaque one is quicker to draw."""
    alpha = skia.kOpaque_AlphaType if is_opaque else skia.kPremul_AlphaType
    return skia.Image.fromarray(pixels, skia.kBGRA_8888_ColorType, alpha, copy=True)


class Sprite:
    """A baked picture that is moved and neither turned nor scaled, in quarters of a pixel.

    Between pixels an image is drawn in 0.36 ms (512 × 164) and on whole ones in 0.02: so it is kept
    as it looks at the places between pixels where it was last.
    """

    def __init__(self, pixels: Bgra) -> None:
        image = image_of(pixels)

        @lru_cache(KEPT_PLACES)
        def at(right: int, down: int) -> skia.Image:
            surface = skia.Surface(image.width() + 1, image.height() + 1)
            x, y = right / PLACES, down / PLACES
            surface.getCanvas().drawImage(image, x, y, LINEAR)
            return surface.makeImageSnapshot()

        self._at = at

    def draw(self, canvas: skia.Canvas, left: float, top: float) -> None:
        """Draw it on a canvas of its own density."""
        column, right = divmod(round(left * PLACES), PLACES)
        row, down = divmod(round(top * PLACES), PLACES)
        canvas.drawImage(self._at(right, down), column, row, NEAREST)


class Decal:
    """A baked picture and where it lies in head space.

    Attributes:
        pixels: (height, width, 4) opaque pixels.
        left: x of its left edge, head pixels.
        top: y of its upper edge, head pixels.
        density: Texels a head pixel.
    """

    def __init__(self, pixels: Bgra, left: float, top: float, density: float) -> None:
        self.pixels = pixels
        self.left = left
        self.top = top
        self.density = density


class Canvas:
    """The picture that is drawn into, and the workspace for decals. One thread at a time."""

    def __init__(self, size_px: int) -> None:
        self.size_px = size_px
        self.pixels: Bgra = np.zeros((size_px, size_px, 4), np.uint8)
        self._surface = canvas_over(self.pixels)
        self.skia = self._surface.getCanvas()
        self._work: Bgra = np.zeros((size_px, size_px, 4), np.uint8)
        self._image = skia.Image.fromarray(
            self._work, skia.kBGRA_8888_ColorType, skia.kOpaque_AlphaType, copy=False
        )

    def fill(self, path: skia.Path, decal: Decal, place: Affine) -> None:
        """Fill a path with a decal.

        Args:
            path: In canvas pixels.
            decal: What to fill it with; beyond its edge its border repeats.
            place: (2, 3) map from head space to canvas pixels.
        """
        bounds = path.getBounds()
        left, top = max(0, int(bounds.left()) - 1), max(0, int(bounds.top()) - 1)
        right = min(self.size_px, int(bounds.right()) + 2)
        bottom = min(self.size_px, int(bounds.bottom()) + 2)
        if right <= left or bottom <= top:
            return
        (a, b, c), (d, e, f) = place.tolist()
        k = decal.density / (a * e - b * d)
        # Canvas pixel centres lie at +0.5; OpenCV counts them from 0.
        x, y = left + 0.5 - c, top + 0.5 - f
        back = np.array(
            [
                [e * k, -b * k, (e * x - b * y) * k - decal.left * decal.density - 0.5],
                [-d * k, a * k, (a * y - d * x) * k - decal.top * decal.density - 0.5],
            ]
        )
        cv2.warpAffine(
            decal.pixels,
            back,
            (right - left, bottom - top),
            dst=self._work[: bottom - top, : right - left],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        shift = skia.Matrix.Translate(left, top)
        clamp = skia.TileMode.kClamp
        shader = self._image.makeShader(clamp, clamp, NEAREST, shift)
        # A new paint: setting the shader of a kept one takes the slow road (7 ms instead of 0.05).
        paint = skia.Paint(AntiAlias=True, Shader=shader)
        self.skia.save()
        self.skia.resetMatrix()
        self.skia.drawPath(path, paint)
        self.skia.restore()

    def fill_still(self, path: skia.Path, image: skia.Image, left: float, top: float) -> None:
        """Fill a path (canvas pixels) with an opaque image of the canvas's own density.

        The image moves in whole pixels, so it must have no edges; in return nothing is warped.
        """
        clamp = skia.TileMode.kClamp
        shift = skia.Matrix.Translate(round(left), round(top))
        paint = skia.Paint(AntiAlias=True, Shader=image.makeShader(clamp, clamp, NEAREST, shift))
        self.skia.save()
        self.skia.resetMatrix()
        self.skia.drawPath(path, paint)
        self.skia.restore()

    def cover(self, backdrop: Bgra) -> None:
        """Start a new picture on ``backdrop`` (of the canvas's size)."""
        np.copyto(self.pixels, backdrop)

    def i420(self) -> NDArray[np.uint8]:
        """Return a copy of the picture as I420, BT.601 limited: (size * 3 // 2, size)."""
        planes: NDArray[np.uint8] = cv2.cvtColor(self.pixels, cv2.COLOR_BGRA2YUV_I420)
        return planes

    def rgb(self) -> Image:
        """Return a copy of the picture as (size, size, 3) RGB."""
        picture: Image = cv2.cvtColor(self.pixels, cv2.COLOR_BGRA2RGB)
        return picture
