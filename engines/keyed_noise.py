"""Normal noise keyed by (seed, number of the row): the same however rows are chunked.

A row is a frame or a sample. The bits are Philox's, whose stream numpy keeps across versions; the
normals are made from them here, by Box and Muller: numpy's own take an unknown number of random
words, so that a row could not be reached without those before it, and may change.

Source: J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_WORDS: Final = 4  # that one count of Philox gives


def keyed_noise(seed: int, first: int, count: int, channels: int) -> NDArray[np.float32]:
    """Draw the noise of rows ``first`` to ``first + count``, whatever was drawn before.

    Args:
        seed: Of the caller's whole session, 0 .. 2**64 - 1.
        first: Number of the first row, counted from the session's beginning, 0 .. 2**63 - 1.
        count: Rows.
        channels: Values a row.

    Returns:
        (count, channels) standard normal.
    """
    pairs = (channels + 1) // 2
    start = first * pairs
    generator = np.random.Philox(key=seed)
    generator.advance(start // _WORDS)
    words = generator.random_raw(start % _WORDS + count * pairs)[start % _WORDS :]
    high = (words >> np.uint64(32)).astype(np.float64)
    low = (words & np.uint64(0xFFFFFFFF)).astype(np.float64)
    radius = np.sqrt(-2.0 * np.log((high + 1.0) / 2.0**32))  # (0, 1]: the logarithm is finite
    angle = low * (2.0 * np.pi / 2.0**32)
    both = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return both.reshape(count, 2 * pairs)[:, :channels].astype(np.float32)
