"""What the 73 numbers of a frame of motion mean: names, bounds, mixing and what can be seen.

``ARKIT52``: blendshapes, each a movement with a name, from 0 to 1. ``BFM64``: coefficients of the
Basel Face Model's expressions, as DreamTalk makes and PIRenderer takes them: principal components
without bounds, each of which moves the whole face. Both end in the same 9 numbers of the pose.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.channels import GAZE, MOUTH, SHAPES
from rt_avatar.engines.types import (
    ARKIT,
    EXPRESSION_SIZE,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SHIFT_X,
    SHIFT_Y,
    Motion,
    MotionFrame,
)

# The promise: no number changes by more than this from one frame to the next.
MAX_STEP: Final = 0.35  # blendshapes; a jaw that closes from fully open in three frames
MAX_LID_STEP: Final = 0.8  # eyeBlink: lids fall in 60 ms
MAX_TURN_STEP: Final = 0.05  # rad: 70 degrees a second, a brisk nod
MAX_SHIFT_STEP: Final = 0.02  # head units
_POSE_NAMES: Final = (
    "pitch", "yaw", "roll", "shiftX", "shiftY", "shiftZ", "cropScale", "cropX", "cropY",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class MotionSpace:
    """A space of motion. The 64 numbers of the expression first, then the pose.

    Attributes:
        name: ``arkit52`` or ``bfm64``, as it is published.
        channels: (73,) names of the numbers, as they are published.
        shapes: How many numbers of the expression are used.
        low: (73,) least value of each number.
        high: (73,) greatest value.
        steps: (73,) most that a number may change from frame to frame.
        visible: (73,) change of each number that moves what is seen by about a tenth of a pixel.
        mouth: (shapes,) which move the mouth alone, so that it may close sooner than the face.
        gaze: Rows that turn the eyes, which speech never does.
    """

    name: str
    channels: tuple[str, ...]
    shapes: int
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    steps: NDArray[np.float64]
    visible: NDArray[np.float32]
    mouth: NDArray[np.bool_]
    gaze: NDArray[np.intp]

    def bounded(self, motion: Motion) -> Motion:
        """Return motion (frames, 73) whose numbers are within their bounds."""
        clipped: Motion = np.clip(motion, self.low, self.high).astype(np.float32)
        return clipped

    def difference(self, one: MotionFrame, other: MotionFrame) -> float:
        """Return how far the pictures of two frames are apart: from 1 on it could be seen."""
        return float(np.max(np.abs(one - other) / self.visible))


def _pose_steps(expression: NDArray[np.float64]) -> NDArray[np.float64]:
    steps = np.zeros(MOTION_SIZE)
    steps[: len(expression)] = expression
    steps[PITCH : PITCH + 3] = MAX_TURN_STEP
    steps[SHIFT_X : SHIFT_X + 2] = MAX_SHIFT_STEP
    return steps


def _visible(expression: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the change of each number that moves what is seen by about a tenth of a pixel.

    A head of 143 px turns 0.11 px with 0.0008 rad; ``expression`` (64,) is measured.
    """
    change = np.full(MOTION_SIZE, 0.004, np.float32)
    change[:EXPRESSION_SIZE] = expression
    change[PITCH : ROLL + 1] = change[SHIFT_X : SHIFT_Y + 1] = 0.0008
    return change


def _visible_arkit() -> NDArray[np.float32]:
    """Return the shapes' changes that alter some 16 x 16 px of the rig as 0.0008 rad alter them.

    The least of each kind: lids 0.0077; 0.0198 of what moves mouth, cheek or nose. The jaw, which
    moves its points by 37 px, alters little where it is soft: by its way it is 0.004.
    """
    change = np.full(EXPRESSION_SIZE, 0.0075, np.float32)
    for row, name in enumerate(ARKIT):
        if name.startswith(("mouth", "cheek", "nose")):
            change[row] = 0.019
    change[ARKIT.index("jawOpen")] = 0.004
    return change


def _arkit() -> MotionSpace:
    steps = np.full(SHAPES, MAX_STEP)
    steps[[ARKIT.index(f"eyeBlink{side}") for side in ("Left", "Right")]] = MAX_LID_STEP
    low, high = np.full((2, MOTION_SIZE), [[-np.inf], [np.inf]])
    low[:SHAPES], high[:SHAPES] = 0.0, 1.0
    reserved = (f"reserved{index}" for index in range(EXPRESSION_SIZE - SHAPES))
    return MotionSpace(
        name="arkit52",
        channels=(*ARKIT, *reserved, *_POSE_NAMES),
        shapes=SHAPES,
        low=low,
        high=high,
        steps=_pose_steps(steps),
        visible=_visible(_visible_arkit()),
        mouth=MOUTH,
        gaze=GAZE,
    )


def _bfm() -> MotionSpace:
    low, high = np.full((2, MOTION_SIZE), [[-np.inf], [np.inf]])
    return MotionSpace(
        name="bfm64",
        channels=(*(f"expression{index}" for index in range(EXPRESSION_SIZE)), *_POSE_NAMES),
        shapes=EXPRESSION_SIZE,
        low=low,
        high=high,
        # DreamTalk's own motion has no bound; what is mixed with it takes the cross-fade's time.
        steps=_pose_steps(np.full(EXPRESSION_SIZE, np.inf)),
        # Coefficients are in standard deviations of expressions: a hundredth of one.
        visible=_visible(np.full(EXPRESSION_SIZE, 0.01, np.float32)),
        mouth=np.zeros(EXPRESSION_SIZE, np.bool_),
        gaze=np.zeros(0, np.intp),
    )


ARKIT52: Final = _arkit()
BFM64: Final = _bfm()
