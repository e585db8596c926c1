"""Crossfade: from the silent face to the speaking one and back, and a bound on every step.

``Crossfade`` mixes; ``StepLimit`` makes sure that, whatever comes in, nothing jumps. When speech
stops without warning (a barge-in), the mouth is shut two frames later, while brows, cheeks and
head take their time.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.channels import GAZE, MOUTH, SHAPES, Weights, rows_of
from rt_avatar.engines.types import EXPRESSION_SIZE, MOTION_SIZE, PITCH, SHIFT_X, MotionFrame

# 200 ms for face and head, both ways. 80 ms to shut the mouth: two frames, the least that is no
# cut, since an interrupting caller waits for it. 80 ms to give it to speech, which begins with a
# closed mouth anyway.
_FACE_STEP: Final = 1 / 5
_MOUTH_IN, _MOUTH_OUT = 0.5, 0.65  # out: 0.35 and 0 of what it was
_POSE: Final = slice(PITCH, PITCH + 5)  # pitch, yaw, roll, shift x, shift y

# The promise: no number changes by more than this from one frame to the next.
MAX_STEP: Final = 0.35  # blendshapes; a jaw that closes from fully open in three frames
MAX_LID_STEP: Final = 0.8  # eyeBlink: lids fall in 60 ms
MAX_TURN_STEP: Final = 0.05  # rad: 70 degrees a second, a brisk nod
MAX_SHIFT_STEP: Final = 0.02  # head units
# Beyond this the drawn head stops being believable.
MAX_ANGLE: Final = 0.3


def _bounds() -> NDArray[np.float64]:
    bounds = np.zeros(MOTION_SIZE)
    bounds[:SHAPES] = MAX_STEP
    bounds[rows_of(("eyeBlink",))] = MAX_LID_STEP
    bounds[PITCH : PITCH + 3] = MAX_TURN_STEP
    bounds[SHIFT_X : SHIFT_X + 2] = MAX_SHIFT_STEP
    return bounds


STEPS: Final = _bounds()  # (73,)


class Crossfade:
    """Mixes the silent face and the speech of one caller's avatar."""

    def __init__(self) -> None:
        self._face = 0.0  # share of the speech in the upper face and the pose, before easing
        self._mouth = 0.0  # share of the speech in the mouth
        self._mouth_was = 0.0  # when speech was last heard
        self._speech = np.zeros(MOTION_SIZE)  # the last that was said

    def step(
        self, idle: Weights, speech: MotionFrame | None
    ) -> tuple[Weights, NDArray[np.float64]]:
        """Return the mixed face (52,) and what speech adds to the pose (5,).

        Args:
            idle: (52,) face without speech.
            speech: (73,) next frame of speech; None when there is none.
        """
        if speech is None:
            self._face = max(0.0, self._face - _FACE_STEP)
            self._mouth = max(0.0, self._mouth - _MOUTH_OUT * self._mouth_was)
        else:
            self._speech = speech.astype(np.float64)
            # Where to look and when to blink is never the speech's to say.
            self._speech[GAZE] = 0.0
            self._face = min(1.0, self._face + _FACE_STEP)
            self._mouth = self._mouth_was = min(1.0, self._mouth + _MOUTH_IN)
        eased = self._face * self._face * (3 - 2 * self._face)
        share = np.where(MOUTH, self._mouth, eased)
        mixed: Weights = idle + share * (self._speech[:SHAPES] - idle)
        return mixed, eased * self._speech[_POSE]


class StepLimit:
    """Bounds what leaves: values to what can be shown, and steps to ``STEPS``."""

    def __init__(self) -> None:
        self._last: NDArray[np.float64] | None = None

    def turn(self, pose: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pose (5,) as it may be now."""
        pose = np.clip(pose, -MAX_ANGLE, MAX_ANGLE)
        if self._last is not None:
            last, step = self._last[_POSE], STEPS[_POSE]
            pose = np.clip(pose, last - step, last + step)
        return pose

    def frame(self, face: Weights, pose: NDArray[np.float64]) -> MotionFrame:
        """Return the whole frame (73,) as it may be now, and remember it.

        Args:
            face: (52,) weights.
            pose: (5,) as ``turn`` returned it.
        """
        frame = np.zeros(MOTION_SIZE)
        frame[:SHAPES] = np.clip(face, 0.0, 1.0)
        frame[_POSE] = pose
        if self._last is not None:
            last, step = self._last[:EXPRESSION_SIZE], STEPS[:EXPRESSION_SIZE]
            frame[:EXPRESSION_SIZE] = np.clip(frame[:EXPRESSION_SIZE], last - step, last + step)
        self._last = frame
        return frame.astype(np.float32)
