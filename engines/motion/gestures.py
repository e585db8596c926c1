"""Gestures of speech: small nods and raised brows that follow stress and phrases.

``Phoneme``s + times → pitch, yaw, roll and brows. Heads move with prominent syllables and sink at
the end of a phrase. Like the mouth, all this is a pure function of sounds and time with a bounded
reach; what looks like chance (how large a nod is, whether brows go along) is drawn from the time
of the sound itself, so the same speech always moves alike.

Sources: K. Munhall et al., "Visual prosody and speech intelligibility", Psych. Science 15 (2004);
H. Graf et al., "Visual prosody: facial movements accompanying speech", FG 2002 (nods of 2-4 degrees
on accents); M. Swerts, E. Krahmer, "Facial expression and prosodic prominence", J. Phonetics 2008.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.visemes import visemes_of
from rt_avatar.engines.types import SPEECH_RATE_HZ, Phoneme

_MS: Final = SPEECH_RATE_HZ // 1000
_NOD_RAD: Final = 0.045  # 2.6 degrees at most (Graf)
# Most nods are small and few are large: spread evenly, half as many again pass 1 degree.
_NOD_LEAST: Final = 0.2
_NOD_SKEW: Final = 4
_NOD_LIMIT_RAD: Final = 0.06  # nods of quick accents do not pile up
_NOD_RISE_MS, _NOD_FALL_MS = 150.0, 260.0
_NOD_PEAK_MS: Final = 60.0  # after the vowel's onset: the beat falls into the vowel
_BROW: Final = 0.30
_BROW_SHARE: Final = 0.4  # of accents; brows that jump at every one look nervous
_SINK_RAD: Final = 0.03  # 1.7 degrees
_SINK_BEFORE_MS: Final = 120.0
# The head comes back slowly: when it did in 420 ms, 34 nods a minute passed 1 degree; a tracked
# reader nods 14 times, and this makes 21 (``rt-avatar bench motion``, validation).
_SINK_AFTER_MS: Final = 1600.0
# A phrase has ended when nothing begins for this long.
_PHRASE_GAP_MS: Final = 80.0
# Slow drift: sums of two sines whose periods share no beat. (amplitude rad, period s, phase)
_DRIFT: Final = (
    ((0.010, 3.7, 0.4), (0.006, 2.3, 2.1)),  # pitch
    ((0.024, 4.9, 1.3), (0.014, 2.9, 4.0)),  # yaw
    ((0.014, 5.3, 2.6), (0.008, 3.1, 0.9)),  # roll
)


def _chance(sample: int, salt: int) -> float:
    """A number 0..1 that looks random but belongs to a moment (Knuth's multiplicative hash)."""
    mixed = (sample * 2654435761 + salt * 40503) & 0xFFFFFFFF
    mixed ^= mixed >> 15
    return (mixed * 2246822519 & 0xFFFFFFFF) / 0xFFFFFFFF


def _pulse(
    times: NDArray[np.float64], peak: float, rise_ms: float, fall_ms: float
) -> NDArray[np.float64]:
    """Raised cosine from 0 over 1 at ``peak`` to 0."""
    offset = (times - peak) / _MS
    phase = np.where(offset < 0, offset / rise_ms, offset / fall_ms)
    bell: NDArray[np.float64] = 0.5 + 0.5 * np.cos(np.pi * np.clip(phase, -1.0, 1.0))
    return bell


def phrase_ends(phonemes: Sequence[Phoneme]) -> list[int]:
    """Return the ends (samples) of sounds after which nothing sounds for a while."""
    sounds = sorted((p for p in phonemes if p.ipa.strip()), key=lambda p: p.start)
    ends = []
    for index, sound in enumerate(sounds):
        following = sounds[index + 1].start if index + 1 < len(sounds) else None
        if following is None or following - sound.end >= _PHRASE_GAP_MS * _MS:
            ends.append(sound.end)
    return ends


def beats(
    phonemes: Sequence[Phoneme], known_until: int, times: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return nods and brows that follow the accents.

    Args:
        phonemes: The sounds known.
        known_until: Sample before which every sound's beginning is known; the last sound ends a
            phrase only if enough silence after it is certain.
        times: (T,) samples.

    Returns:
        (T,) pitch in radians (+: chin down) and (T,) raise of the brows, 0..1.
    """
    at = times.astype(np.float64)
    pitch, brows = np.zeros(len(at)), np.zeros(len(at))
    for phoneme in phonemes:
        if phoneme.stress < 2 or not visemes_of(phoneme.ipa)[0][0].is_vowel:
            continue
        peak = phoneme.start + _NOD_PEAK_MS * _MS
        chance = _chance(phoneme.start, 1)
        nod = _NOD_LEAST + (1 - _NOD_LEAST) * chance**_NOD_SKEW
        pitch += _NOD_RAD * nod * _pulse(at, peak, _NOD_RISE_MS, _NOD_FALL_MS)
        if _chance(phoneme.start, 2) < _BROW_SHARE:
            raised = 0.35 + 0.65 * chance
            brows += _BROW * raised * _pulse(at, peak, _NOD_RISE_MS, _NOD_FALL_MS * 1.3)
    pitch = _NOD_LIMIT_RAD * np.tanh(pitch / _NOD_LIMIT_RAD)
    for end in phrase_ends(phonemes):
        if end + _PHRASE_GAP_MS * _MS <= known_until:
            pitch += _SINK_RAD * _pulse(at, end + 60 * _MS, _SINK_BEFORE_MS + 60, _SINK_AFTER_MS)
    return pitch, np.minimum(brows, 1.0)


def drift(times: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the slow drift of a speaking head: (T, 3) pitch, yaw, roll in radians."""
    seconds = times / SPEECH_RATE_HZ
    columns = [
        sum(size * np.sin(math.tau * seconds / period + phase) for size, period, phase in sines)
        for sines in _DRIFT
    ]
    return np.stack(columns, axis=1)
