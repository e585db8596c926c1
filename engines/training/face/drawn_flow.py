"""How a drawn face moves as a whole: the rig's own projection, as a flow of the portrait.

Known of the face's surface above the mouth; below, the jaw moves too, and hair has a depth of its
own.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.projection import (
    FACE_MIDDLE_Y,
    FACE_X,
    FACE_Y,
    FACE_Z,
    HEAD_SCALE,
    LAYOUT_PX,
    ORIGIN_X,
    ORIGIN_Y,
    Pose,
    Projection,
    pose_of,
)
from rt_avatar.engines.types import MotionFrame

Flow: TypeAlias = NDArray[np.float32]  # (grid, grid, 2) x, y; 1 is half the picture's side
Known: TypeAlias = NDArray[np.bool_]  # (grid, grid)

_TURNS: Final = 5  # of the search for the place of the head that lies at a place of the picture
_INSIDE: Final = 0.8  # of the ellipse: beyond it the surface turns away
_LOWEST_Y: Final = 45.0  # head pixels: above the mouth


def drawn_flow(anatomy: Anatomy, motion: MotionFrame, grid: int) -> tuple[Flow, Known]:
    """Return where the places of a frame lie in the portrait at rest, and where that is known.

    Args:
        anatomy: Of the look.
        motion: (73,) of the frame.
        grid: Places along a side.
    """
    rest, posed = Projection(Pose()), Projection(pose_of(motion))
    origin = np.array([ORIGIN_X, ORIGIN_Y + (120 - anatomy.chin) * _lowered(anatomy)])
    at = (np.arange(grid) + 0.5) * LAYOUT_PX / grid
    places = np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)
    head = (places - origin - posed.slide) / HEAD_SCALE
    for _ in range(_TURNS):
        landed = origin + posed.slide + HEAD_SCALE * posed.all(_surface(head))
        head = head + (places - landed) / HEAD_SCALE
    sources = origin + rest.slide + HEAD_SCALE * rest.all(_surface(head))
    x, y = head[:, 0], head[:, 1]
    inside = (x / FACE_X) ** 2 + ((y - FACE_MIDDLE_Y) / FACE_Y) ** 2 < _INSIDE
    flow = (sources - places) / (LAYOUT_PX / 2)
    known = inside & (y < _LOWEST_Y)
    return flow.reshape(grid, grid, 2).astype(np.float32), known.reshape(grid, grid)


def _surface(head: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 3) places of the face's surface at (n, 2) of the head."""
    x, y = head[:, 0], head[:, 1]
    rest = 1 - (x / FACE_X) ** 2 - ((y - FACE_MIDDLE_Y) / FACE_Y) ** 2
    return np.stack([x, y, FACE_Z * np.sqrt(np.maximum(rest, 0))], -1)


def _lowered(anatomy: Anatomy) -> float:
    """Return how far a short face sits lower, as ``engines.rig.frame`` draws it."""
    return 1.5 if anatomy.chin < 115 else 0.7
