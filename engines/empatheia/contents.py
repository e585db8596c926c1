"""What a reply says, for its face: states of its clauses → C^v, one a frame from the first on."""

from collections import deque
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.voice import Placed
from rt_avatar.engines.llm.model import Vectors

Floats: TypeAlias = NDArray[np.float32]


class Contents:
    """Contents of the face, one a frame, over all clauses; in pauses the last is held."""

    def __init__(self, engines: EmpatheiaEngines) -> None:
        self._engines = engines
        self._rows: deque[Floats] = deque()
        self._last: Floats | None = None

    def add(self, states: Vectors, placed: Placed) -> None:
        """Add a clause's, and those of the pause before it.

        Args:
            states: (S, width) of its tokens.
            placed: Where the voice has put it.
        """
        content = self._engines.face_content(states, placed.frames)
        if self._last is None:
            self._last = content[0]
        self._rows.extend([self._last] * placed.pause)
        self._rows.extend(content)
        self._last = content[-1]

    def hold(self, placed: Placed) -> None:
        """Hold the last over a clause of which nothing is known."""
        if self._last is not None:
            self._rows.extend([self._last] * (placed.pause + placed.frames))

    def take(self, count: int) -> Floats:
        """Return the next ``count``; at the end the last is held."""
        rows = [self._rows.popleft() for _ in range(min(count, len(self._rows)))]
        if self._last is not None:
            rows += [self._last] * (count - len(rows))
        return self._stacked(rows)

    def peek(self, count: int) -> Floats:
        """Return the next ``count`` or fewer, as far as known; they stay."""
        return self._stacked(list(islice(self._rows, count)))

    def _stacked(self, rows: list[Floats]) -> Floats:
        return np.array(rows, np.float32).reshape(len(rows), self._engines.manifest.content_size)
