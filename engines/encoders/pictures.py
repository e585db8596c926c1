"""Pictures for the vision encoder: which of an utterance's, and how each is cut and scaled.

CLIP's own preparation: the shorter side becomes the encoder's, by bicubic interpolation that
smooths where it shrinks; the middle is kept; channels get CLIP's mean and deviation. Pillow scales,
as behind CLIP; it is loaded when the first picture comes.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Image

Picture = NDArray[np.float32]  # (3, size, size), CLIP's mean and deviation taken out

MEAN: Final = np.array((0.48145466, 0.4578275, 0.40821073), np.float32)  # CLIP's, of 0..1 RGB
DEVIATION: Final = np.array((0.26862954, 0.26130258, 0.27577711), np.float32)
PICTURES_HZ: Final = 2.0  # frames of a face that are looked at; a mood lasts longer than 0.5 s
FEWEST: Final = 8
MOST: Final = 32
_GAIN: Final = (1 / (255 * DEVIATION))[:, None, None]
_BIAS: Final = (MEAN / DEVIATION)[:, None, None]


def sample_times(duration_s: float) -> NDArray[np.float64]:
    """Return when to look, (n,) seconds from the start: 2 a second, in the middles of equal parts.

    Raises:
        ValueError: The duration is no positive number.
    """
    if not 0 < duration_s < float("inf"):
        raise ValueError(f"vision encoder: expected a duration above 0 s; got {duration_s}")
    count = min(max(round(duration_s * PICTURES_HZ), FEWEST), MOST)
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
    from PIL import Image as Pillow

    short = min(height, width)
    scaled = (width * size // short, height * size // short)  # the longer side is rounded down
    scales = (width / scaled[0], height / scaled[1])
    left, top = ((side - size) // 2 * scale for side, scale in zip(scaled, scales, strict=True))
    small = Pillow.fromarray(picture).resize(
        (size, size),
        Pillow.Resampling.BICUBIC,
        (left, top, left + size * scales[0], top + size * scales[1]),
    )
    normalised: Picture = np.asarray(small).transpose(2, 0, 1) * _GAIN - _BIAS
    return normalised
