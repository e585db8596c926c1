"""Motion frame by frame → the windows of 27 frames that PIRenderer looks at, with less future.

The network was trained with 13 frames on either side, repeated at the ends of a clip; 13 frames
ahead are 520 ms. With less, the newest expression known stands for those to come, while the pose,
which a template says in advance, is the true one. Numpy alone.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import EXPRESSION_SIZE, MOTION_SIZE, Motion

Windows: TypeAlias = NDArray[np.float32]  # (frames, MOTION_SIZE, WINDOW)
# (number of the first frame, how many) → (how many, 9); how it is known is the caller's matter.
FuturePose: TypeAlias = Callable[[int, int], NDArray[np.float32]]

RADIUS: Final = 13
WINDOW: Final = 2 * RADIUS + 1
LOOKAHEADS: Final = (0, 2, 4, 8, RADIUS)  # frames; the last is as trained


class MotionWindows:
    """Cuts the window of every frame out of motion that arrives in chunks.

    Args:
        lookahead: Frames of motion waited for, one of ``LOOKAHEADS``.
        future_pose: Tells the pose of frames to come; without it poses are repeated like
            expressions, which with a look-ahead of 13 is what the published code does offline.

    Raises:
        ValueError: The look-ahead is none of those.
    """

    def __init__(self, lookahead: int = RADIUS, future_pose: FuturePose | None = None) -> None:
        if lookahead not in LOOKAHEADS:
            raise ValueError(
                f"pirender: expected a look-ahead of {LOOKAHEADS} frames; got {lookahead}"
            )
        self.lookahead = lookahead
        self._future_pose = future_pose
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next frame is number 0."""
        self._clip = 0  # number of the clip's first frame
        self._forget()

    def _forget(self) -> None:
        self._next = 0  # frame of the next window, counted within the clip
        self._base = 0  # frame of the first row held
        self._held: Motion = np.zeros((0, MOTION_SIZE), np.float32)

    def push(self, motion: Motion) -> Windows:
        """Take (k, 73) motion; return the (n, 73, 27) windows that it completes.

        Raises:
            ValueError: The motion has another shape or is not finite; the stream is unchanged.
        """
        if motion.ndim != 2 or motion.shape[1] != MOTION_SIZE:
            raise ValueError(f"pirender: expected motion (any, {MOTION_SIZE}); got {motion.shape}")
        if not np.isfinite(motion).all():  # it would be in the windows of 27 frames
            raise ValueError("pirender: expected finite motion; got NaN or infinity")
        self._held = np.concatenate((self._held, motion), dtype=np.float32)
        return self._cut(self._base + len(self._held) - self.lookahead)

    def flush(self) -> Windows:
        """Return the windows still due, as if the motion ended here; then begin a new clip.

        Frames are counted on, so that the poses to come stay where they are.
        """
        end = self._base + len(self._held)
        windows = self._cut(end)
        self._clip += end
        self._forget()
        return windows

    def _cut(self, end: int) -> Windows:
        """Cut the windows of frames up to ``end`` and drop the rows that no later one needs."""
        if end <= self._next:
            return np.zeros((0, MOTION_SIZE, WINDOW), np.float32)
        frames = np.arange(self._next, end)[:, None]
        asked = np.maximum(frames + np.arange(-RADIUS, RADIUS + 1), 0)  # (n, 27)
        newest = self._base + len(self._held) - 1
        known = np.minimum(asked, np.minimum(frames + self.lookahead, newest))
        windows = self._held[known - self._base].transpose(0, 2, 1)  # (n, 73, 27)
        if self._future_pose is not None:
            first = self._next
            poses = self._future_pose(self._clip + first, end - first + RADIUS)
            known_poses = poses[np.maximum(asked - first, 0)].transpose(0, 2, 1)
            ahead = np.broadcast_to((asked > known)[:, None], known_poses.shape)
            windows[:, EXPRESSION_SIZE:][ahead] = known_poses[ahead]
        self._next = end
        keep = max(0, end - RADIUS)
        self._held = self._held[keep - self._base :]
        self._base = keep
        return np.ascontiguousarray(windows)


def to_rgb(frames: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Turn (N, 3, H, W) in -1..1 into (N, H, W, 3) RGB, rounded down as in the published code."""
    levels = (np.clip(frames, -1, 1) + 1) / 2 * 255
    return levels.astype(np.uint8).transpose(0, 2, 3, 1)
