"""A drawn face brought upright: picture + pose → a part of it, cut out where the head rests.

It knows *where* the parts of a rig's face are and how the head is held (as a face detector would),
and nothing of what they do: opening, brows and corners are measured in the pixels.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.metrics.face import Place
from rt_avatar.engines.rig.anatomy import Anatomy, anatomy_of
from rt_avatar.engines.rig.looks import find_look
from rt_avatar.engines.rig.projection import (
    HEAD_SCALE,
    LAYOUT_PX,
    ORIGIN_X,
    ORIGIN_Y,
    Projection,
    face_depth,
    pose_of,
)
from rt_avatar.engines.types import Image, MotionFrame

DENSITY: Final = HEAD_SCALE  # pixels a head pixel in the cuts: as in a picture of 512


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the face in head pixels: x from the middle to the viewer's right, y down."""

    left: float
    top: float
    right: float
    bottom: float


# Brows to chin of every look.
FACE: Final = Region(-95, -70, 95, 125)


def anatomy(persona: str) -> Anatomy:
    """Return the measures of a persona's head."""
    look = find_look(persona)
    return anatomy_of(look.age, look.gender)


def mouth_region(measures: Anatomy) -> Region:
    """Return where the inside of the mouth can be seen, without nostrils and chin."""
    half = measures.mouth_half
    return Region(-half, measures.mouth - 14, half, measures.mouth + 50)


def lips_region(measures: Anatomy) -> Region:
    """Return the mouth with skin about it, but no nostrils: where its outline can be seen."""
    half = 1.5 * measures.mouth_half
    return Region(-half, measures.mouth - 16, half, measures.mouth + 36)


def places(measures: Anatomy) -> dict[str, Place]:
    """Return where brows and lids of a resting face are in the cut of ``FACE``."""
    (eye_x, eye_y), half = measures.eye, measures.eye_half
    brow, up, low = measures.brow, measures.lid_up, measures.lid_low
    # x from the face's middle outwards, y below the eyes' line; heights are those of the brow with
    # some skin, and of the lids' edges.
    parts = {
        "brow_inner": (eye_x - 0.9 * half, brow - 7, eye_x - 0.2 * half, brow + 7),
        "brow_outer": (eye_x + 0.1 * half, brow - 8, eye_x + 0.9 * half, brow + 6),
        "lid_upper": (eye_x - 0.4 * half, up - 4, eye_x + 0.4 * half, up + 3),
        "lid_lower": (eye_x - 0.4 * half, low - 3, eye_x + 0.4 * half, low + 3),
    }
    found = {}
    for name, (inner, top, outer, bottom) in parts.items():
        for side, sign in (("left", -1), ("right", 1)):
            left, right = sorted((sign * inner, sign * outer))
            found[f"{name}_{side}"] = (
                round((left - FACE.left) * DENSITY),
                round((eye_y + top - FACE.top) * DENSITY),
                round((right - FACE.left) * DENSITY),
                round((eye_y + bottom - FACE.top) * DENSITY),
            )
    return found


def landmarks(measures: Anatomy) -> tuple[dict[str, NDArray[np.float64]], float]:
    """Return landmarks of a resting face in a picture of 512, and the distance of its irises."""
    lowered = 1.5 if measures.chin < 115 else 0.7  # as ``engines.rig.frame`` has it
    origin = np.array([ORIGIN_X, ORIGIN_Y + (120 - measures.chin) * lowered])
    (eye_x, eye_y), half, brow = measures.eye, measures.eye_half, measures.brow
    sided = {
        "brow_inner": (eye_x - 0.75 * half, eye_y + brow),
        "brow_outer": (eye_x + 0.7 * half, eye_y + brow),
        "eye_top": (eye_x, eye_y + measures.lid_up),
        "eye_bottom": (eye_x, eye_y + measures.lid_low),
        "mouth": (measures.mouth_half, measures.mouth),
        "nose": (measures.nose_half, measures.nose),
    }
    points = {
        f"{side}_{name}": (sign * x, y)
        for name, (x, y) in sided.items()
        for side, sign in (("left", 1), ("right", -1))
    }
    upper, lower = measures.lips
    points |= {
        "lip_top": (0.0, measures.mouth - upper),
        "lip_bottom": (0.0, measures.mouth + lower),
    }
    placed = {name: origin + HEAD_SCALE * np.array(point) for name, point in points.items()}
    return placed, 2 * eye_x * HEAD_SCALE


def cut(picture: Image, motion: MotionFrame, region: Region) -> Image:
    """Return a part of a drawn face as if the head were held straight.

    Args:
        picture: (size, size, 3) RGB.
        motion: (73,) of which only the pose is read.
        region: Which part.

    Raises:
        ValueError: The picture is not square RGB.
    """
    if picture.ndim != 3 or picture.shape[0] != picture.shape[1] or picture.shape[2] != 3:
        raise ValueError(f"picture: expected (size, size, 3), got {picture.shape}")
    scale = picture.shape[0] / LAYOUT_PX
    space = Projection(pose_of(motion))
    middle_y = (region.top + region.bottom) / 2
    head = np.vstack([space.plane(face_depth(0.0, min(middle_y, 112.0))), [0, 0, 1]])
    slide_x, slide_y = space.slide
    canvas = scale * np.array(
        [
            [HEAD_SCALE, 0, ORIGIN_X + slide_x],
            [0, HEAD_SCALE, ORIGIN_Y + slide_y],
            [0, 0, 1 / scale],
        ]
    )
    corner = np.array([[1 / DENSITY, 0, region.left], [0, 1 / DENSITY, region.top], [0, 0, 1]])
    size = (
        round((region.right - region.left) * DENSITY),
        round((region.bottom - region.top) * DENSITY),
    )
    part: Image = cv2.warpAffine(
        picture,
        (canvas @ head @ corner)[:2],
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return part
