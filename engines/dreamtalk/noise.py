"""Normal noise keyed by (seed, number of the frame): the same however frames are chunked.

The bits are Philox's, whose stream numpy keeps across versions; the normals are made from them
here (Box–Muller), since numpy does not keep those of its ``Generator``.

Source: J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_HALF: Final = 2.0**-54  # half a step of the 53 bits: keeps the logarithm away from 0
_FRAME_WORD: Final = 1  # of the counter's four: word 0 counts the blocks within one frame


def frame_noise(seed: int, first: int, frames: int, channels: int) -> NDArray[np.float32]:
    """Draw the noise of consecutive frames.

    Args:
        seed: Of the caller's whole session, 0 .. 2**64 - 1.
        first: Number of the first frame, counted from the session's beginning, 0 .. 2**63 - 1.
        frames: How many.
        channels: Numbers a frame; even.

    Returns:
        (frames, channels) standard normal.
    """
    words = np.empty((frames, channels), np.uint64)
    counter = np.zeros(4, np.uint64)
    for row in range(frames):
        counter[_FRAME_WORD] = first + row
        words[row] = np.random.Philox(key=seed, counter=counter).random_raw(channels)
    uniform = (words >> np.uint64(11)) * 2.0**-53 + _HALF  # (0, 1)
    radius = np.sqrt(-2 * np.log(uniform[:, ::2]))
    angle = 2 * np.pi * uniform[:, 1::2]
    normal = np.concatenate((radius * np.cos(angle), radius * np.sin(angle)), axis=1)
    return normal.astype(np.float32)
