"""The mouth: lips that part, teeth and a tongue behind them in the picture's own light."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.expression_field import CORNER_FOLLOWS, JAW_DROP
from rt_avatar.engines.photo.eyes import sample
from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.mouth_inside import MouthInside
from rt_avatar.engines.photo.slit import Box, Curve, Grid, Map, Slit, Spread, mix, ramp
from rt_avatar.engines.photo.weights import Weights, lips_parted
from rt_avatar.engines.types import BLENDSHAPE, Image

# Skin that gives way: from the upper lip's edge up to the nose, from the lower one's to the chin.
_ABOVE: Final = 0.34
# How far each control moves the edges of the lips, in units of the face's frame, + down:
# (upper, lower).
_FUNNEL: Final = (-0.045, 0.045)
_PUCKER: Final = (0.0, 0.012)
_UPPER_UP: Final = -0.065
_LOWER_DOWN: Final = 0.085
_SNEER: Final = -0.03
_ROLL_UPPER: Final = 0.055
_ROLL_LOWER: Final = -0.075
_PRESS: Final = (0.02, -0.025)
_TONGUE: Final = 0.05


class Mouth:
    """The mouth of one picture.

    Args:
        picture: (side, side, 3) that is moved.
        landmarks: In its pixels.
    """

    def __init__(self, picture: Image, landmarks: Landmarks) -> None:
        names = ("left_mouth", "right_mouth", "lip_upper", "lip_lower", "chin", "nose_tip")
        left, right, top, low, chin, nose = (landmarks.in_face(name) for name in names)
        middle, half = (left[0] + right[0]) / 2, (left[0] - right[0]) / 2
        below = float(chin[1] - low[1]) * 0.9
        above = min(_ABOVE, float(top[1] - nose[1]) * 0.8)
        self._half, self._middle = half, middle

        def across(x: Grid) -> Grid:
            share: Grid = np.clip((x - middle) / half, -1, 1)
            return share

        def edge_through(height: float, power: float) -> Curve:
            rise = height - (left[1] + right[1]) / 2

            def edge(x: Grid) -> Grid:
                t = across(x)
                line = right[1] + (left[1] - right[1]) * (t + 1) / 2
                bow: Grid = line + rise * (1 - np.abs(t) ** power)
                return bow

            return edge

        upper, lower = edge_through(top[1], 2.2), edge_through(low[1], 2.2 + 8 * (low[1] - top[1]))

        def profile(x: Grid) -> Grid:
            return (1 - across(x) ** 2) ** 0.8

        def skin_above(x: Grid, y: Grid) -> Grid:
            return ramp(upper(x) - y, above, 0)

        def skin_below(x: Grid, y: Grid) -> Grid:
            return ramp(y - lower(x), below, 0)

        def on_upper(amount: float, side: float = 0.0) -> Spread:
            return lambda x, y: amount * profile(x) * _sided(across(x), side) * skin_above(x, y)

        def on_lower(amount: float, side: float = 0.0) -> Spread:
            return lambda x, y: amount * profile(x) * _sided(across(x), side) * skin_below(x, y)

        def nothing(x: Grid, y: Grid) -> Grid:
            return np.zeros_like(x)

        def shut_upper(x: Grid, y: Grid) -> Grid:
            return 0.35 * (lower(x) - upper(x)) * skin_above(x, y)

        def shut_lower(x: Grid, y: Grid) -> Grid:
            return -0.65 * (lower(x) - upper(x)) * skin_below(x, y)

        follows = CORNER_FOLLOWS * JAW_DROP
        fields: list[tuple[Spread, Spread]] = [
            (shut_upper, shut_lower),
            (on_upper(-follows - 0.015), on_lower(JAW_DROP - follows)),
            (on_upper(_FUNNEL[0]), on_lower(_FUNNEL[1])),
            (on_upper(_PUCKER[0]), on_lower(_PUCKER[1])),
            (on_upper(_ROLL_UPPER), nothing),
            (nothing, on_lower(_ROLL_LOWER)),
            (nothing, on_lower(_TONGUE)),
        ]
        for side in (1.0, -1.0):
            fields += [
                (on_upper(_UPPER_UP, side), nothing),
                (nothing, on_lower(_LOWER_DOWN, side)),
                (on_upper(_SNEER, side), nothing),
                (on_upper(_PRESS[0], side), on_lower(_PRESS[1], side)),
            ]
        box = Box(
            landmarks.frame,
            (
                middle - half - 0.08, float(top[1]) - above - 0.1,
                middle + half + 0.08, float(low[1]) + below + 0.04,
            ),
            picture.shape[0],
        )  # fmt: skip
        self.slit = Slit(landmarks.frame, box, upper, lower, fields)
        self._picture = picture
        self._unit = landmarks.frame.unit
        self._inside = MouthInside(picture, landmarks, box, (upper, lower))

    def draw(
        self, out: Image, rows: slice, columns: slice, sources: Map, skull: Map, weights: Weights
    ) -> None:
        """Draw the mouth into ``out[rows, columns]``.

        Args:
            out: The picture that is made.
            rows: Of it.
            columns: Of it.
            sources: Where those places come from, lips aside.
            skull: Where they come from by the head's motion alone.
            weights: Of the frame.
        """
        tongue = float(weights[BLENDSHAPE["tongueOut"]])
        parted = self.slit.part(sources, self.controls(weights))
        upper = sample(self._picture, parted.upper).astype(np.float32)
        lower = sample(self._picture, parted.lower).astype(np.float32)
        mixed = mix(upper, lower, parted.lower_share)
        if parted.inside.any():
            inside = self._inside.colours(skull, parted, weights)
            mixed = mix(mixed, inside, parted.inside)
        if tongue > 0.2:
            mixed = self._inside.lay_tongue(mixed, skull, weights)
        out[rows, columns] = mixed + 0.5

    def opening(self, weights: Weights) -> float:
        """Return how many pixels are seen between the lips, the face around them held still."""
        box = self.slit.box
        x, y = np.meshgrid(np.arange(box.left, box.right), np.arange(box.top, box.bottom))
        places = np.stack([x, y], -1).astype(np.float32)
        return float(self.slit.part(places, self.controls(weights)).inside.sum())

    def controls(self, weights: Weights) -> NDArray[np.float32]:
        """Return how far these weights part the lips, a number a field of the slit."""

        def weight(name: str) -> float:
            return float(weights[BLENDSHAPE[name]])

        controls = [
            1.0, lips_parted(weights), weight("mouthFunnel"), weight("mouthPucker"),
            weight("mouthRollUpper"), weight("mouthRollLower"), weight("tongueOut"),
        ]  # fmt: skip
        for side in ("Left", "Right"):
            shapes = ("mouthUpperUp", "mouthLowerDown", "noseSneer", "mouthPress")
            controls += [weight(name + side) for name in shapes]
        return np.array(controls, np.float32)


def _sided(t: Grid, side: float) -> Grid:
    """Return 1 on a side of the mouth (+1: the viewer's right, -1, 0: both), 0 on the other."""
    return np.ones_like(t) if side == 0 else ramp(side * t, -0.6, 0.6)
