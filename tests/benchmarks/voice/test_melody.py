"""Melody: two sounds of the same words are laid on each other, and their pitch is compared."""

import numpy as np
import pytest

from rt_avatar.benchmarks.voice.melody import Melody, trace_pitch, warp
from rt_avatar.engines.styletts2.spectrum import HOP, log_mel

pytestmark = pytest.mark.unit

RATE_HZ = 24_000
VOWELS = ((300, 2300), (700, 1200), (400, 800), (600, 1800))  # formants
NOTES = (0, 5, -3, 2)  # semitones


def sing(seconds: tuple[float, ...], spread: float = 1.0, hz: float = 150.0) -> np.ndarray:
    """Four vowels, each on its own note; ``spread`` scales the tune."""
    parts = []
    phase = 0.0
    for length, formants, note in zip(seconds, VOWELS, NOTES, strict=True):
        f0 = hz * 2 ** (spread * note / 12)
        phases = phase + 2 * np.pi * f0 * np.arange(round(length * RATE_HZ)) / RATE_HZ
        phase = phases[-1]
        gains = {
            k: sum(np.exp(-(((k * f0 - one) / 200) ** 2)) for one in formants) + 0.02
            for k in range(1, 20)
        }
        parts.append(sum(gain * np.sin(k * phases) for k, gain in gains.items()))
    sound = np.concatenate(parts)
    silence = np.zeros(RATE_HZ // 5)
    return np.concatenate([silence, 0.1 * sound / np.abs(sound).max(), silence]).astype(np.float32)


def test_frames_of_the_same_vowel_belong_together_at_any_pace():
    slow, fast = (0.3, 0.6, 0.3, 0.6), (0.3, 0.3, 0.3, 0.3)
    first, second = warp(log_mel(sing(slow)), log_mel(sing(fast)))
    assert (np.diff(first) >= 0).all()
    assert (np.diff(second) >= 0).all()
    edges = [np.cumsum((0.2, *lengths)) * RATE_HZ / HOP for lengths in (slow, fast)]
    vowels = [
        np.searchsorted(edge, frames) for edge, frames in zip(edges, (first, second), strict=True)
    ]
    assert np.mean(vowels[0] == vowels[1]) > 0.93


def test_the_same_tune_agrees_a_flatter_one_and_another_one_are_told():
    lengths, others = (0.3, 0.5, 0.4, 0.5), (0.4, 0.4, 0.3, 0.6)
    melody = Melody()
    melody.add(sing(lengths, hz=160.0), sing(others))
    figures = melody.figures()
    assert figures["pitch_r"] > 0.95
    assert figures["voicing_error"] < 0.1
    flatter = Melody()
    flatter.add(sing(lengths, spread=0.5, hz=160.0), sing(lengths))
    assert flatter.figures()["deviation"] == pytest.approx(0.5, abs=0.06)
    against = Melody()
    against.add(sing(lengths, spread=-1.0), sing(others))
    assert against.figures()["pitch_r"] < 0.5


def test_pitch_has_a_value_for_every_mel_frame_and_none_in_silence():
    sound = sing((0.3, 0.3, 0.3, 0.3))
    pitch = trace_pitch(sound)
    assert len(pitch) == log_mel(sound).shape[1]
    assert np.isnan(pitch[:10]).all()
    assert np.nanmedian(pitch) == pytest.approx(12 * np.log2(150 * 2 ** (1 / 12)), abs=1.5)


def test_sounds_without_voice_are_left_out():
    melody = Melody()
    noise = 0.01 * np.random.default_rng(1).standard_normal(RATE_HZ).astype(np.float32)
    melody.add(noise, noise)
    assert not melody.correlations
