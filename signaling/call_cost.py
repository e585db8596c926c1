"""What one call costs on this machine: the cores that this process takes for it at its busiest.

A caller who listens costs a third of one who talks, so the load of now says little about whether
one more can be served: all of them may talk at once in a moment.
"""

import math
from collections import deque
from typing import Final

# A reply is some seconds; shorter than this, what a call takes when it begins would count.
WINDOW_S: Final = 5
# Calls that cost much (another language model, a photograph's face) are forgotten in minutes.
MEMORY_S: Final = 600.0


class CallCost:
    """Learnt from one measurement a second.

    Attributes:
        cores: That one call takes at its busiest; 0 until a call has gone on for ``WINDOW_S``.
    """

    def __init__(self) -> None:
        self.cores = 0.0
        self._window: deque[tuple[float, int]] = deque(maxlen=WINDOW_S)

    def note(self, used_cores: float, calls: int) -> None:
        """Take what the process used in the last second, and how many calls it had."""
        self._window.append((used_cores, calls))
        self.cores *= math.exp(-1 / MEMORY_S)
        if all(number for _, number in self._window) and len(self._window) == WINDOW_S:
            used = sum(cores for cores, _ in self._window)
            self.cores = max(self.cores, used / sum(number for _, number in self._window))
