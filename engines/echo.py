"""Whether the microphone hears the avatar itself: near and far sound → 0..1 for every 32 ms.

Browsers cancel most of the loudspeaker's echo, but what they leave still sounds like speech. That
rest is the avatar's sound through an unknown filter, delayed by an unknown time, and mangled, so
phases tell nothing; its loudness in bands still rises and falls with the avatar's. The detector
learns the delay from that and, for every band, how loud the echo gets; a window is echo as far as
its bands are no louder than that. A caller who speaks over the echo is louder in most bands.

It does not cancel anything and decides nothing.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

WINDOW_SAMPLES: Final = 512  # the voice activity's window

_HOP: Final = 256  # step of the far side's history: the delay is known to 16 ms
_DELAYS: Final = 38  # up to 592 ms: playout buffer, loudspeaker, room, microphone, uplink
_BANDS: Final = 18
_LOW_HZ: Final = 150.0  # loudspeakers of laptops and phones give little below
_HIGH_HZ: Final = 6500.0
_FLOOR_DB: Final = -75.0  # band level that counts as nothing (full-scale sine: about 0)
_FAR_RANGE_DB: Final = 35.0  # bands this much below the loudest of late are pauses
_RELEASE_DB: Final = 1.6  # a hop; 60 dB in 0.6 s: the room's reverberation holds the echo up
_MEMORY: Final = 0.98  # a window of the averages: 1.6 s
_GAIN_FIRST_DB: Final = 12.0  # the median's first step; the n-th is this / n …
_GAIN_LAST_DB: Final = 0.4  # … but never less, so that a turned volume knob is followed in 1-2 s
_NOISE_RISE_DB: Final = 0.1  # a window: 3 dB a second
_NOISE_MARGIN_DB: Final = 6.0  # a window of steady noise is seldom this much above its minimum
_PEAK_FALL_DB: Final = 0.1
# After so much silence the history has fallen to its floor: from 0 dB, and along all delays.
_STILL_WINDOWS: Final = math.ceil((-_FLOOR_DB / _RELEASE_DB + _DELAYS) / 2)
# A band this much above its usual echo is somebody else; usual echo scatters by about 5 dB.
_FIT_DB: Final = 6.0
_FIT_WIDTH_DB: Final = 1.5
# Correlation from which a delay is believed, and fully believed. With these, over real speech in 12
# simulated rooms, 98 % of echo (after its first half second) scores 0.5 or more; of a caller
# 10 dB louder than the echo 94 % scores less, and of one with headphones all.
_MATCH_LOW: Final = 0.3
_MATCH_HIGH: Final = 0.5
# After n windows chance alone correlates by about n ** -0.5: so much more is asked for at first.
_CHANCE: Final = math.sqrt(1 - _MEMORY)  # what remains of that once the averages are full
_FULL_SCALE: Final = float(np.hanning(WINDOW_SAMPLES).sum() / 2) ** 2  # power of a sine of 1.0
_FLOAT: Final = np.dtype(np.float32)

# Before it has heard so much of the avatar nothing is learnt; what is quieter than the avatar's own
# sound of late is then taken for its echo. A caller with headphones is louder (about -25 dBFS) or
# waits a second, once a call; a caller with loudspeakers would else stop the greeting by its echo.
_WARMUP_WINDOWS: Final = 32
_WARMUP_MARGIN_DB: Final = 6.0
_WARMUP_LEVEL_DB: Final = -70.0  # quieter than that nobody is heard at all
_UNPROVEN: Final = 0.6


def _level_db(pcm: Pcm) -> float:
    return 10 * math.log10(float(pcm @ pcm) / len(pcm) + 1e-10)


def _make_bands() -> NDArray[np.float32]:
    """Return (257, 18) triangular weights, evenly spaced in mel."""
    low, high = (2595 * math.log10(1 + hz / 700) for hz in (_LOW_HZ, _HIGH_HZ))
    edges = 700 * (10 ** (np.linspace(low, high, _BANDS + 2) / 2595) - 1)
    bins = np.arange(WINDOW_SAMPLES // 2 + 1) * INPUT_RATE_HZ / WINDOW_SAMPLES
    rise = (bins[:, None] - edges[None, :-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[None, 2:] - bins[:, None]) / (edges[2:] - edges[1:-1])
    weights: NDArray[np.float32] = np.maximum(0.0, np.minimum(rise, fall)).astype(np.float32)
    return weights


class EchoDetector:
    """One caller's detector. One thread at a time; the same chunks give the same answers."""

    def __init__(self) -> None:
        self._taper = np.hanning(WINDOW_SAMPLES).astype(np.float32)
        self._weights = _make_bands()
        self.reset()

    def reset(self) -> None:
        """Forget the sound and what was learnt of the room."""
        self._near: Pcm = np.zeros(0, np.float32)
        self._far: Pcm = np.zeros(_HOP, np.float32)
        # Newest first: row d is the far side d hops before the microphone's window.
        self._history = np.full((_DELAYS, _BANDS), _FLOOR_DB, np.float32)
        self._peak = _FLOOR_DB
        self._loudest_db = -100.0
        self._far_windows = 0
        self._still_windows = _STILL_WINDOWS
        self._count = 0.0
        self._noise = np.full(_BANDS, -20.0, np.float32)
        self._near_mean = np.full(_BANDS, _FLOOR_DB, np.float32)
        self._far_mean = np.full(_BANDS, _FLOOR_DB, np.float32)
        self._cross = np.zeros(_DELAYS, np.float32)
        self._far_power = np.zeros(_DELAYS, np.float32)
        self._near_power = 0.0
        self._answer = 0.0  # of the last window in which anything was heard
        self._gain = np.zeros((_DELAYS, _BANDS), np.float32)
        self._seen = np.zeros((_DELAYS, _BANDS), np.float32)

    def push(self, near: Pcm, far: Pcm) -> list[float]:
        """Take what the microphone heard and what was played meanwhile, equally long, at 16 kHz.

        Returns:
            For every whole window of the microphone, 0 (not the avatar) to 1 (all of it may be).

        Raises:
            ValueError: The two differ in length or are not float32 samples.
        """
        if near.shape != far.shape or near.ndim != 1 or {near.dtype, far.dtype} != {_FLOAT}:
            raise ValueError(
                "echo: expected near and far as float32 samples of one length; got "
                f"{near.dtype} {near.shape} and {far.dtype} {far.shape}"
            )
        self._near = np.concatenate((self._near, near))
        self._far = np.concatenate((self._far, far))
        answers = []
        start = 0
        while len(self._near) - start >= WINDOW_SAMPLES:
            # The far side keeps one hop of the past in front, for the window between two.
            played = self._far[start : start + _HOP + WINDOW_SAMPLES]
            answers.append(self._compare(self._near[start : start + WINDOW_SAMPLES], played))
            start += WINDOW_SAMPLES
        self._near = self._near[start:].copy()
        self._far = self._far[start:].copy()
        return answers

    def _levels(self, window: Pcm) -> NDArray[np.float32]:
        """Return the (18,) band levels of (512,) samples in dB."""
        spectrum = np.fft.rfft(window * self._taper)
        power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32) / _FULL_SCALE
        levels: NDArray[np.float32] = 10 * np.log10(power @ self._weights + 10 ** (_FLOOR_DB / 10))
        return levels

    def _compare(self, window: Pcm, played: Pcm) -> float:
        """Compare one (512,) window with the far history, after adding (768,) samples to it."""
        # Long silence of the far side changes nothing but the memory of its peak.
        self._still_windows = 0 if played.any() else self._still_windows + 1
        is_still = self._still_windows > _STILL_WINDOWS
        if is_still:
            self._peak = max(_FLOOR_DB, self._peak - 2 * _PEAK_FALL_DB)
        for hop in () if is_still else (0, _HOP):
            levels = self._levels(played[hop : hop + WINDOW_SAMPLES])
            self._peak = max(self._peak - _PEAK_FALL_DB, float(levels.max()))
            self._history[1:] = self._history[:-1].copy()
            self._history[0] = np.maximum(levels, self._history[1] - _RELEASE_DB)
        far = self._history
        floor = max(_FLOOR_DB + _NOISE_MARGIN_DB, self._peak - _FAR_RANGE_DB)
        is_active = far > floor
        near = self._levels(window)
        self._noise = np.minimum(near, self._noise + _NOISE_RISE_DB)
        if not is_active.any():
            return 0.0
        return max(self._match(near, far, floor, is_active), self._presume(window, played))

    def _presume(self, window: Pcm, played: Pcm) -> float:
        """Return what loudness alone says while too little of the avatar was heard."""
        self._far_windows += 1
        self._loudest_db = max(self._loudest_db - _PEAK_FALL_DB, _level_db(played))
        is_quieter = _WARMUP_LEVEL_DB < _level_db(window) < self._loudest_db - _WARMUP_MARGIN_DB
        return _UNPROVEN if is_quieter and self._far_windows <= _WARMUP_WINDOWS else 0.0

    def _match(
        self,
        near: NDArray[np.float32],
        far: NDArray[np.float32],
        floor: float,
        is_active: NDArray[np.bool_],
    ) -> float:
        """Return what the learnt delay and gains say."""
        audible = np.maximum(near, self._noise + _NOISE_MARGIN_DB)
        match = self._correlate(audible, np.maximum(far, floor))
        delay = int(np.argmax(match))
        above = np.maximum(0, near - self._noise - _NOISE_MARGIN_DB)
        excess = near - (far[delay] + self._gain[delay])
        self._learn(near - far, is_active)
        total = float(above.sum())
        if total <= 0:
            # Nothing is heard, but voice activity still echoes the last sound: so does this.
            return self._answer
        fits = 1 / (1 + np.exp(np.clip((excess - _FIT_DB) / _FIT_WIDTH_DB, -30, 30)))
        chance = max(0.0, 1 / math.sqrt(self._count) - _CHANCE)
        trust = (float(match[delay]) - chance - _MATCH_LOW) / (_MATCH_HIGH - _MATCH_LOW)
        share = float(above @ fits) / total
        self._answer = share * min(1.0, max(0.0, trust))
        return self._answer

    def _correlate(
        self, near: NDArray[np.float32], far: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return how well each of the (38,) delays explains the rise and fall of the bands."""
        self._count = _MEMORY * self._count + 1
        self._near_mean += (near - self._near_mean) / self._count
        self._far_mean += (far[0] - self._far_mean) / self._count
        a = near - self._near_mean
        b = far - self._far_mean
        self._cross = _MEMORY * self._cross + b @ a
        self._far_power = _MEMORY * self._far_power + (b * b).sum(axis=1)
        self._near_power = _MEMORY * self._near_power + float(a @ a)
        match: NDArray[np.float32] = self._cross / np.sqrt(
            self._far_power * self._near_power + 1e-3
        )
        return match

    def _learn(self, difference: NDArray[np.float32], is_active: NDArray[np.bool_]) -> None:
        """Move every band's gain by a small step towards what it is now: that finds the median.

        A median, because a caller who speaks over the avatar lifts some windows, not most.
        """
        self._seen += is_active
        step = np.maximum(_GAIN_LAST_DB, _GAIN_FIRST_DB / np.maximum(self._seen, 1))
        move = np.clip(difference - self._gain, -step, step)
        first = (self._seen == 1) & is_active
        self._gain += np.where(first, difference, move) * is_active
