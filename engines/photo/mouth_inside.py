"""What is behind the lips: teeth, tongue, the dark; drawn once in the colours of the picture.

The upper teeth stay with the skull, the lower ones and the tongue follow the jaw. A smile that
shows teeth keeps its own.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.expression_field import JAW_DROP
from rt_avatar.engines.photo.eyes import sample
from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.slit import Box, Colours, Curve, Map, Parted, mix
from rt_avatar.engines.photo.weights import Weights
from rt_avatar.engines.types import BLENDSHAPE, Image

Rgb = NDArray[np.float64]  # (3,) 0 to 255

_FINER: Final = 4  # drawn so many times larger, for smooth edges
# Half a row of teeth from the middle: width and how far the edge is above the first one's, in
# units of the face's frame. An upper incisor is 8.5 mm wide of 63.
_UPPER: Final = ((0.128, 0.0), (0.098, 0.014), (0.092, 0.006), (0.055, 0.028), (0.04, 0.045))
_LOWER: Final = ((0.078, 0.0), (0.080, 0.0), (0.085, -0.004), (0.06, 0.012), (0.045, 0.02))
_SHOWN: Final = 0.055  # below the line between closed lips
_OWN_TEETH: Final = 0.05  # an opening of the picture's own mouth from which its teeth are kept


class MouthInside:
    """The inside of one mouth; ``box`` is the mouth's, edges are the lips' in the picture."""

    def __init__(
        self, picture: Image, landmarks: Landmarks, box: Box, edges: tuple[Curve, Curve]
    ) -> None:
        self._origin = np.array([box.left, box.top], np.float32)
        self._drop = (landmarks.frame.matrix[:, 1] * JAW_DROP).astype(np.float32)
        self._aside = (landmarks.frame.matrix[:, 0] * 0.09).astype(np.float32)
        self._unit = landmarks.frame.unit
        light, lip = _light(picture, landmarks), _lip(picture, landmarks)
        dark = lip * (0.24, 0.11, 0.11)
        pen = _Pen(landmarks, box)
        left, right = landmarks.in_face("left_mouth"), landmarks.in_face("right_mouth")
        middle, half = (left[0] + right[0]) / 2, (left[0] - right[0]) / 2
        top, low = landmarks.in_face("lip_upper")[1], landmarks.in_face("lip_lower")[1]
        line = 0.65 * top + 0.35 * low
        gum = 0.75 * lip + 0.1 * light
        self._dark = dark.astype(np.float32)
        if low - top > _OWN_TEETH:
            self._upper = self._own_teeth(picture, landmarks, box, edges)
        else:
            upper = pen.blank(np.zeros(3), 0)
            pen.row(upper, middle, top - 0.17, top + _SHOWN, _UPPER, light, gum, half)
            self._upper = pen.finish(upper)
        lower = pen.blank(0.78 * lip, 0)  # so coloured, blurred edges do not darken
        pen.ellipse(lower, (middle, line + 0.10), (0.66 * half, 0.16), 0.78 * lip + 0.08 * light)
        pen.ellipse(lower, (middle, line + 0.06), (0.38 * half, 0.06), 0.92 * lip + 0.12 * light)
        teeth = pen.blank(np.zeros(3), 0)
        pen.row(teeth, middle, line + 0.17, line + 0.03, _LOWER, 0.8 * light, gum, 0.85 * half)
        self._lower = pen.over(cv2.GaussianBlur(lower, (0, 0), 0.03 * self._unit * _FINER), teeth)
        tip = pen.blank(0.85 * lip, 0)
        pen.ellipse(tip, (middle, line + 0.10), (0.55 * half, 0.19), 0.85 * lip + 0.1 * light)
        pen.ellipse(tip, (middle, line + 0.14), (0.36 * half, 0.09), 0.98 * lip + 0.14 * light)
        self._tongue = pen.finish(cv2.GaussianBlur(tip, (0, 0), 0.02 * self._unit * _FINER))

    def _own_teeth(
        self, picture: Image, landmarks: Landmarks, box: Box, edges: tuple[Curve, Curve]
    ) -> NDArray[np.uint8]:
        """Return the picture's own teeth; what its lips hide of them is like what they show."""
        places = box.places(1)[: box.height, : box.width]
        near = landmarks.frame.to_face(places)
        x, y = near[..., 0], near[..., 1]
        inset = 2.0 / self._unit
        upper, lower = edges[0](x) + inset, edges[1](x) - inset
        seen = (y >= upper) & (y <= lower)
        # Above, the first row that is seen goes on; below, the last one, into the dark.
        inside = np.clip(y, upper, np.maximum(lower, upper))
        at = landmarks.frame.to_pixels(np.stack([x, inside], -1)).astype(np.float32)
        teeth = cv2.remap(picture, at, None, cv2.INTER_LINEAR).astype(np.float32)
        fade = np.clip((y - lower) / 0.05, 0, 1) + np.clip((upper - y) / 0.16, 0, 1) * 0.7
        narrow = np.clip((edges[1](x) - edges[0](x)) / 0.05, 0, 1)
        kept = np.clip(1 - fade, 0, 1) * np.maximum(narrow, seen)
        return np.dstack([teeth, 255 * kept]).astype(np.uint8)

    def colours(self, skull: Map, parted: Parted, weights: Weights) -> Colours:
        """Return what is seen between the lips (rows, columns, 3)."""
        local = skull - self._origin
        lower = sample(self._lower, local - self._jaw(weights)).astype(np.float32)
        upper = sample(self._upper, local).astype(np.float32)
        colours: Colours = self._dark + (lower[..., :3] - self._dark) * (lower[..., 3:] / 255)
        opening = parted.inside.sum(0).max() / self._unit
        # The less the lips part, the less light comes in; the upper lip throws a shadow.
        colours *= 0.5 + 0.45 * min(1.0, opening / 0.3)
        colours = mix(colours, upper[..., :3], upper[..., 3] / 255)
        shadow = np.clip(0.72 + parted.depth_px / (0.12 * self._unit), 0, 1)
        colours *= shadow[..., None]
        return colours

    def lay_tongue(self, picture: Colours, skull: Map, weights: Weights) -> Colours:
        """Lay the tip of the tongue on the lower lip."""
        out = float(weights[BLENDSHAPE["tongueOut"]])
        moved = self._jaw(weights) + self._drop * np.float32(0.25 * out - 0.12)
        tongue = sample(self._tongue, skull - self._origin - moved).astype(np.float32)
        return mix(picture, tongue[..., :3], tongue[..., 3] / 255 * min(1.0, (out - 0.2) * 3))

    def _jaw(self, weights: Weights) -> NDArray[np.float32]:
        aside = weights[BLENDSHAPE["jawLeft"]] - weights[BLENDSHAPE["jawRight"]]
        moved: NDArray[np.float32] = (
            self._drop * weights[BLENDSHAPE["jawOpen"]] + self._aside * aside
        )
        return moved


