"""What a drawn face does, from its pixels: brows, opening of the eyes, corners of the mouth.

Brows and lids by optical flow from the same person's resting face; the mouth by its outline, which
is redder than the skin about it. It is told where these are in a face at rest, and knows nothing of
the shapes that draw them.
"""

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Image

Grey = NDArray[np.uint8]  # (height, width)
Row = NDArray[np.float64]
Place = tuple[int, int, int, int]  # left, top, right, bottom in pixels of the picture

# Left and right are the viewer's.
PLACES: Final = tuple(
    f"{part}_{side}"
    for part in ("brow_inner", "brow_outer", "lid_upper", "lid_lower")
    for side in ("left", "right")
)
UPPER: Final = ("brow_inner", "brow_outer_left", "brow_outer_right", "eye_opening")
LOWER: Final = ("corner_left", "corner_right", "mouth_width")
_SMALLEST_PX: Final = 64
# A place's flow is that of the quarter that moves most: the bare skin in it cannot be followed.
_MOST: Final = 75
# Larger patches than DIS has by itself: spectacles near a brow pull smaller ones along.
_PATCH_PX, _STRIDE_PX = 16, 4
_BORDER: Final = 3  # rows above and below the mouth that are skin, or beard
_LEAST_RED: Final = 4.0  # of a*: what dark lips have above dark skin
_DARK: Final = 40.0  # of L*: the inside of the mouth
_ENDS: Final = 0.06  # of the mouth's width: its corners


def brows_and_eyes(rest: Grey, picture: Grey, places: Mapping[str, Place]) -> Row:
    """Return how far brows are raised and eyes wider than in the resting face: (4,), ``UPPER``.

    Source: T. Kroeger et al., "Fast optical flow using dense inverse search", ECCV 2016 (OpenCV's
    DIS).

    Args:
        rest: (height, width), the same head held the same way, without feeling.
        picture: The same shape.
        places: Where ``PLACES`` are in ``rest``.

    Raises:
        ValueError: The shapes differ or are too small, or a place is missing.
    """
    if rest.ndim != 2 or rest.shape != picture.shape or min(rest.shape) < _SMALLEST_PX:
        raise ValueError(
            f"pictures: expected two of the same (height, width) of {_SMALLEST_PX} or more, "
            f"got {rest.shape} and {picture.shape}"
        )
    missing = [name for name in PLACES if name not in places]
    if missing:
        raise ValueError(f"places: expected also {', '.join(missing)}")
    matcher = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    matcher.setPatchSize(_PATCH_PX)
    matcher.setPatchStride(_STRIDE_PX)
    down = matcher.calc(rest, picture, None)[:, :, 1]

    def raised(part: str, side: str) -> float:
        left, top, right, bottom = places[f"{part}_{side}"]
        moved = down[top:bottom, left:right].ravel()
        size = np.abs(moved)
        return -float(np.median(moved[size >= np.percentile(size, _MOST)]))

    def both(part: str) -> float:
        return (raised(part, "left") + raised(part, "right")) / 2

    return np.array(
        [
            both("brow_inner"),
            raised("brow_outer", "left"),
            raised("brow_outer", "right"),
            both("lid_upper") - both("lid_lower"),
        ]
    )


def mouth_corners(mouth: Image) -> Row:
    """Return how high both corners stand above the bow of the lip, and the mouth's width: (3,).

    Args:
        mouth: (height, width, 3) RGB, the mouth and some skin (or beard) about it, upright.

    Returns:
        ``LOWER`` in pixels; all 0 if no lips can be told from the skin.

    Raises:
        ValueError: The shape is another.
    """
    if mouth.ndim != 3 or mouth.shape[2] != 3 or mouth.shape[0] <= 2 * _BORDER:
        raise ValueError(f"mouth: expected (height, width, 3) RGB, got {mouth.shape}")
    outline = _lips(mouth)
    columns = np.flatnonzero(outline.any(axis=0))
    if len(columns) < 3:
        return np.zeros(3)
    first, last = int(columns[0]), int(columns[-1])
    width = last - first + 1
    ends = max(1, round(_ENDS * width))
    middle = outline[:, (first + last) // 2]
    bow = float(middle.argmax()) if middle.any() else float(np.flatnonzero(outline.any(axis=1))[0])

    def height(begin: int) -> float:
        rows = np.nonzero(outline[:, begin : begin + ends])[0]
        return bow - float(rows.mean())

    return np.array([height(first), height(last + 1 - ends), float(width)])


def _lips(mouth: Image) -> NDArray[np.bool_]:
    """Return the largest thing that is redder than the skin, or as dark as a mouth."""
    lab = cv2.cvtColor(mouth, cv2.COLOR_RGB2LAB).astype(np.float64)
    red = lab[:, :, 1]
    about = np.concatenate((red[:_BORDER].ravel(), red[-_BORDER:].ravel()))
    redder = np.clip(red - np.median(about), 0, 255).astype(np.uint8)
    threshold, _ = cv2.threshold(redder, 0, 255, cv2.THRESH_OTSU)
    mask = (redder > max(threshold, _LEAST_RED)) | (lab[:, :, 0] < _DARK)
    # Teeth part the upper lip from the lower one at times: their line is closed first.
    whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    if count < 2:
        return np.zeros(mask.shape, np.bool_)
    found: NDArray[np.bool_] = labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    return found
