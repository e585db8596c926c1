"""Coarticulation: how neighbouring sounds share the mouth (sounds + times → shapes of the mouth).

Every sound pulls each group of shapes to its target with a dominance that is full while it lasts
and falls off exponentially before and after it; the mouth is where the pulls balance. Lips round
long before a rounded vowel because that group falls off slowly and consonants hardly pull on it.

Everything here is a pure function of the sounds and the time, with a bounded reach: a frame depends
on nothing that begins or ended much more than the cuts below away from it.
That is why streaming and offline agree.

Source: M. Cohen, D. Massaro, "Modeling coarticulation in synthetic visual speech", 1993, eqs. 1-4;
the fall-off is counted from the sound's edges, so that long sounds reach their target.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.visemes import (
    DRIVEN,
    GROUP_OF,
    GROUPS,
    JAW_GROUP,
    PAUSE,
    STRESS_GAIN,
    visemes_of,
)
from rt_avatar.engines.types import FRAME_SAMPLES, SPEECH_RATE_HZ, Phoneme

_MS: Final = SPEECH_RATE_HZ // 1000  # samples
# Lips and jaw are seen about this long before they are heard (C. Chandrasekaran et al., "The
# natural statistics of audiovisual speech", PLoS Comput Biol 2009: 100-300 ms at phrase starts,
# a few tens inside them); viewers also accept early pictures far better than late ones.
LEAD_MS: Final = 40
# 1/e times of the dominance before and after a sound, by group. Rounding begins 80-120 ms early
# (F. Bell-Berti, K. Harris, "A temporal model of speech production", Phonetica 1981).
_AHEAD_MS: Final = np.array([35.0, 75.0, 60.0, 32.0, 22.0, 26.0])
_BEHIND_MS: Final = np.array([38.0, 48.0, 50.0, 34.0, 20.0, 24.0])
# Beyond these a sound has no influence at all. Ahead: what a chunk promises to know (200 ms after
# its end, so 220 ms after the middle of its last frame), less lead and smoothing.
_CUT_AHEAD_MS: Final = 140.0
_CUT_BEHIND_MS: Final = 220.0
# Pull of the resting mouth: small against any sound, all that is left after the last.
_REST_PULL: Final = 0.06
# The jaw's inertia: raw positions at -20, 0, +20 ms are averaged so. Without it the jaw jerks at
# every consonant.
_SMOOTHING: Final = np.array([0.25, 0.5, 0.25])
_STEP: Final = 20 * _MS
_OPENING_GROUPS: Final = [list(GROUPS).index(name) for name in ("jaw", "part")]

# Lips meet a little before a stop is heard to close, and part for its burst.
_GATE_LEAD: Final = 15 * _MS
_BURST_SHARE: Final = 0.3  # of a stop: burst and breath after the closure
_RELEASE: Final = 20 * _MS
# Time in which the lips close and open: peak lip speeds of 150-200 mm/s over gaps of 8-10 mm
# (A. Löfqvist, V. Gracco, "Lip and jaw kinematics in bilabial stop consonants", JSLHR 1997).
_GATE_RAMP: Final = {"lips": 60 * _MS, "pout": 110 * _MS, "teeth": 80 * _MS}
_STOPS: Final = frozenset("pbɓʙ")
# Before lips close, the jaw does not open yet for the vowel behind them: what is left of its pull.
_BEHIND_LIPS: Final = 0.12

_E_AHEAD: Final = np.exp(-_CUT_AHEAD_MS / _AHEAD_MS)
_E_BEHIND: Final = np.exp(-_CUT_BEHIND_MS / _BEHIND_MS)


def _fall_off(
    distance_ms: NDArray[np.float64], time_ms: NDArray[np.float64], floor: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Exponential from 1 at distance 0 to exactly 0 at the cut: (U, P) → (U, P, groups)."""
    raw = np.exp(-distance_ms[:, :, None] / time_ms)
    fallen: NDArray[np.float64] = np.maximum(0.0, (raw - floor) / (1.0 - floor))
    return fallen


