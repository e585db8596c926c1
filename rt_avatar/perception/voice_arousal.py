"""Estimate arousal from prosody, relative to the caller's own baseline.

What is loud, high and fast for one is usual for another, so everything counts in the caller's own
spread around the caller's own median. Knows nothing of words, and not whether arousal is good.
"""

from math import log2, tanh
from typing import Final

from rt_avatar.engines.prosody import SILENCE_DB, WINDOW_SAMPLES, ProsodyFrame
from rt_avatar.engines.types import INPUT_RATE_HZ

_WINDOW_S: Final = WINDOW_SAMPLES / INPUT_RATE_HZ

_WARM_WINDOWS: Final = 32  # 1 s of vowels: so far the exact median, then steps towards it
_MEMORY_WINDOWS: Final = 1875  # 60 s of vowels: excitement lasts less, a voice's own level longer
_MAD_TO_SIGMA: Final = 1.4826  # of a normal distribution
_MEDIAN_STEP: Final = 1.25  # 1 / (2 × the normal density at its median), in sigmas
# Spread below which a difference is no sign of anything (a monotone voice would be excited by
# everything). Ordinary readers spread 2.8..3.6 semitones and 6..7 dB, so it seldom binds.
_PITCH_SPREAD: Final = 1.5
_LEVEL_SPREAD_DB: Final = 3.0
_RATE_SPREAD_HZ: Final = 1.0
_OUTLIER: Final = 2.0  # sigmas; beyond it are octave slips, knocks and the tails of vowels
_VOICE_S: Final = 1.2  # of vowels: neither a stressed word nor the low end of a sentence is a mood
_RATE_S: Final = 1.5  # about seven syllables
_NUCLEUS_DB: Final = 3.0  # dip between two vowels. De Jong & Wempe (2009) take 2 dB of smooth sound
# Loudness and pitch tell activation alike, tempo less surely (K. R. Scherer, "Vocal communication
# of emotion", Speech Communication 40 (2003)).
_PITCH_WEIGHT: Final = 0.4
_LEVEL_WEIGHT: Final = 0.4
_RATE_WEIGHT: Final = 0.2
_ACQUAINTED_S: Final = 3.0  # speech after which the voice's own level is known


class Baseline:
    """Running median and spread of one measure of one caller; forgets within a minute.

    Source: stochastic approximation of quantiles (H. Robbins, S. Monro, "A stochastic
    approximation method", Ann. Math. Statist. 22 (1951)) with steps of 1/n down to a constant.
    """

    def __init__(self, least_spread: float) -> None:
        self._least = least_spread
        self._first: list[float] = []
        self._n = 0
        self._median = 0.0
        self._mad = 0.0

    def deviation(self, value: float) -> float:
        """Learn a value; return how many sigmas it lies above the caller's own, -2 to 2."""
        self._learn(value)
        sigma = max(self._least, _MAD_TO_SIGMA * self._mad)
        return min(_OUTLIER, max(-_OUTLIER, (value - self._median) / sigma))

    def _learn(self, value: float) -> None:
        self._n += 1
        if self._n <= _WARM_WINDOWS:
            self._first.append(value)
            self._median = _median(self._first)
            self._mad = _median([abs(x - self._median) for x in self._first])
            return
        sigma = max(self._least, _MAD_TO_SIGMA * self._mad)
        step = _MEDIAN_STEP * sigma / min(self._n, _MEMORY_WINDOWS)
        away = abs(value - self._median)
        self._median += step if value > self._median else -step
        self._mad = max(0.0, self._mad + (step if away > self._mad else -step))


class VoiceArousal:
    """Windows of one caller's voice → how excited it is against itself."""

    def __init__(self) -> None:
        self.arousal = 0.0  # -1..1
        self.speech_s = 0.0
        self._pitch = Baseline(_PITCH_SPREAD)
        self._level = Baseline(_LEVEL_SPREAD_DB)
        self._tempo = Baseline(_RATE_SPREAD_HZ)
        self._rate_hz = 0.0
        self._smooth_db: float | None = None
        self._turn_db = (
            SILENCE_DB  # last extreme of the level: peak while it falls, valley while it rises
        )
        self._is_rising = True
        self._deviations = [0.0, 0.0, 0.0]  # pitch, level, tempo

    @property
    def confidence(self) -> float:
        """How well the voice is known, 0 to 1."""
        return min(1.0, (self.speech_s / _ACQUAINTED_S) ** 2)

    def push(self, frame: ProsodyFrame) -> None:
        """Take one window of the caller's speech."""
        self.speech_s += _WINDOW_S
        is_nucleus = self._find_nucleus(frame.energy_db)
        self._rate_hz += _WINDOW_S / _RATE_S * (is_nucleus / _WINDOW_S - self._rate_hz)
        if self.speech_s > 2 * _RATE_S:  # before, the rate has only begun to fill
            self._follow(2, self._tempo.deviation(self._rate_hz))
        if frame.f0_hz is not None:
            # Vowels only: how much hiss or closure is among the windows is no excitement.
            self._follow(0, self._pitch.deviation(12 * log2(frame.f0_hz)))
            self._follow(1, self._level.deviation(frame.energy_db))
        pitch, level, tempo = self._deviations
        self.arousal = tanh(_PITCH_WEIGHT * pitch + _LEVEL_WEIGHT * level + _RATE_WEIGHT * tempo)

    def _follow(self, at: int, deviation: float) -> None:
        self._deviations[at] += _WINDOW_S / _VOICE_S * (deviation - self._deviations[at])

    def _find_nucleus(self, energy_db: float) -> bool:
        """Tell whether a syllable's peak of energy has just passed."""
        before = energy_db if self._smooth_db is None else self._smooth_db
        level = self._smooth_db = 0.5 * (before + energy_db)
        if self._is_rising:
            self._turn_db = max(self._turn_db, level)
            if level < self._turn_db - _NUCLEUS_DB:
                self._is_rising, self._turn_db = False, level
                return True
        else:
            self._turn_db = min(self._turn_db, level)
            if level > self._turn_db + _NUCLEUS_DB:
                self._is_rising, self._turn_db = True, level
        return False


def _median(values: list[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else 0.5 * (ordered[half - 1] + ordered[half])
