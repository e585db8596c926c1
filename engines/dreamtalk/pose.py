"""The head's pose beside DreamTalk's expression: a template played to and fro without end.

DreamTalk moves no head; it takes 9 numbers a frame from a recording. One that is shorter than the
speech is played backwards from its end and forwards from its beginning, so that no frame jumps.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import POSE_SIZE

# A still head: no angle, no shift, and the crop of the published renderer (scale, x, y in pixels of
# its 256).
STILL: Final[NDArray[np.float32]] = np.array(
    [[0, 0, 0, 0, 0, 0, 0.9370641, 126.84911, 129.03864]], np.float32
)


class PoseLoop:
    """A template of poses, of which any row may be asked for, however far ahead.

    Args:
        template: (frames, 9) angles in radians, translations, crop; at 25 fps.

    Raises:
        ValueError: The template has another shape, no rows, or numbers that are not finite.
    """

    def __init__(self, template: NDArray[np.float32]) -> None:
        if template.ndim != 2 or template.shape[1] != POSE_SIZE or not len(template):
            raise ValueError(
                f"pose: expected (frames, {POSE_SIZE}) with a frame or more; got {template.shape}"
            )
        if not np.isfinite(template).all():
            raise ValueError("pose: expected finite numbers; got NaN or infinity")
        self._template = template.astype(np.float32)

    def rows(self, first: int, count: int) -> NDArray[np.float32]:
        """Return the (count, 9) poses of the frames from ``first``, which is 0 or more."""
        last = len(self._template) - 1
        if not last:
            return np.repeat(self._template, count, axis=0)
        index = np.arange(first, first + count) % (2 * last)
        return self._template[np.minimum(index, 2 * last - index)]
