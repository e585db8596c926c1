"""Nano's source: all harmonics of a voice, and noise, as spectra of frames."""

import numpy as np
import pytest

from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.styletts2.pulses import TOP_HZ, PulseSpectra, pulse_train
from rt_avatar.engines.styletts2.recipe import SourceRecipe
from rt_avatar.engines.styletts2.source import SamplePhases

pytestmark = pytest.mark.unit

BINS = 601


def curve(frames):
    f0 = 170 + 50 * np.sin(np.arange(frames) / 9)
    return np.where(np.arange(frames) % 23 < 17, f0, 0.0).astype(np.float32)


@pytest.mark.parametrize("hz", [80.0, 123.4, 400.0])
def test_a_train_of_pulses_has_every_harmonic_at_unit_power(hz):
    cycles = hz * np.arange(24_000) / 24_000
    count = int(TOP_HZ // hz)
    tones = np.cos(2 * np.pi * np.outer(cycles, np.arange(1, count + 1))).sum(axis=1)
    highest = (TOP_HZ / hz - count) * np.cos(2 * np.pi * (count + 1) * cycles)
    got = pulse_train(cycles, np.full(24_000, hz, np.float32))
    np.testing.assert_allclose(got, (tones + highest) * np.sqrt(2 * hz / TOP_HZ), atol=1e-6)
    assert np.mean(got**2) == pytest.approx(1.0, rel=0.02)


def test_a_frame_is_the_windowed_sound_around_its_middle():
    f0 = curve(60)
    track = SamplePhases(SourceRecipe(harmonics=1))
    (cycles, hz), (rest, rest_hz) = track.push(f0), track.flush()
    cycles, hz = np.concatenate([cycles, rest])[:, 0], np.concatenate([hz, rest_hz])
    sound = np.where(hz > 10, pulse_train(cycles, hz), 0)
    noise = keyed_noise(4, 0, 18_000, 1)[:, 0]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(1200) / 1200)
    whole = PulseSpectra(f0, 1200, seed=4)(0, 60)
    assert whole.shape == (1, 60, 4 * BINS)
    for frame in (0, 1, 30, 59):
        at = slice(300 * frame, 300 * frame + 1200)
        pulses, hiss = (np.fft.rfft(np.pad(s, 450)[at] * window) for s in (sound, noise))
        wanted = np.concatenate([pulses.real, pulses.imag, hiss.real, hiss.imag])
        np.testing.assert_allclose(whole[0, frame], wanted, rtol=1e-4, atol=2e-3)


@pytest.mark.parametrize("size", [1, 7, 16])
def test_any_pieces_are_those_of_the_whole(size):
    f0 = curve(50)
    whole = PulseSpectra(f0, 1200)(0, 50)
    source = PulseSpectra(f0, 1200)
    pieces = [source(first, min(50, first + size)) for first in range(0, 50, size)]
    np.testing.assert_array_equal(np.concatenate(pieces, axis=1), whole)


def test_without_voice_there_are_no_pulses_and_always_noise():
    spectra = PulseSpectra(np.zeros(40, np.float32), 1200)(0, 40)
    assert not spectra[..., : 2 * BINS].any()
    power = (spectra[0, 5:35, 2 * BINS :] ** 2).sum(axis=1).mean() / BINS
    assert power == pytest.approx(450, rel=0.05)  # of a squared Hann window, unit noise