class _Pen:
    """Draws in units of the face's frame onto the box, larger than it is."""

    def __init__(self, landmarks: Landmarks, box: Box) -> None:
        self._frame, self._box = landmarks.frame, box

    def blank(self, colour: Rgb, alpha: int = 255) -> NDArray[np.uint8]:
        size = self._box.height * _FINER, self._box.width * _FINER, 4
        canvas = np.empty(size, np.uint8)
        canvas[:] = (*np.clip(colour, 0, 255), alpha)
        return canvas

    def polygon(self, canvas: NDArray[np.uint8], points: NDArray[np.float64], colour: Rgb) -> None:
        pixels = (self._frame.to_pixels(points) - (self._box.left, self._box.top)) * _FINER
        shown = (*(float(c) for c in np.clip(colour, 0, 255)), 255.0)
        cv2.fillPoly(canvas, [np.round(pixels).astype(np.int32)], shown)

    def ellipse(
        self, canvas: NDArray[np.uint8], at: tuple[float, float], size: tuple[float, float], c: Rgb
    ) -> None:
        turn = np.linspace(0, 2 * np.pi, 48)
        self.polygon(canvas, np.stack([np.cos(turn), np.sin(turn)], -1) * size + at, c)

    def row(
        self, canvas: NDArray[np.uint8], middle: float, gums: float, edge: float,
        teeth: tuple[tuple[float, float], ...], light: Rgb, gum: Rgb, half: float,
    ) -> None:  # fmt: skip
        """Draw teeth from ``gums`` to ``edge`` (the first one's), ``half`` to either side."""
        up = 1.0 if edge > gums else -1.0
        scale = half / sum(width for width, _ in teeth)
        at = np.array([middle, 0.0])
        near, far, wide = gums + 0.05 * up, gums - 0.12 * up, 0.95 * half
        over = np.array([[-half, far], [half, far], [wide, near], [-wide, near]])
        self.polygon(canvas, over + at, 0.7 * gum)
        for sign in (1, -1):
            x = 0.0
            for width, rise in teeth:
                wide, gap = width * scale, 0.006
                a, b = x + gap / 2, x + wide - gap / 2
                low, high = edge - up * rise, gums + 0.02 * up
                outline = np.array(
                    [[a, high], [a, low - 0.012 * up], [a + 0.012, low],
                     [b - 0.014, low - 0.002 * up], [b, low - 0.016 * up], [b, high],
                     [(a + b) / 2, high - 0.03 * up]]
                )  # fmt: skip
                lit = 1 - 0.62 * ((x + wide / 2) / half) ** 2
                self.polygon(canvas, outline * (sign, 1) + at, light * lit)
                x += wide

    def over(self, below: NDArray[np.uint8], above: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return ``above`` laid on ``below``, at the box's own size."""
        low, high = self._premultiplied(below), self._premultiplied(above)
        laid = high + low * (1 - high[..., 3:] / 255)
        return _straight(laid)

    def finish(self, canvas: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the canvas at the box's own size."""
        return _straight(self._premultiplied(canvas))

    def _premultiplied(self, canvas: NDArray[np.uint8]) -> NDArray[np.float64]:
        pixels = canvas.astype(np.float64)
        pixels[..., :3] *= pixels[..., 3:] / 255
        size = self._box.width, self._box.height
        small: NDArray[np.float64] = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        return small


def _straight(pixels: NDArray[np.float64]) -> NDArray[np.uint8]:
    pixels = pixels.copy()
    pixels[..., :3] /= np.maximum(pixels[..., 3:], 1e-3) / 255
    return np.clip(pixels + 0.5, 0, 255).astype(np.uint8)


def _light(picture: Image, landmarks: Landmarks) -> Rgb:
    """Return how the picture shows something white where the face is: the whites of its eyes."""
    whites = []
    for side in ("left", "right"):
        names = ("eye_inner", "eye_outer", "eye_top", "eye_bottom")
        points = np.array([landmarks[f"{side}_{name}"] for name in names])
        limit = np.array(picture.shape[1::-1]) - 2
        x0, y0 = np.clip(np.floor(points.min(0)).astype(int), 0, limit)
        x1, y1 = np.clip(np.ceil(points.max(0)).astype(int), 1, limit + 1)
        whites.append(picture[y0 : y1 + 1, x0 : x1 + 1].reshape(-1, 3))
    eyes = np.concatenate(whites).astype(np.float64)
    sclera = eyes[np.argsort(eyes.min(1))[int(0.85 * len(eyes)) :]].mean(0)
    grey = sclera.mean()
    light: Rgb = np.clip(0.55 * sclera + 0.45 * grey, 0, 255) * (1.0, 0.97, 0.90) * 1.05
    return light


def _lip(picture: Image, landmarks: Landmarks) -> Rgb:
    """Return the colour of the lower lip."""
    low, bottom = landmarks["lip_lower"], landmarks["lip_bottom"]
    reach = max(2, int(0.03 * landmarks.frame.unit))
    high, wide = picture.shape[:2]
    x, y = (0.5 * low + 0.5 * bottom).round().astype(int)
    x, y = np.clip(x, 2 * reach, wide - 2 * reach - 1), np.clip(y, reach, high - reach - 1)
    colour: Rgb = picture[y - reach : y + reach + 1, x - 2 * reach : x + 2 * reach + 1].mean((0, 1))
    return colour
