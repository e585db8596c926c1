"""Readings made of samples and pictures whose times are known."""

import numpy as np

from rt_avatar.benchmarks.browser.readings import WINDOW_S, Floats, Pictures, Sound

RATE_HZ = 48_000
WINDOW = round(WINDOW_S * RATE_HZ)
PICTURE_S = 0.04


def heard(samples: Floats, begin_s: float = 0.0) -> Sound:
    """What the meter makes of samples, -1..1 at 48 kHz, the first of which is at that time."""
    rows = samples[: len(samples) // WINDOW * WINDOW].reshape(-1, WINDOW)
    at_s = begin_s + np.arange(len(rows)) * WINDOW_S
    return Sound(at_s, np.abs(rows).max(axis=1), np.sqrt(np.mean(rows**2, axis=1)))


def seen(mouth: Floats) -> Pictures:
    """Pictures 40 ms apart from 0 on, with the mouth so open."""
    index = np.arange(len(mouth), dtype=float)
    still = np.zeros(len(mouth))
    return Pictures(index * PICTURE_S, still, mouth, still, index * 3600, index + 1)


def speech(seconds: float, seed: int) -> Floats:
    """Something with the envelope of speech: syllables of noise, four a second, with pauses."""
    random = np.random.default_rng(seed)
    size = round(seconds * RATE_HZ)
    knots = np.arange(0, seconds + 0.1, 0.08)
    envelope = np.interp(
        np.arange(size) / RATE_HZ, knots, random.choice([0, 0.1, 0.5, 1], len(knots))
    )
    sound = 0.2 * envelope * random.normal(size=size)
    sound[:500] = sound[-500:] = 0.1  # begins and ends with voice
    return sound
