"""Keep what was just played, at the microphone's rate: the reference for echo detection.

The playout adds each 20 ms block as it leaves; audio recognition takes as many samples as the
microphone gave meanwhile. Both run in real time, so a short queue keeps them aligned; the detector
itself searches the delay of the way through the caller's room.
"""

from collections import deque
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import INPUT_RATE_HZ, WIRE_RATE_HZ, Pcm

_STEP: Final = WIRE_RATE_HZ // INPUT_RATE_HZ  # 3
_SCALE: Final = np.float32(1 / (32768 * _STEP))
_ZERO: Final = np.zeros(1, np.float32)
# Beyond 200 ms the two clocks have lost each other (a stall on one side): begin anew.
_MAX_SAMPLES: Final = INPUT_RATE_HZ // 5


class EchoReference:
    """A short queue of played sound at 16 kHz. Full means: the oldest is dropped."""

    def __init__(self) -> None:
        self._blocks: deque[Pcm] = deque()
        self._held = 0

    def add(self, sound: NDArray[np.int16]) -> None:
        """Take one block at 48 kHz; a mean of three is filter enough for an envelope."""
        block = sum((sound[phase::_STEP] for phase in range(_STEP)), _ZERO) * _SCALE
        self._blocks.append(block)
        self._held += len(block)
        while self._held > _MAX_SAMPLES:
            self._held -= len(self._blocks.popleft())

    def take(self, samples: int) -> Pcm:
        """Return exactly that many samples, oldest first; silence where nothing was played."""
        out = np.zeros(samples, np.float32)
        filled = 0
        while filled < samples and self._blocks:
            block = self._blocks.popleft()
            part = block[: samples - filled]
            out[filled : filled + len(part)] = part
            filled += len(part)
            self._held -= len(part)
            if len(part) < len(block):
                self._blocks.appendleft(block[len(part) :])
        return out
