"""Blinks: when the lids close, and how (one weight 0..1 a frame).

Intervals are log-normal; lids fall faster than they rise; some blinks come double; a phrase's end
invites one. Sources: A. Bentivoglio et al., "Analysis of blink rate patterns in normal subjects",
Movement Disorders 12 (1997): 17 a minute at rest, 26 talking; K. VanderWerf et al., "Eyelid
movements", J. Neurophysiol. 89 (2003): down in about 60 ms, up in about twice that until open for
sight; T. Nakano, S. Kitazawa, "Eyeblink entrainment at breakpoints of speech", 2010.
"""

import math
from collections import deque
from random import Random
from typing import Final, Literal

from rt_avatar.engines.types import FPS

State = Literal["listening", "thinking", "speaking"]

# Median seconds between blinks. With the spread below the mean is 11 % above, which with double
# blinks and those at phrase ends makes about 15 a minute listening and 20 speaking.
_MEDIAN_S: Final = {"listening": 4.3, "thinking": 4.6, "speaking": 3.1}
_SPREAD: Final = 0.45
_LEAST_S, _MOST_S = 0.9, 11.0
_DOUBLE_SHARE: Final = 0.10
_PHRASE_SHARE: Final = 0.35
# Two invited blinks closer than this look like a twitch.
_PHRASE_REST_S: Final = 1.6
_FRAME_MS: Final = 1000 / FPS
# A whole blink, seen at 25 fps, takes four frames. Filmed people's lids take 44 to 55 ms from half
# way to shut, and 58 to 104 back (`bench motion`); with one frame more it would look sleepy.
_DOWN_MS: Final = (62.0, 80.0)
_UP_MS: Final = (104.0, 124.0)


class Blinker:
    """When one face blinks. ``rng`` is its own."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._pulse: deque[float] = deque()
        self._since = 0  # frames since the last blink began
        self._wait = round(FPS * rng.uniform(0.6, 3.0))

    def step(self, state: State, is_phrase_end: bool) -> float:
        """Return how far the lids are closed in the next frame, 0 open to 1.

        Args:
            state: Sets the rate.
            is_phrase_end: Somebody's phrase has just ended: a good moment.
        """
        self._since += 1
        self._wait -= 1
        is_invited = (
            is_phrase_end
            and self._since > _PHRASE_REST_S * FPS
            and self._rng.random() < _PHRASE_SHARE
        )
        if not self._pulse and (self._wait <= 0 or is_invited):
            self._begin(state)
        return self._pulse.popleft() if self._pulse else 0.0

    def _begin(self, state: State) -> None:
        rng = self._rng
        self._pulse.extend(self._shape())
        if rng.random() < _DOUBLE_SHARE:
            self._pulse.extend((0.0, *self._shape()))
        pause = _MEDIAN_S[state] * math.exp(rng.gauss(0.0, _SPREAD))
        self._wait = round(FPS * min(_MOST_S, max(_LEAST_S, pause)))
        self._since = 0

    def _shape(self) -> list[float]:
        """Weights of one blink; the frame at the turning point is fully closed."""
        down, up = self._rng.uniform(*_DOWN_MS), self._rng.uniform(*_UP_MS)
        shape = [1 - _FRAME_MS / down, 1.0]
        left = 1 - _FRAME_MS / up
        while left > 0.04:
            shape.append(left)
            left -= _FRAME_MS / up
        return shape
