"""Posture: breath, sway, shifts of weight, and nods (pitch, yaw, roll and shifts a frame).

Sources: G. Benchetrit, "Breathing pattern in humans: diversity and individuality", Respir. Physiol.
122 (2000) (breath at rest: 12-16 a minute, about two fifths of it inward); U. Hadar et al., "Head
movement during listening turns in conversation", Language and Speech 28 (1985) (nods of a few
degrees at about 2 Hz). Amounts were then chosen by eye.
"""

import math
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import FPS

_FRAME_S: Final = 1.0 / FPS
Pose = NDArray[np.float64]  # (5,) pitch, yaw, roll in radians; shift x, shift y in head units

# --- breath ------------------------------------------------------------------------------------
_BREATHS_PER_S: Final = 14 / 60
_INHALE: Final = 0.4
_LIFT: Final = 0.011  # head units: 1.6 px at 512, just seen
_LIFT_PITCH: Final = 0.006
# --- sway --------------------------------------------------------------------------------------
# (amplitude, periods s) of pitch, yaw, roll, shift x; the periods share no beat.
_SWAY: Final = (
    (0.011, (7.3, 4.1)),
    (0.020, (9.7, 5.3)),
    (0.012, (11.9, 6.1)),
    (0.006, (13.1, 7.9)),
)
_SHIFT_EVERY_S: Final = (6.0, 15.0)
_SHIFT_REACH: Final = (0.02, 0.05, 0.035, 0.012)  # pitch, yaw, roll, shift x
_SHIFT_SHARE: Final = 0.06  # a frame: a new posture is taken in about a second
# --- nods --------------------------------------------------------------------------------------
_NOD_RAD: Final = (0.075, 0.11)  # 4-6 degrees
_NOD_HZ: Final = (1.6, 2.1)
_NOD_DAMP: Final = 0.5  # the second is half as large
_NOD_WAIT_FRAMES: Final = (0, 1)  # a reaction of 40-80 ms; a third frame would be late
_NOD_REST_S: Final = 1.4


class Breath:
    """Breathing. ``phase`` 0..1 from the start of an inhalation."""

    def __init__(self, rng: Random) -> None:
        self._phase = rng.random()

    def step(self, arousal: float) -> float:
        """Return how far the chest is lifted, 0..1; ``arousal`` -1..1 quickens it."""
        pace = 1.0 + 0.2 * arousal
        self._phase = (self._phase + _BREATHS_PER_S * pace * _FRAME_S) % 1.0
        if self._phase < _INHALE:
            return 0.5 - 0.5 * math.cos(math.pi * self._phase / _INHALE)
        return 0.5 + 0.5 * math.cos(math.pi * (self._phase - _INHALE) / (1 - _INHALE))


class Sway:
    """A body that never stands still: slow sway around a posture that shifts now and then."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._frame = 0
        self._phases = [(rng.uniform(0, math.tau), rng.uniform(0, math.tau)) for _ in _SWAY]
        self._posture = [0.0] * len(_SWAY)
        self._goal = [0.0] * len(_SWAY)
        self._speed = [0.0] * len(_SWAY)
        self._wait = round(FPS * rng.uniform(3.0, 8.0))

    def step(self) -> tuple[float, float, float, float]:
        """Return pitch, yaw, roll (radians) and shift x (head units)."""
        rng = self._rng
        self._frame += 1
        self._wait -= 1
        if self._wait <= 0:
            self._wait = round(FPS * rng.uniform(*_SHIFT_EVERY_S))
            self._goal = [rng.uniform(-reach, reach) for reach in _SHIFT_REACH]
        now = self._frame * _FRAME_S
        out = []
        for row, (size, periods) in enumerate(_SWAY):
            # Two lags in a row, so that a shift also begins softly.
            self._speed[row] += _SHIFT_SHARE * (self._goal[row] - self._speed[row])
            self._posture[row] += _SHIFT_SHARE * (self._speed[row] - self._posture[row])
            wave = sum(
                math.sin(math.tau * now / period + phase)
                for period, phase in zip(periods, self._phases[row], strict=True)
            )
            out.append(self._posture[row] + 0.5 * size * wave)
        return out[0], out[1], out[2], out[3]


class Nodder:
    """Nods at the caller's pauses: "I follow you"."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._age = -1.0  # seconds since the nod began; below 0 it waits or there is none
        self._rest = 0
        self._size, self._hz, self._count = 0.0, 2.0, 0

    def step(self, is_asked: bool) -> float:
        """Return the nod's pitch in radians (+: chin down); ``is_asked`` begins one.

        The nod begins at most 80 ms after it was asked for; while one runs, and for a moment after
        it began, no other does.
        """
        rng = self._rng
        self._rest -= 1
        if is_asked and self._rest <= 0:
            self._rest = round(_NOD_REST_S * FPS)
            self._age = -_FRAME_S * rng.randint(*_NOD_WAIT_FRAMES)
            self._size, self._hz = rng.uniform(*_NOD_RAD), rng.uniform(*_NOD_HZ)
            self._count = 1 if rng.random() < 0.45 else 2
        if not self._count:
            return 0.0
        self._age += _FRAME_S
        cycles = self._age * self._hz
        if cycles >= self._count:
            self._count = 0
            return 0.0
        damped = self._size * _NOD_DAMP ** math.floor(max(0.0, cycles))
        return damped * (0.5 - 0.5 * math.cos(math.tau * max(0.0, cycles)))


class Posture:
    """All that moves a silent head, put together.

    Args:
        rng: Its own.
        sways: Whether it sways by itself; False: a recording does, and it breathes and nods.
    """

    def __init__(self, rng: Random, *, sways: bool = True) -> None:
        self._breath = Breath(rng)
        self._sway = Sway(rng) if sways else None
        self._nodder = Nodder(rng)

    def step(self, is_nod_asked: bool, arousal: float) -> Pose:
        """Return the next frame's pose, (5,)."""
        lift = self._breath.step(arousal)
        pitch, yaw, roll, shift = self._sway.step() if self._sway else (0.0, 0.0, 0.0, 0.0)
        nod = self._nodder.step(is_nod_asked)
        return np.array([pitch - _LIFT_PITCH * lift + nod, yaw, roll, shift, _LIFT * (0.5 - lift)])
