"""The head's pose beside DreamTalk's expression: a template played to and fro without end.

DreamTalk moves no head; it takes 9 numbers a frame from a recording. One that is shorter than the
speech is played backwards from its end and forwards from its beginning, so that no frame jumps.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import EXPRESSION_SIZE, POSE_SIZE, SHIFT_Y, MotionFrame

# A still head: no angle, no shift, and the crop of the published renderer (scale, x, y in pixels of
# its 256).
STILL: Final[NDArray[np.float32]] = np.array(
    [[0, 0, 0, 0, 0, 0, 0.9370641, 126.84911, 129.03864]], np.float32
)
_SCALE: Final = 6  # row of the crop's scale


def cropped_as_learnt(motion: MotionFrame) -> MotionFrame:
    """Return motion (73,) of ARKit's shapes whose picture is cut as the renderer learnt it.

    Presence says how the head is turned and shifted, not how near it is and where it is cut.
    """
    cropped: MotionFrame = motion.astype(np.float32)
    cropped[SHIFT_Y + 1 :] = STILL[0, SHIFT_Y + 1 - EXPRESSION_SIZE :]
    return cropped


def to_and_fro(first: int, count: int, length: int) -> NDArray[np.intp]:
    """Return the rows of ``length`` that are shown from frame ``first`` on, without a jump."""
    last = max(length - 1, 1)
    index = np.arange(first, first + count) % (2 * last)
    return np.minimum(np.minimum(index, 2 * last - index), length - 1)


def anchored(template: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a recorded template (frames, 9) about the pose of a portrait that looks ahead.

    Another person's recording stands elsewhere in its picture: taken as it is, the portrait would
    jump and grow. Its mean becomes ``STILL``; the scale of the crop keeps its ratio.
    """
    mean = template.mean(axis=0, dtype=np.float64)
    moved: NDArray[np.float64] = template - mean + STILL[0]
    moved[:, _SCALE] = template[:, _SCALE] * (STILL[0, _SCALE] / mean[_SCALE])
    return moved.astype(np.float32)


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
        poses: NDArray[np.float32] = self._template[to_and_fro(first, count, len(self._template))]
        return poses
