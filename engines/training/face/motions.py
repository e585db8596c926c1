"""Windows of motion to learn from: a person who speaks, and sweeps of all shapes and poses."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.pirender.windows import LOOKAHEADS, RADIUS, WINDOW
from rt_avatar.engines.training.lipsync.people import Part, read_shapes
from rt_avatar.engines.types import (
    ARKIT,
    BLENDSHAPE,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SHIFT_X,
    SHIFT_Y,
    YAW,
    Motion,
)

_PEOPLE_SHARE: Final = 0.4  # of windows; the rest are sweeps
_KEEPS_REST: Final = 0.35  # share of a tracked clip's windows to which a sweep's face is added
_MOST_SHAPES: Final = 9  # of a sweep's key frame
_ALIKE: Final = 0.75  # of key frames: both sides of the face do the same
_KEYS: Final = (3, 9)  # frames between two key frames of a sweep
# Largest angles and shifts of a sweep: what the rig can draw, seldom reached in a call.
_LIMITS: Final = {PITCH: 0.3, YAW: 0.35, ROLL: 0.25, SHIFT_X: 0.15, SHIFT_Y: 0.15}
_LIVE: Final = 0.7  # of windows: nothing of what is to come is known, as in a call
_LEFT: Final = [i for i, name in enumerate(ARKIT) if name.endswith("Left") and name[:3] != "jaw"
                and name != "mouthLeft"]  # fmt: skip
_RIGHT: Final = [BLENDSHAPE[ARKIT[i].replace("Left", "Right")] for i in _LEFT]


class Motions:
    """Draws windows.

    Args:
        folder: Of tracked recordings, see ``engines.training.lipsync.people``.
        part: Of it.
    """

    def __init__(self, folder: Path, part: Part) -> None:
        self._clips = read_shapes(folder, part)

    def window(self, rng: np.random.Generator) -> Motion:
        """Return (27, 73) motion; the frame in the middle is the one to draw."""
        motion = self._spoken(rng) if rng.random() < _PEOPLE_SHARE else sweep(rng)
        ahead = 0 if rng.random() < _LIVE else int(rng.choice(LOOKAHEADS))
        motion[RADIUS + ahead + 1 :] = motion[RADIUS + ahead]
        return motion

    def _spoken(self, rng: np.random.Generator) -> Motion:
        shapes, pose_rad = self._clips[rng.integers(len(self._clips))]
        first = rng.integers(len(shapes) - WINDOW + 1)
        motion = np.zeros((WINDOW, MOTION_SIZE), np.float32)
        if rng.random() > _KEEPS_REST:
            motion = sweep(rng) * rng.uniform(0, 1)
        rows = slice(first, first + WINDOW)
        motion[:, : len(ARKIT)] = np.clip(motion[:, : len(ARKIT)] + shapes[rows], 0, 1)
        motion[:, [PITCH, YAW, ROLL]] += pose_rad[rows] - pose_rad.mean(0)
        return motion


def sweep(rng: np.random.Generator) -> Motion:
    """Return (27, 73) motion from one random face and pose to the next."""
    at, times = 0, [0]
    while at < WINDOW:
        at += int(rng.integers(*_KEYS))
        times.append(at)
    keys = np.stack([_key(rng) for _ in times])
    frames = np.arange(WINDOW) + rng.integers(0, _KEYS[0])
    index = np.clip(np.searchsorted(times, frames, "right") - 1, 0, len(times) - 2)
    start, end = np.take(times, index), np.take(times, index + 1)
    share = np.clip((frames - start) / (end - start), 0, 1)[:, None]
    share = share * share * (3 - 2 * share)
    moved: NDArray[np.float32] = keys[index] + (keys[index + 1] - keys[index]) * share
    return moved.astype(np.float32)


def _key(rng: np.random.Generator) -> Motion:
    """Return (73,) of a face that nobody need be able to make."""
    key = np.zeros(MOTION_SIZE, np.float32)
    shapes = rng.choice(len(ARKIT), rng.integers(0, _MOST_SHAPES + 1), replace=False)
    key[shapes] = rng.beta(0.9, 1.1, len(shapes))
    if rng.random() < _ALIKE:
        strongest = np.maximum(key[_LEFT], key[_RIGHT])
        key[_LEFT] = key[_RIGHT] = strongest
    if rng.random() < 0.5:
        key[BLENDSHAPE["jawOpen"]] = rng.uniform(0, 0.8)
    if rng.random() < 0.35:
        key[[BLENDSHAPE["eyeBlinkLeft"], BLENDSHAPE["eyeBlinkRight"]]] = rng.uniform(0, 1)
    for row, limit in _LIMITS.items():
        key[row] = np.clip(rng.normal(0, 0.3), -1, 1) * limit
    return key
