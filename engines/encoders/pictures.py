"""Pictures for the vision encoder: which of an utterance's, and how each is cut and scaled.

CLIP's own preparation: the shorter side becomes the encoder's, by bicubic interpolation that
smooths where it shrinks; the middle is kept; channels get CLIP's mean and deviation. Written as
two matrix products, so that it needs no imaging library and gives the same on every machine.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.types import Image

Picture = NDArray[np.float32]  # (3, size, size), CLIP's mean and deviation taken out

MEAN: Final = np.array((0.48145466, 0.4578275, 0.40821073), np.float32)  # CLIP's, of 0..1 RGB
DEVIATION: Final = np.array((0.26862954, 0.26130258, 0.27577711), np.float32)
PICTURES_HZ: Final = 2.0  # frames of a face that are looked at; a mood lasts longer than 0.5 s
FEWEST: Final = 8
MOST: Final = 32
_SHARPNESS: Final = -0.5  # of the cubic kernel, as the imaging library behind CLIP has it


def sample_times(duration_s: float, fewest: int = FEWEST, most: int = MOST) -> NDArray[np.float64]:
    """Return when to look, (n,) seconds from the start: 2 a second, in the middles of equal parts.

    Raises:
        ValueError: The duration is no positive number.
    """
    if not 0 < duration_s < float("inf"):
        raise ValueError(f"vision encoder: expected a duration above 0 s; got {duration_s}")
    count = min(max(round(duration_s * PICTURES_HZ), fewest), most)
    return np.asarray((np.arange(count) + 0.5) * (duration_s / count), np.float64)


def choose(frames: Sequence[Image], times_s: Sequence[float], duration_s: float) -> list[Image]:
    """Return the frames to look at: for each time of ``sample_times`` the nearest, once each.

    Args:
        frames: In the order of time.
        times_s: When each was seen, ascending.
        duration_s: Of the utterance.
    """
    if not frames:
        return []
    seen = np.asarray(times_s, np.float64)
    wanted = sample_times(duration_s)
    nearest = np.abs(seen[None, :] - wanted[:, None]).argmin(axis=1)
    return [frames[index] for index in sorted(set(nearest.tolist()))]


def prepare(picture: Image, size: int) -> Picture:
    """Scale, cut and normalise one picture for an encoder of ``size`` pixels.

    Raises:
        ValueError: The picture is no (height, width, 3) of bytes.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError(
            f"vision encoder: expected (height, width, 3) uint8 RGB; "
            f"got {picture.shape} {picture.dtype}"
        )
    height, width = picture.shape[:2]
    if not height or not width:
        raise ValueError(f"vision encoder: expected a picture with pixels; got {picture.shape}")
    short = min(height, width)
    scaled = (height * size // short, width * size // short)  # the longer side is rounded down
    down, across = (
        _cut(side, wide, size) for side, wide in zip((height, width), scaled, strict=True)
    )
    narrow = _bytes(np.tensordot(across, picture.astype(np.float32), axes=(1, 1)))
    image = _bytes(np.tensordot(down, narrow, axes=(1, 1)))  # (size, size, 3): rows, columns, RGB
    plain = image / np.float32(255)
    return np.ascontiguousarray(((plain - MEAN) / DEVIATION).transpose(2, 0, 1), np.float32)


def _bytes(image: NDArray[np.float32]) -> NDArray[np.float32]:
    # As the library does after each direction: what overshoots is cut, the rest made whole.
    return np.clip(np.rint(image), 0, 255)


@lru_cache(maxsize=16)  # a caller's camera has one size
def _cut(side: int, scaled: int, size: int) -> NDArray[np.float32]:
    """Return (size, side): how each kept pixel is mixed from the ``side`` of the picture."""
    first = (scaled - size) // 2
    scale = side / scaled
    reach = 2.0 * max(scale, 1.0)
    weights = np.zeros((size, side))
    for row in range(size):
        centre = (first + row + 0.5) * scale
        begin, end = max(int(centre - reach + 0.5), 0), min(int(centre + reach + 0.5), side)
        at = (np.arange(begin, end) + 0.5 - centre) / max(scale, 1.0)
        weights[row, begin:end] = _cubic(np.abs(at))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights.astype(np.float32)


def _cubic(at: NDArray[np.float64]) -> NDArray[np.float64]:
    a = _SHARPNESS
    near = ((a + 2) * at - (a + 3)) * at * at + 1
    far = (((at - 5) * at + 8) * at - 4) * a
    return np.where(at < 1, near, np.where(at < 2, far, 0.0))
