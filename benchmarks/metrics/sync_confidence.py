"""SyncNet's confidence: how clearly sound and lips belong together, with any pair of embeddings.

The computation is that of the paper: a vector for every 5 pictures and for the 20 MFCC columns
beside them, distances over shifts of ±15 pictures, confidence = median − minimum of their mean.

1. ``syncnet.SyncNet`` makes the paper's embeddings, for whoever has the published weights.
2. ``envelope_embeddings`` needs no weights: loudness against opening of the mouth. Its confidence
   is *not comparable* with SyncNet's: it has another scale and sees nothing but open and shut.

Source: J. S. Chung, A. Zisserman, "Out of time: automated lip sync in the wild", ACCV workshops
2016, §2-3, and the authors' release (MIT).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Embeddings = NDArray[np.float64]  # (windows, size); window n begins at picture n

FPS: Final = 25  # SyncNet knows no other rate
WINDOW: Final = 5  # pictures
COLUMNS: Final = 20  # columns of 10 ms in a window
SHIFT: Final = 15  # pictures to either side
_PER_PICTURE: Final = COLUMNS // WINDOW
_EPSILON: Final = 1e-6  # PyTorch's `pairwise_distance` adds it to every difference


@dataclass(frozen=True, slots=True)
class Confidence:
    """How clearly sound and lips belong together.

    Attributes:
        confidence: Median − minimum of the curve; 0 and more, higher is clearer.
        offset_frames: Pictures by which the sound comes early; negative: late.
        distances: (2 * shift + 1,) mean distance at sound shifts of -shift … shift pictures.
    """

    confidence: float
    offset_frames: int
    distances: NDArray[np.float64]


def sync_confidence(lips: Embeddings, sound: Embeddings, shift: int = SHIFT) -> Confidence:
    """Return SyncNet's confidence and offset of two rows of embeddings.

    Args:
        lips: (windows, size).
        sound: The same shape.
        shift: How far the sound is shifted to either side, in pictures.

    Raises:
        ValueError: The shapes differ, there is no window, or ``shift`` is below 1.
    """
    if lips.ndim != 2 or lips.shape != sound.shape or not len(lips) or shift < 1:
        raise ValueError(
            "embeddings: expected two of the same shape (1 or more windows, size) and a shift of "
            f"1 or more, got {lips.shape}, {sound.shape} and {shift}"
        )
    # As in the release, windows before the first and after the last are zeros.
    padded = np.pad(sound, ((shift, shift), (0, 0)))
    distances = np.array(
        [
            np.linalg.norm(lips - padded[by : by + len(lips)] + _EPSILON, axis=1).mean()
            for by in range(2 * shift + 1)
        ]
    )
    best = int(np.argmin(distances))
    return Confidence(float(np.median(distances) - distances[best]), shift - best, distances)


def envelope_embeddings(
    opening: NDArray[np.float64], loudness: NDArray[np.float64]
) -> tuple[Embeddings, Embeddings]:
    """Return embeddings without weights: five openings, five loudnesses, on the clip's own scale.

    Args:
        opening: (pictures,) of the mouth at 25 fps, in any unit.
        loudness: (columns,) at 100 Hz, in any unit.

    Raises:
        ValueError: Either is no row, does not vary, or they are shorter than a window.
    """
    pictures = min(len(opening), len(loudness) // _PER_PICTURE)
    if opening.ndim != 1 or loudness.ndim != 1 or pictures < WINDOW:
        raise ValueError(
            f"opening, loudness: expected rows of {WINDOW} pictures or more, "
            f"got {opening.shape} and {loudness.shape}"
        )
    a_picture = loudness[: pictures * _PER_PICTURE].reshape(pictures, _PER_PICTURE).mean(1)
    return _windows(_scaled(opening[:pictures])), _windows(_scaled(a_picture))


def _windows(row: NDArray[np.float64]) -> Embeddings:
    windows: Embeddings = np.lib.stride_tricks.sliding_window_view(row, WINDOW)
    return windows


def _scaled(row: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = float(row.std())
    if not spread > 0:  # false for NaN, too
        raise ValueError("opening, loudness: expected rows that vary, got a constant")
    scaled: NDArray[np.float64] = (row - row.mean()) / spread
    return scaled
