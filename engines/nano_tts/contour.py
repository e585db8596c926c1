"""From numbers a token to numbers a frame: durations, pitch contour, places within phones.

The same for training and for speaking, so that the networks read what they learnt from.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Counts: TypeAlias = NDArray[np.int64]

# What the flow draws for each token: ln of its frames, pitch at three places, energy; normalised.
PROSODY: Final = 5
POINTS: Final = (1 / 6, 1 / 2, 5 / 6)  # of a phone, where its pitch is told
DURATION_MEAN: Final = 1.8  # of the ln of frames
DURATION_SPREAD: Final = 0.6
FRAME_NUMBERS: Final = 6
_REFERENCE_HZ: Final = 200.0
_REACH: Final = 8.0  # frames


def token_of_frames(frames: Counts) -> Counts:
    """Return the index of each frame's token, (T,), for the frames of each token, (N,)."""
    return np.repeat(np.arange(len(frames)), frames)


def contour(points: Floats, frames: Counts) -> Floats:
    """Return the pitch of every frame (T,), linear between the points (N, 3) of all tokens."""
    at = np.arange(int(frames.sum())) + 0.5
    return np.asarray(np.interp(at, _places(frames), points.reshape(-1)), np.float32)


def sample_points(pitch: Floats, frames: Counts) -> Floats:
    """Return the points (N, 3) whose ``contour`` is near the pitch (T,): means over thirds."""
    places = _places(frames)
    width = np.repeat(np.maximum(frames / 3, 1.0), 3)
    total = np.concatenate([[0.0], np.cumsum(pitch, dtype=np.float64)])
    low = np.clip(places - width / 2, 0, len(pitch))
    high = np.clip(places + width / 2, 0, len(pitch))
    sums = _at(total, high) - _at(total, low)
    means = sums / np.maximum(high - low, 1e-6)
    return np.asarray(means.reshape(-1, 3), np.float32)


def frame_numbers(frames: Counts, octaves: Floats, energy: Floats) -> Floats:
    """Return what the decoder reads of each frame beside its phone, (T, FRAME_NUMBERS).

    Args:
        frames: (N,) frames of each token.
        octaves: (T,) pitch contour against 200 Hz.
        energy: (N,) normalised energy of each token.
    """
    token = token_of_frames(frames)
    ends = np.cumsum(frames)
    length = frames[token].astype(np.float32)
    passed = np.arange(len(token)) - (ends - frames)[token]
    left = ends[token] - 1 - np.arange(len(token))
    columns = [
        (passed + 0.5) / length,
        (np.log(length) - DURATION_MEAN) / DURATION_SPREAD,
        np.minimum(passed / _REACH, 1.0),
        np.minimum(left / _REACH, 1.0),
        octaves,
        energy[token],
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def octaves_of(ln_hz: Floats) -> Floats:
    """Return octaves against 200 Hz of ln F0."""
    return np.asarray((ln_hz - np.log(_REFERENCE_HZ)) / np.log(2.0), np.float32)


def _places(frames: Counts) -> NDArray[np.float64]:
    starts = np.cumsum(frames) - frames
    places = starts[:, None] + frames[:, None] * np.array(POINTS)[None]
    return np.asarray(places.reshape(-1), np.float64)


def _at(total: NDArray[np.float64], places: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(np.interp(places, np.arange(len(total)), total))
