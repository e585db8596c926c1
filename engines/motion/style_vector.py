"""S^v of nano's face: a feeling → numbers, and back to the feeling they are nearest to.

The first 52 are ARKit's shapes as the feeling moves them, three more how the head is held, one how
lively movements are; the rest is 0.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.emotions import expression_of, head_of, liveliness_of
from rt_avatar.engines.types import EMOTIONS, FaceStyle

Floats: TypeAlias = NDArray[np.float32]

SIZE: Final = 192
_SHAPES: Final = 52
_HEAD_RAD: Final = 0.1
_LIVELY: Final = 0.3
_GAIN: Final = 2.0  # of the shapes, which are 0 to 1 and mostly little
_STEPS: Final = np.linspace(0.1, 1.0, 19)  # intensities that are looked through


def write_vector(style: FaceStyle) -> Floats:
    """Return S^v (192,) of a feeling.

    Raises:
        ValueError: There is no such feeling.
    """
    vector = np.zeros(SIZE, np.float32)
    vector[:_SHAPES] = _GAIN * expression_of(style)
    vector[_SHAPES : _SHAPES + 3] = np.array(head_of(style)) / _HEAD_RAD
    vector[_SHAPES + 3] = (liveliness_of(style) - 1.0) / _LIVELY
    return vector


def read_vector(vector: Floats) -> FaceStyle:
    """Return the feeling whose S^v is nearest to (192,)."""
    styles = [FaceStyle("neutral", 0.0)]
    styles += [FaceStyle(name, float(i)) for name in EMOTIONS if name != "neutral" for i in _STEPS]
    known = np.stack([write_vector(style) for style in styles])
    return styles[int(np.square(known - vector).sum(1).argmin())]
