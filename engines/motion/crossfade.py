"""Crossfade: from the silent face to the speaking one and back, and a bound on every step.

``Crossfade`` mixes; ``StepLimit`` makes sure that, whatever comes in, nothing jumps. When speech
stops without warning (a barge-in), the mouth is shut two frames later, while brows, cheeks and
head take their time.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.space import ARKIT52, MotionSpace
from rt_avatar.engines.types import EXPRESSION_SIZE, MOTION_SIZE, PITCH, MotionFrame

# 200 ms for face and head, both ways. 80 ms to shut the mouth: two frames, the least that is no
# cut, since an interrupting caller waits for it. 80 ms to give it to speech, which begins with a
# closed mouth anyway.
_FACE_STEP: Final = 1 / 5
_MOUTH_IN, _MOUTH_OUT = 0.5, 0.65  # out: 0.35 and 0 of what it was
_POSE: Final = slice(PITCH, PITCH + 5)  # pitch, yaw, roll, shift x, shift y

# Beyond this the drawn head stops being believable.
MAX_ANGLE: Final = 0.3


class Crossfade:
    """Mixes the silent face and the speech of one caller's avatar.

    Args:
        space: Of both; where none of its numbers moves the mouth alone, the mouth fades with the
            face.
    """

    def __init__(self, space: MotionSpace = ARKIT52) -> None:
        self._space = space
        self._face = 0.0  # share of the speech in the upper face and the pose, before easing
        self._mouth = 0.0  # share of the speech in the mouth
        self._mouth_was = 0.0  # when speech was last heard
        self._speech = np.zeros(MOTION_SIZE)  # the last that was said

    def step(
        self, idle: NDArray[np.float64], speech: MotionFrame | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mixed face (shapes,) and what speech adds to the pose (5,).

        Args:
            idle: (shapes,) face without speech.
            speech: (73,) next frame of speech; None when there is none.
        """
        if speech is None:
            self._face = max(0.0, self._face - _FACE_STEP)
            self._mouth = max(0.0, self._mouth - _MOUTH_OUT * self._mouth_was)
        else:
            self._speech = speech.astype(np.float64)
            # Where to look and when to blink is never the speech's to say.
            self._speech[self._space.gaze] = 0.0
            self._face = min(1.0, self._face + _FACE_STEP)
            self._mouth = self._mouth_was = min(1.0, self._mouth + _MOUTH_IN)
        eased = self._face * self._face * (3 - 2 * self._face)
        share = np.where(self._space.mouth, self._mouth, eased)
        mixed: NDArray[np.float64] = idle + share * (self._speech[: self._space.shapes] - idle)
        return mixed, eased * self._speech[_POSE]


class StepLimit:
    """Bounds what leaves: values to what can be shown, and steps to the space's."""

    def __init__(self, space: MotionSpace = ARKIT52) -> None:
        self._space = space
        self._last: NDArray[np.float64] | None = None

    def turn(self, pose: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pose (5,) as it may be now."""
        pose = np.clip(pose, -MAX_ANGLE, MAX_ANGLE)
        if self._last is not None:
            last, step = self._last[_POSE], self._space.steps[_POSE]
            pose = np.clip(pose, last - step, last + step)
        return pose

    def frame(self, face: NDArray[np.float64], pose: NDArray[np.float64]) -> MotionFrame:
        """Return the whole frame (73,) as it may be now, and remember it.

        Args:
            face: (shapes,) expression.
            pose: (5,) as ``turn`` returned it.
        """
        space, frame = self._space, np.zeros(MOTION_SIZE)
        frame[: len(face)] = np.clip(face, space.low[: len(face)], space.high[: len(face)])
        frame[_POSE] = pose
        if self._last is not None:
            last, step = self._last[:EXPRESSION_SIZE], space.steps[:EXPRESSION_SIZE]
            frame[:EXPRESSION_SIZE] = np.clip(frame[:EXPRESSION_SIZE], last - step, last + step)
        self._last = frame
        return frame.astype(np.float32)
