"""Portraits to learn from: one at rest, its frames, and what is known of how they flow.

Drawn by the rig, or photographs that ``engines.photo`` moves; both keep nothing between frames.
"""

from typing import Final, Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.portrait import PhotoPortrait
from rt_avatar.engines.rig.anatomy import anatomy_of
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.portrait import Portrait as Drawing
from rt_avatar.engines.rig.projection import HEAD_SCALE, LAYOUT_PX, ORIGIN_X, ORIGIN_Y
from rt_avatar.engines.training.face.drawn_flow import Flow, Known, drawn_flow
from rt_avatar.engines.types import MOTION_SIZE, Image, MotionFrame

Attention: TypeAlias = NDArray[np.float32]  # (side, side), 1 to 12

FLOW_PLACES: Final = 32  # along a side
_ATTENTION: Final = 12.0  # what mouth and eyes count, against all else
_Ellipse: TypeAlias = tuple[float, float, float, float]  # x, y, half width, half height; pixels


class Portrait(Protocol):
    """Somebody at rest, who can be moved.

    Attributes:
        source: (side, side, 3) RGB at rest.
        attention: How much each place counts.
        kind: "drawn" or "photograph".
    """

    source: Image
    attention: Attention
    kind: str

    def draw(self, motion: MotionFrame) -> Image:
        """Return the (side, side, 3) RGB frame of (73,) motion."""
        ...

    def flow(self, motion: MotionFrame) -> tuple[Flow, Known]:
        """Return where its places lie in ``source``, and where that is known."""
        ...


class DrawnPortrait:
    """A look of the rig; attributes as in ``Portrait``."""

    def __init__(self, look: Look, side: int) -> None:
        self.kind = "drawn"
        self._drawing = Drawing(look, side)
        self._anatomy = anatomy_of(look.age, look.gender)
        self.source = self.draw(np.zeros(MOTION_SIZE, np.float32))
        unit = side / LAYOUT_PX
        scale, anatomy = HEAD_SCALE * unit, self._anatomy

        def ellipse(x: float, y: float, wide: float, high: float) -> _Ellipse:
            at = ORIGIN_X * unit + scale * x, ORIGIN_Y * unit + scale * y
            return *at, scale * wide, scale * high

        x, y = anatomy.eye
        eyes = [ellipse(sign * x, y - 6, 40, 38) for sign in (-1, 1)]
        mouth = ellipse(0, anatomy.mouth + 8, 48, 40)
        self.attention = _attention(side, [*eyes, mouth])

    def draw(self, motion: MotionFrame) -> Image:
        """Return the frame of a motion."""
        self._drawing.draw(motion)
        return self._drawing.canvas.rgb()

    def flow(self, motion: MotionFrame) -> tuple[Flow, Known]:
        """Return the flow of its face above the mouth."""
        return drawn_flow(self._anatomy, motion, FLOW_PLACES)


class PhotographedPortrait:
    """A photograph with its landmarks; attributes as in ``Portrait``."""

    def __init__(self, picture: Image, landmarks: Landmarks) -> None:
        self.kind = "photograph"
        self.source = picture
        self._side = picture.shape[0]
        self._moved = PhotoPortrait(picture, landmarks)
        unit = landmarks.frame.unit

        def ellipse(names: tuple[str, str], wide: float, high: float) -> _Ellipse:
            x, y = (landmarks[names[0]] + landmarks[names[1]]).tolist()
            return x / 2, y / 2, unit * wide, unit * high

        eyes = [ellipse((f"{side}_iris",) * 2, 0.45, 0.4) for side in ("left", "right")]
        mouth = ellipse(("lip_top", "lip_bottom"), 0.7, 0.6)
        self.attention = _attention(self._side, [*eyes, mouth])

    def draw(self, motion: MotionFrame) -> Image:
        """Return the frame of a motion."""
        return self._moved.draw(motion)

    def flow(self, motion: MotionFrame) -> tuple[Flow, Known]:
        """Return the flow that the photograph was moved by, known everywhere."""
        came = -self._moved.displacement(motion) / (self._side / 2)
        flow = cv2.resize(came, (FLOW_PLACES, FLOW_PLACES), interpolation=cv2.INTER_AREA)
        return flow, np.ones((FLOW_PLACES, FLOW_PLACES), np.bool_)


def _attention(side: int, ellipses: list[_Ellipse]) -> Attention:
    y, x = np.mgrid[:side, :side].astype(np.float32)
    counts = np.ones((side, side), np.float32)
    for at_x, at_y, wide, high in ellipses:
        counts[((x - at_x) / wide) ** 2 + ((y - at_y) / high) ** 2 < 1] = _ATTENTION
    return counts
