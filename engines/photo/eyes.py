"""One eye: lids that move over the eyeball, and an iris that moves within it."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.landmarks import IRIS_RADIUS, Landmarks, Points
from rt_avatar.engines.photo.slit import Box, Curve, Grid, Map, Slit, mix, ramp
from rt_avatar.engines.photo.weights import Weights
from rt_avatar.engines.types import BLENDSHAPE, Image

# Shares of the eye's opening.
_FOLLOWS_DOWN: Final = 0.34  # of the upper lid, of a gaze that goes down
_SQUINT_LOWER, _SQUINT_UPPER = 0.30, 0.10
# Units of the face's frame.
_WIDE: Final = 0.045
_FOLLOWS_UP: Final = 0.02
_GAZE_X, _GAZE_Y = 0.115, 0.06
_FOLD: Final = 0.16  # from the lid's edge up to what no blink moves
_BAG: Final = 0.22


class Eye:
    """One eye of one picture.

    Args:
        picture: (side, side, 3) that is moved.
        landmarks: In its pixels.
        side: ``left`` or ``right``, the person's.
    """

    def __init__(self, picture: Image, landmarks: Landmarks, side: str) -> None:
        marks = {
            name: landmarks.in_face(f"{side}_{name}")
            for name in ("eye_outer", "eye_inner", "eye_top", "eye_bottom", "iris", "brow_middle")
        }
        self._side = side.capitalize()
        self._sign = 1.0 if side == "left" else -1.0
        frame = landmarks.frame
        middle, half, upper, lower = _lids(marks)
        fold = min(_FOLD, float(marks["eye_top"][1] - marks["brow_middle"][1]) - 0.05)
        fold = max(fold, 0.10)
        reach = half * 1.25

        def width(x: Grid) -> Grid:
            return 1 - ramp(np.abs(x - middle), 0.8 * half, reach)

        def opening(x: Grid) -> Grid:
            return lower(x) - upper(x)

        def skin_above(x: Grid, y: Grid) -> Grid:
            # Told at the places that the lid moves to: skin stretches evenly, no brow comes along.
            return np.clip((y - upper(x) + fold) / (fold + opening(x)), 0, 1)

        def skin_below(x: Grid, y: Grid) -> Grid:
            return ramp(y - lower(x), _BAG, 0)

        def nothing(x: Grid, y: Grid) -> Grid:
            return np.zeros_like(x)

        def closing(x: Grid, y: Grid) -> Grid:
            return opening(x) * skin_above(x, y)

        def raising(x: Grid, y: Grid) -> Grid:
            return -opening(x) * skin_below(x, y)

        def widening(x: Grid, y: Grid) -> Grid:
            return -width(x) * np.clip(1 - ((x - middle) / half) ** 2, 0, 1) * skin_above(x, y)

        box = Box(
            frame,
            (
                middle - reach - 0.03, marks["eye_top"][1] - fold - 0.06,
                middle + reach + 0.03, marks["eye_bottom"][1] + _BAG + 0.06,
            ),
            picture.shape[0],
        )  # fmt: skip
        self.slit = Slit(
            frame, box, upper, lower, [(closing, nothing), (nothing, raising), (widening, nothing)]
        )
        self._picture = picture
        self._matrix = frame.matrix
        self._eyeball, self._iris = _eyeball(picture, landmarks, side, box, (upper, lower))

    def draw(self, out: Image, rows: slice, columns: slice, sources: Map, weights: Weights) -> None:
        """Draw the eye into ``out[rows, columns]``, whose places come from ``sources``."""

        def weight(name: str) -> float:
            return float(weights[BLENDSHAPE[name + self._side]])

        blink, squint, wide = weight("eyeBlink"), weight("eyeSquint"), weight("eyeWide")
        down, up = weight("eyeLookDown"), weight("eyeLookUp")
        aside = self._sign * (weight("eyeLookOut") - weight("eyeLookIn"))
        raised = min(1.0, _SQUINT_LOWER * squint + 0.06 * blink)
        closed = max(blink, 1 - (1 - _FOLLOWS_DOWN * down) * (1 - _SQUINT_UPPER * squint))
        closed = closed * (1 - raised)
        if blink > 0.97:
            closed = 1.02 - raised
        widened = (_WIDE * wide + _FOLLOWS_UP * up) * (1 - blink)
        parted = self.slit.part(sources, np.array([closed, raised, widened], np.float32))
        gaze = self._matrix @ np.array([_GAZE_X * aside, _GAZE_Y * (down - up)])
        origin = np.array([self.slit.box.left, self.slit.box.top], np.float32)
        local = sources - origin
        ball = sample(self._eyeball, local).astype(np.float32)
        iris = sample(self._iris, local - gaze.astype(np.float32)).astype(np.float32)
        inside = mix(ball, iris[..., :3], iris[..., 3] / 255)
        shade = 1 - 0.30 * min(1.0, 1.5 * closed) * np.clip(1 - parted.depth_px / 6, 0, 1)
        inside *= shade[..., None]
        upper = sample(self._picture, parted.upper).astype(np.float32)
        lower = sample(self._picture, parted.lower).astype(np.float32)
        skin = mix(upper, lower, parted.lower_share)
        out[rows, columns] = mix(skin, inside, parted.inside) + 0.5


def sample(picture: NDArray[np.uint8], places: Map) -> NDArray[np.uint8]:
    """Return the picture's colours at places (rows, columns, 2)."""
    sampled: NDArray[np.uint8] = cv2.remap(
        picture, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return sampled


def _lids(marks: dict[str, Points]) -> tuple[float, float, Curve, Curve]:
    """Return the middle, the half width, and the two lids' edges as curves."""
    corners = sorted((marks["eye_outer"], marks["eye_inner"]), key=lambda point: float(point[0]))
    (x0, y0), (x1, y1) = corners
    middle, half = (x0 + x1) / 2, (x1 - x0) / 2

    def curve(peak: Points, power: float) -> Curve:
        rise = float(peak[1]) - (y0 + y1) / 2

        def edge(x: Grid) -> Grid:
            t = np.clip((x - middle) / half, -1, 1)
            line = y0 + (y1 - y0) * (t + 1) / 2
            height: Grid = line + rise * (1 - np.abs(t) ** power)
            return height

        return edge

    return middle, half, curve(marks["eye_top"], 2.2), curve(marks["eye_bottom"], 2.0)


def _eyeball(
    picture: Image, landmarks: Landmarks, side: str, box: Box, lids: tuple[Curve, Curve]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the box's eyeball without its iris (h, w, 3), and the iris (h, w, 4) whole."""
    frame = landmarks.frame
    places = box.places(1)[: box.height, : box.width]
    near = frame.to_face(places)
    x, y = near[..., 0], near[..., 1]
    upper, lower = lids
    inset = 1.2 / frame.unit
    is_open = (y > upper(x) + inset) & (y < lower(x) - inset)
    at = landmarks.in_face(f"{side}_iris")
    away = np.hypot(x - at[0], y - at[1])
    pixels = picture[box.top : box.bottom, box.left : box.right]
    is_iris = away < IRIS_RADIUS * 1.15
    sclera = is_open & ~is_iris
    hidden = (~sclera).astype(np.uint8)
    ball = cv2.inpaint(np.ascontiguousarray(pixels), hidden, 4, cv2.INPAINT_TELEA)
    ball = np.where(sclera[..., None], pixels, ball)
    soft = cv2.GaussianBlur(ball, (0, 0), 1.5)
    ball = np.where(sclera[..., None], ball, soft)
    # What a lid hides of the iris is like what is seen opposite.
    opposite = frame.to_pixels(np.stack([x, 2 * at[1] - y], -1)) - (box.left, box.top)
    mirrored = sample(np.ascontiguousarray(pixels), opposite.astype(np.float32))
    seen = cv2.GaussianBlur(is_open.astype(np.float32), (0, 0), 1.0)
    seen_mirrored = sample((is_open * 255).astype(np.uint8), opposite.astype(np.float32)) / 255
    disc = away < IRIS_RADIUS
    known = disc & is_open
    mean = pixels[known].mean(0) if known.any() else pixels.reshape(-1, 3).mean(0)
    filled = mirrored * seen_mirrored[..., None] + mean * 0.8 * (1 - seen_mirrored[..., None])
    whole = pixels * seen[..., None] + filled * (1 - seen[..., None])
    alpha = np.clip((IRIS_RADIUS * 1.06 - away) / (IRIS_RADIUS * 0.22), 0, 1)
    iris = np.dstack([whole, 255 * alpha]).astype(np.uint8)
    return np.ascontiguousarray(ball), np.ascontiguousarray(iris)
