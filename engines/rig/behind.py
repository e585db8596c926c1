"""What lies behind face and clothes: wall, hair, neck, ears.

It moves a quarter as far as the face does. So it is drawn in steps too small to be seen, and most
pictures find it drawn already. The same pose gives the same pixels, whatever came before.
"""

from collections import OrderedDict
from dataclasses import astuple
from typing import Final

import numpy as np
import skia

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.decal import Bgra, Canvas
from rt_avatar.engines.rig.ears import Ears
from rt_avatar.engines.rig.expression import read_expression
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.hair import Hair
from rt_avatar.engines.rig.neck import Neck
from rt_avatar.engines.rig.projection import Pose, Projection
from rt_avatar.engines.types import MOTION_SIZE

# Nothing that shows here is further than a quarter of a pixel of 512 from where it should be: what
# is near the axis turns by 31 px a radian, and ears and hair beside the neck lean by 155. In a call
# two of five drawings find another step than the one before.
STEPS: Final = Pose(pitch=0.016, yaw=0.0135, roll=0.003, shift_x=0.003, shift_y=0.003)
REACH: Final = 130.0  # head pixels; what shows further from the neck moves by more
KEPT: Final = 4  # pictures of 1 MB
_CALM: Final = read_expression(np.zeros(MOTION_SIZE, np.float32))  # nothing of the face shows


class Behind:
    """What lies behind the face of one look."""

    def __init__(
        self, backdrop: Bgra, anatomy: Anatomy, hair: Hair, neck: Neck, ears: Ears
    ) -> None:
        self._backdrop = backdrop
        self._anatomy = anatomy
        self._hair, self._neck, self._ears = hair, neck, ears
        share = REACH / max(REACH, hair.reach)
        self._steps = tuple(share * step for step in astuple(STEPS))
        self._kept: OrderedDict[tuple[int, ...], tuple[Bgra, skia.Path]] = OrderedDict()

    def cover(self, canvas: Canvas, pose: Pose) -> skia.Path:
        """Begin a new picture with it; return the neck's outline in layout pixels."""
        pitch, yaw, roll, right, down = self._steps
        key = (
            round(pose.pitch / pitch), round(pose.yaw / yaw), round(pose.roll / roll),
            round(pose.shift_x / right), round(pose.shift_y / down),
        )  # fmt: skip
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            canvas.cover(kept[0])
            return kept[1]
        outline = self._draw(canvas, key)
        is_full = len(self._kept) >= KEPT
        room = self._kept.popitem(last=False)[1][0] if is_full else np.empty_like(canvas.pixels)
        np.copyto(room, canvas.pixels)
        self._kept[key] = room, outline
        return outline

    def _draw(self, canvas: Canvas, key: tuple[int, ...]) -> skia.Path:
        pose = Pose(*(at * step for at, step in zip(key, self._steps, strict=True)))
        frame = Frame(canvas, Projection(pose), _CALM, self._anatomy)
        canvas.cover(self._backdrop)
        canvas.skia.save()
        self._hair.draw_back(frame)
        canvas.skia.scale(frame.unit, frame.unit)
        outline = self._neck.draw(frame)
        if not self._hair.covers_ears:
            frame.enter_head()
            self._ears.draw(frame)
            frame.leave_head()
        canvas.skia.restore()
        return outline
