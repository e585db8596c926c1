"""Read a motion frame once: 52 ARKit weights → the few numbers that the warp needs besides them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import (
    ARKIT,
    BLENDSHAPE,
    PITCH,
    ROLL,
    SHIFT_X,
    SHIFT_Y,
    YAW,
    MotionFrame,
)

Weights = NDArray[np.float32]  # (52,) 0 to 1
# Beyond 14 degrees a face that was seen once, from the front, stops being believable.
MAX_ANGLE_RAD: Final = 0.245
MAX_ROLL_RAD: Final = 0.16  # more would stretch what is behind the head
MAX_SHIFT: Final = 0.12  # head units
# mouthClose 1 cancels this share of jawOpen 1, as the drawn faces have it.
_CLOSE_CANCELS: Final = 0.9


@dataclass(frozen=True, slots=True)
class Pose:
    """How the head is held; signs and units as in ``engines.types``."""

    pitch: float
    yaw: float
    roll: float
    shift_x: float
    shift_y: float


def read_weights(motion: MotionFrame) -> Weights:
    """Return the weights of a checked frame, clipped to 0..1."""
    return np.clip(motion[: len(ARKIT)], 0, 1).astype(np.float32)


def read_pose(motion: MotionFrame) -> Pose:
    """Return the pose of a checked frame, clipped to what can be shown."""

    def clip(row: int, limit: float) -> float:
        return max(-limit, min(limit, float(motion[row])))

    return Pose(
        clip(PITCH, MAX_ANGLE_RAD),
        clip(YAW, MAX_ANGLE_RAD),
        clip(ROLL, MAX_ROLL_RAD),
        clip(SHIFT_X, MAX_SHIFT),
        clip(SHIFT_Y, MAX_SHIFT),
    )


def lips_parted(weights: Weights) -> float:
    """Return how far the jaw parts the lips, 0 to 1."""
    jaw, close = weights[BLENDSHAPE["jawOpen"]], weights[BLENDSHAPE["mouthClose"]]
    return max(0.0, float(jaw - _CLOSE_CANCELS * close))
