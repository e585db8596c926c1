"""Gaze: where the eyes look, in units of ARKit's eyeLook weights (1 is about 25 degrees).

Mostly at the caller, hopping between the eyes and the mouth of the person on the screen; away for
a moment now and then; up and to a side to think. The head's own turn is not known here:
``presence`` takes it off, so that the look stays where it is while the head moves.

Sources: A. Kendon, "Some functions of gaze-direction in social interaction", 1967, and M. Argyle,
M. Cook, "Gaze and mutual gaze", 1976 (listeners look three quarters of the time, speakers less);
A. Bahill, M. Clark, L. Stark, "The main sequence", Math. Biosci. 24 (1975): a saccade of A degrees
takes 2.2 A + 21 ms; A. McCarthy et al., "Cultural display rules drive eye gaze during thinking",
2006 (thinkers look up or to a side).
"""

import math
from random import Random
from typing import Final

from rt_avatar.engines.motion.blink import State
from rt_avatar.engines.types import FPS

DEGREES_PER_UNIT: Final = 25.0
_FRAME_MS: Final = 1000 / FPS
# Share of fixations that are not on the caller.
_AWAY_SHARE: Final = {"listening": 0.07, "thinking": 0.78, "speaking": 0.15}
# Seconds of a fixation on the caller (median) and away (range).
_STAY_S: Final = {"listening": 1.3, "thinking": 0.7, "speaking": 1.1}
_AWAY_S: Final = {"listening": (0.4, 0.9), "thinking": (0.9, 2.0), "speaking": (0.4, 1.0)}
_SPREAD: Final = 0.45
# Eyes and mouth of a face at arm's length are 3-5 degrees apart, but on the screen a look at the
# mouth's corner already reads as looking past: half of it.
_WITHIN: Final = 0.045
# The caller's place in the picture moves the look by at most this.
_FOLLOW: Final = 0.22
_FOLLOW_SHARE: Final = 0.12  # a frame: smooth pursuit of a moving caller
# A new state is answered with the eyes after 40-160 ms.
_REACTION_FRAMES: Final = (1, 4)


def saccade_frames(size: float) -> int:
    """Return in how many frames the eyes cross ``size`` units (main sequence)."""
    return max(1, math.ceil((2.2 * DEGREES_PER_UNIT * size + 21) / _FRAME_MS))


class Gaze:
    """Where one face looks. ``rng`` is its own."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._state: State = "listening"
        self._center = (0.0, 0.0)  # of the caller
        self._offset = (0.0, 0.0)  # from there, where the eyes are
        self._from = (0.0, 0.0)
        self._to = (0.0, 0.0)
        self._moved, self._frames = 1, 1  # of the saccade
        self._wait = round(FPS * rng.uniform(0.5, 1.5))
        self.is_away = False

    @property
    def offset(self) -> tuple[float, float]:
        """How far from the caller it looks; what the head follows."""
        return self._offset

    def step(self, state: State, caller_x: float, caller_y: float) -> tuple[float, float]:
        """Return the next frame's look: x to the viewer's right, y down.

        Args:
            state: Sets how often and where it looks away.
            caller_x: Caller's place in the picture, -1..1, to the viewer's right.
            caller_y: The same, down.
        """
        if state != self._state:
            self._state = state
            self._wait = min(self._wait, self._rng.randint(*_REACTION_FRAMES))
        self._wait -= 1
        if self._wait <= 0:
            self._choose()
        if self._moved < self._frames:
            self._moved += 1
            done = self._moved / self._frames
            eased = done * done * (3 - 2 * done)
            self._offset = (
                self._from[0] + eased * (self._to[0] - self._from[0]),
                self._from[1] + eased * (self._to[1] - self._from[1]),
            )
        x, y = self._center
        x += _FOLLOW_SHARE * (_FOLLOW * min(1.0, max(-1.0, caller_x)) - x)
        y += _FOLLOW_SHARE * (_FOLLOW * min(1.0, max(-1.0, caller_y)) - y)
        self._center = (x, y)
        return x + self._offset[0], y + self._offset[1]

    def _choose(self) -> None:
        """Take the next thing to look at."""
        rng, state = self._rng, self._state
        was_away = self.is_away
        share = _AWAY_SHARE[state]
        if was_away and state != "thinking":
            share = 0.0  # after a look away, back to the caller
        self.is_away = rng.random() < share
        if self.is_away:
            target = self._aside()
            seconds = rng.uniform(*_AWAY_S[state])
        else:
            target = (rng.uniform(-_WITHIN, _WITHIN), rng.uniform(-0.3, 1.0) * _WITHIN)
            seconds = _STAY_S[state] * math.exp(rng.gauss(0.0, _SPREAD))
        self._wait = max(5, round(FPS * seconds))
        self._from, self._to = self._offset, target
        size = math.hypot(target[0] - self._offset[0], target[1] - self._offset[1])
        self._moved, self._frames = 0, saccade_frames(size)

    def _aside(self) -> tuple[float, float]:
        rng = self._rng
        side = -1.0 if rng.random() < 0.5 else 1.0
        if self._state == "thinking":
            return side * rng.uniform(0.26, 0.46), -rng.uniform(0.20, 0.40)
        return side * rng.uniform(0.14, 0.28), rng.uniform(-0.04, 0.14)
