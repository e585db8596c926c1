"""Hair on the posed head: where its outlines land, and what they are filled with."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np
import skia

from rt_avatar.engines.rig.brush import ink
from rt_avatar.engines.rig.curves import Curve, controls, orient, path_of, smoothstep
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.hair_texture import bake_hair
from rt_avatar.engines.rig.hairstyles import hair_style
from rt_avatar.engines.rig.locks import Cloud, Piece
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import HAIR, SKINS, rgb
from rt_avatar.engines.rig.projection import HEAD_SCALE, LAYOUT_PX, NECK_Y, face_depth

# Planes whose turning the strands follow (z, head pixels).
BACK_PLANE_Z: Final = -20.0
FRONT_PLANE_Z: Final = 26.0
# Behind the head everything is nearer to the turning axis than its own depth.
BACK_DEPTH: Final = 0.45
SHOULDER_SHADOW: Final = rgb("#140A10")


def _depth(piece: Piece, x: float, y: float) -> float:
    """Z of a point of hair.

    Strong on the fringe, flat at the silhouette and for hanging locks: with an ellipsoid's true
    depth the hair tears away from the face beyond 12 degrees.
    """
    if not piece.on_face:
        return piece.depth * BACK_DEPTH
    flat = (1 - 0.74 * smoothstep(abs(x), 40, 88)) * (1 - 0.8 * smoothstep(y, 10, 80))
    return face_depth(x * 0.9, y * 0.9) * flat + piece.depth


def _reach(front: Sequence[Piece], back: Sequence[Piece]) -> float:
    ahead = np.concatenate([piece.outline for piece in front])
    behind = np.concatenate([piece.outline for piece in back])
    shows = ((behind < ahead.min(axis=0)) | (behind > ahead.max(axis=0))).any(axis=1)
    away = np.hypot(behind[shows, 0], behind[shows, 1] - NECK_Y)
    return float(max(away, default=0.0))


class _Outlines:
    """The outlines of pieces of hair, placed all at once."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        curves = []
        for piece in pieces:
            curve = orient(controls(piece.outline, True, piece.corners))
            curves.append(np.c_[curve, [_depth(piece, x, y) for x, y in curve]])
        self._all: Curve = np.concatenate(curves)
        ends = list(accumulate(2 * len(curve) for curve in curves))
        self._spans = list(zip([0, *ends], ends, strict=False))

    def placed(self, frame: Frame) -> list[list[float]]:
        """Return, for each piece, x and y of its controls in canvas pixels."""
        points: list[float] = frame.place_all(frame.space.all(self._all)).ravel().tolist()
        return [points[start:end] for start, end in self._spans]


class Hair:
    """The hair of one look.

    1. ``draw_back`` before the neck; 2. ``pose``, once a frame, before ``draw_shadow`` on the face
    and ``draw_front`` over it.

    Attributes:
        covers_ears: Whether nothing of the ears shows.
        reach: From the neck, about which the head leans, to what shows furthest behind the rest of
            the hair; head pixels.
    """

    def __init__(self, look: Look, size_px: int) -> None:
        style = hair_style(look.hair)
        skin = SKINS[look.skin]
        self._skin = skin
        self._has_shadow = style.shadow
        self._is_long = style.is_long
        self.covers_ears = style.covers_ears
        # Locks laid over others (they fade in) lie inside them and add nothing to the shadow.
        self._throwing = [
            index
            for index, piece in enumerate(style.front)
            if isinstance(piece, Cloud) or not piece.fade
        ]
        self._ahead, self._behind = _Outlines(style.front), _Outlines(style.back)
        self.reach = _reach(style.front, style.back)
        tones, rim = HAIR[look.hair_color], rgb(look.rim)
        density = HEAD_SCALE * size_px / LAYOUT_PX
        part = (style.parting, skin.warm) if style.parting else None
        self._front_decal = bake_hair(style.front, tones, rim, density, part)
        self._back_decal = bake_hair(style.back, tones, rim, density)
        self._front = skia.Path()
        self._shadow = skia.Path()

    def pose(self, frame: Frame) -> None:
        """Place what lies over the face for this frame."""
        curves = self._ahead.placed(frame)
        self._front = path_of(curves)
        if self._has_shadow:
            self._shadow = path_of([curves[index] for index in self._throwing])

    def draw_back(self, frame: Frame) -> None:
        """Draw what hangs behind the head."""
        path = path_of(self._behind.placed(frame))
        frame.fill(path, self._back_decal, frame.space.plane(BACK_PLANE_Z))

    def draw_on_shoulders(self, frame: Frame) -> None:
        """Draw the soft shadow that long hair throws on the clothes."""
        if self._is_long:
            for side in (-1, 1):
                at = frame.space.at(side * 100, 172, 0)
                frame.brush.stamp(SHOULDER_SHADOW, at, 40, 52, 0.42)

    def draw_shadow(self, frame: Frame) -> None:
        """Draw the shadow on the face; the caller clips it to the face."""
        if not self._has_shadow:
            return
        canvas, unit = frame.canvas.skia, frame.unit * HEAD_SCALE
        canvas.save()
        canvas.resetMatrix()
        canvas.translate(3 * unit, 5 * unit)
        canvas.drawPath(self._shadow, ink(self._skin.warm, 0.26))
        canvas.translate(2 * unit, 5 * unit)
        canvas.drawPath(self._shadow, ink(self._skin.shade, 0.34))
        canvas.restore()

    def draw_front(self, frame: Frame) -> None:
        """Draw what lies over the face."""
        frame.fill(self._front, self._front_decal, frame.space.plane(FRONT_PLANE_Z))