class Score:
    """The sounds around one chunk as arrays, ready to be asked where the mouth is.

    Args:
        phonemes: Sounds, earliest first; times as in ``Phoneme``.
    """

    def __init__(self, phonemes: Sequence[Phoneme]) -> None:
        starts: list[float] = []
        ends: list[float] = []
        pulls: list[NDArray[np.float64]] = []
        targets: list[NDArray[np.float64]] = []
        self._gates: dict[str, list[tuple[float, float]]] = {"lips": [], "teeth": []}
        is_sound: list[bool] = []
        blocks: list[float] = []
        block = -math.inf
        for phoneme in phonemes:
            at, length = float(phoneme.start), float(max(0, phoneme.end - phoneme.start))
            blocks += [block] * len(visemes_of(phoneme.ipa))
            stress = STRESS_GAIN[min(2, max(0, phoneme.stress))]
            for viseme, share in visemes_of(phoneme.ipa):
                starts.append(at)
                at += share * length
                ends.append(at)
                pulls.append(viseme.dominance)
                targets.append(viseme.target * stress if viseme.is_vowel else viseme.target)
                is_sound.append(viseme is not PAUSE)
                if viseme.gate != "none":
                    self._gates[viseme.gate].append(_closure(phoneme))
                if viseme.gate == "lips":
                    block = float(phoneme.start)
        self._starts, self._ends, self._blocks = map(np.array, (starts, ends, blocks))
        self._pulls = np.array(pulls).reshape(-1, len(GROUPS))
        self._targets = np.array(targets).reshape(-1, len(DRIVEN))
        self._is_sound = np.array(is_sound, np.bool_)

    def mouth(self, times: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where the mouth is at some times, before any gate.

        Args:
            times: (T,) samples, evenly spaced by one video frame.

        Returns:
            (T, C) weights of the ``DRIVEN`` shapes, and (T,) how much it talks, 0 (rests) to 1.
        """
        count = len(times)
        if not len(self._starts):
            return np.zeros((count, len(DRIVEN))), np.zeros(count)
        # One grid of half frames serves the smoothing of all frames.
        first = int(times[0]) + LEAD_MS * _MS - _STEP
        grid = (first + _STEP * np.arange(2 * count + 1)).astype(np.float64)[:, None]
        ahead = np.maximum(0.0, self._starts - grid) / _MS
        behind = np.maximum(0.0, grid - self._ends) / _MS
        pull = _fall_off(ahead, _AHEAD_MS, _E_AHEAD) * _fall_off(behind, _BEHIND_MS, _E_BEHIND)
        pull *= self._pulls
        pull[:, :, _OPENING_GROUPS] *= np.where(grid < self._blocks, _BEHIND_LIPS, 1.0)[:, :, None]
        total = pull.sum(axis=1) + _REST_PULL  # (U, groups)
        share = pull / total[:, None, :]
        raw = np.einsum("upc,pc->uc", share[:, :, GROUP_OF], self._targets)
        talks = share[:, self._is_sound, JAW_GROUP].sum(axis=1)
        return _smooth(raw), _smooth(talks)

    def gate(self, kind: str, times: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how far a gate is shut in each frame, 0 to 1.

        However short the sound, the frame that holds the middle of its closure is 1: a missed
        bilabial is the first thing that viewers notice.

        Args:
            kind: "lips" (both lips meet), "pout" (rounded lips draw in before they meet: slower)
                or "teeth" (lower lip meets upper teeth).
            times: (T,) middles of the frames, in samples.
        """
        windows = self._gates["lips" if kind == "pout" else kind]
        if not windows:
            return np.zeros(len(times))
        spans = np.array(windows)  # (W, 2)
        at = times.astype(np.float64)[:, None]
        distance = np.maximum(0.0, np.maximum(spans[:, 0] - at, at - spans[:, 1]))
        shut = np.maximum(0.0, 1.0 - distance / _GATE_RAMP[kind])
        half = FRAME_SAMPLES / 2
        middle = spans.mean(axis=1)
        shut[(middle >= at - half) & (middle < at + half)] = 1.0
        gate: NDArray[np.float64] = shut.max(axis=1)
        return gate


def _smooth(raw: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2T + 1, ...) at half frames → (T, ...) at frames."""
    before, here, after = _SMOOTHING
    smoothed: NDArray[np.float64] = before * raw[:-2:2] + here * raw[1:-1:2] + after * raw[2::2]
    return smoothed


def _closure(phoneme: Phoneme) -> tuple[float, float]:
    """First and last sample at which the lips are shut for a labial sound."""
    length = max(0, phoneme.end - phoneme.start)
    opens_early = _BURST_SHARE * length if phoneme.ipa[:1] in _STOPS else float(_RELEASE)
    first = float(phoneme.start - _GATE_LEAD)
    return first, max(first, phoneme.end - opens_early)
