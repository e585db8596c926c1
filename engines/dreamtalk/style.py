"""Expressions of a clip → what a style is taken from: its beginning. Numpy alone.

The published program fills shorter clips up and masks what it added; a clip of its own length gives
the same style.
"""

from typing import Final

import numpy as np

from rt_avatar.engines.dreamtalk.schedule import Floats
from rt_avatar.engines.types import EXPRESSION_SIZE

STYLE_FRAMES: Final = 256  # at 25 fps: the longest that the network has places for


def style_clip(expressions: Floats) -> Floats:
    """Return what the graph ``dreamtalk_style_encoder`` takes, (1, up to ``STYLE_FRAMES``, 64).

    Args:
        expressions: (frames, 64) raw coefficients.

    Raises:
        ValueError: They have another shape, no frame, or numbers that are not finite.
    """
    if expressions.ndim != 2 or expressions.shape[1] != EXPRESSION_SIZE or not len(expressions):
        raise ValueError(
            f"style: expected (frames, {EXPRESSION_SIZE}) expressions with a frame or more; "
            f"got {expressions.shape}"
        )
    clip = expressions[None, :STYLE_FRAMES].astype(np.float32)
    if not np.isfinite(clip).all():
        raise ValueError("style: expected finite expressions; got NaN or infinity")
    return clip
