"""The harmonic source: the reference's phases, without its growing numbers and its chance."""

import numpy as np
import pytest

from rt_avatar.engines.styletts2.recipe import SourceRecipe
from rt_avatar.engines.styletts2.source import HarmonicSource, PhaseTrack

pytestmark = pytest.mark.unit

RECIPE = SourceRecipe()
SILENT = SourceRecipe(voiced_noise=0.0, unvoiced_noise=0.0)


def curve(frames, seed=0):
    """An F0 with voiced and unvoiced stretches."""
    rng = np.random.default_rng(seed)
    f0 = 180 + 40 * np.sin(np.arange(frames) / 9) + rng.normal(0, 2, frames)
    return np.where(np.arange(frames) % 23 < 17, f0, 0.0).astype(np.float32)


def upstream(f0):
    """The reference's way, in double precision: down-sample, accumulate, up-sample, sine."""
    harmonics = np.arange(1, 10)
    frames, samples = len(f0), 300 * len(f0)
    rad = np.repeat(np.outer(f0.astype(np.float64), harmonics) / 24000 % 1, 300, axis=0)
    rad[0] += np.random.default_rng(5).random(9)  # its random initial phase, which has no effect
    centre = (np.arange(frames) + 0.5) * 300 - 0.5
    left = np.floor(centre).astype(int)
    down = rad[left] + (rad[left + 1] - rad[left]) * (centre - left)[:, None]
    phase = np.cumsum(down, axis=0) * 2 * np.pi * 300
    at = np.clip((np.arange(samples) + 0.5) / 300 - 0.5, 0, frames - 1)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, frames - 1)
    up = phase[low] + (phase[high] - phase[low]) * (at - low)[:, None]
    voiced = np.repeat(f0 > 10, 300)[:, None]
    return 0.1 * np.sin(up) * voiced


def sound(f0, recipe=RECIPE, weight=None, chunks=(7,)):
    source = HarmonicSource(np.ones(9, np.float32) if weight is None else weight, 0.0, recipe, 3)
    pieces, at, turn = [], 0, 0
    while at < len(f0):
        pieces.append(source.push(f0[at : at + chunks[turn % len(chunks)]]))
        at += chunks[turn % len(chunks)]
        turn += 1
    return np.concatenate([*pieces, source.flush()])


@pytest.mark.parametrize("harmonic", [0, 4, 8])
def test_every_harmonic_has_the_phase_of_the_reference(harmonic):
    f0 = curve(160)
    weight = np.eye(9, dtype=np.float32)[harmonic]
    got = sound(f0, SILENT, weight)
    assert got.shape == (160 * 300,)
    np.testing.assert_allclose(got, np.tanh(upstream(f0)[:, harmonic]), atol=2e-6)


def test_unvoiced_frames_below_zero_turn_the_phase_as_the_reference_s_do():
    """A network's F0 is about 0 without voice, on either side of it; what is voiced goes on."""
    f0 = curve(120)
    f0[f0 == 0] = -np.random.default_rng(1).random(int((f0 == 0).sum())).astype(np.float32)
    for harmonic in (0, 8):
        got = sound(f0, SILENT, np.eye(9, dtype=np.float32)[harmonic])
        np.testing.assert_allclose(got, np.tanh(upstream(f0)[:, harmonic]), atol=2e-6)


def test_the_nine_sines_are_summed_with_their_weights_and_bias_and_bent_by_tanh():
    f0, rng = curve(40), np.random.default_rng(2)
    weight, bias = rng.normal(0, 3, 9).astype(np.float32), 0.4
    source = HarmonicSource(weight, bias, SILENT)
    got = np.concatenate([source.push(f0), source.flush()])
    np.testing.assert_allclose(got, np.tanh(upstream(f0) @ weight + bias), atol=5e-6)
    assert np.abs(got).max() > 0.7  # where tanh bends
    assert RECIPE.harmonics == 9


@pytest.mark.parametrize("frames", [1, 2])
def test_one_frame_is_a_sentence_too(frames):
    f0 = np.full(frames, 200.0, np.float32)
    got = sound(f0, SILENT, np.eye(9, dtype=np.float32)[0])
    assert got.shape == (300 * frames,)
    np.testing.assert_allclose(got, np.tanh(upstream(f0)[:, 0]), atol=2e-6)


@pytest.mark.parametrize("chunks", [(1,), (2, 5), (160,), (3, 0, 40)], ids=str)
def test_any_chunks_give_the_same_samples(chunks):
    f0 = curve(160)
    assert np.array_equal(sound(f0, chunks=chunks), sound(f0, chunks=(16,)))


def test_it_is_late_by_half_a_frame_until_it_is_flushed():
    source = HarmonicSource(np.ones(9, np.float32), 0.0)
    assert len(source.push(curve(10))) == 10 * 300 - 150
    assert len(source.push(curve(0))) == 0
    assert len(source.flush()) == 150
    assert len(source.flush()) == 0


def test_after_a_reset_it_is_a_fresh_one():
    source, f0 = HarmonicSource(np.ones(9, np.float32), 0.0), curve(20)
    first = source.push(f0)
    source.reset()
    assert np.array_equal(source.push(f0), first)


def test_phases_stay_within_a_cycle_and_exact_after_half_an_hour():
    track = PhaseTrack(RECIPE)
    frames = 30 * 60 * 80
    cycles, _ = track.push(np.full(frames, 100.1, np.float32))
    assert cycles.min() >= 0
    assert cycles.max() < 1
    # 100.1 Hz, as fp32 has it: an exact fraction of a cycle a frame, summed without rounding.
    exact = int(np.float32(100.1) * 2**20) * frames * 9 % (80 * 2**20) / (80 * 2**20)
    apart = abs(cycles[-1, 8] - exact)
    assert min(apart, 1 - apart) < 1e-6


def test_a_frame_is_voiced_above_ten_hertz():
    assert not sound(np.full(5, 10.0, np.float32), SILENT).any()
    assert sound(np.full(5, 10.01, np.float32), SILENT).any()


def test_noise_is_louder_without_voice_and_never_missing():
    weight = np.eye(9, dtype=np.float32)[8]
    quiet = sound(np.zeros(400, np.float32), weight=weight)
    assert np.std(quiet) == pytest.approx(0.1 / 3, rel=0.02)
    voiced = np.full(400, 100.0, np.float32)
    rest = np.arctanh(sound(voiced, weight=weight)) - np.arctanh(sound(voiced, SILENT, weight))
    assert np.std(rest) == pytest.approx(0.003, rel=0.02)


def test_a_mix_of_another_size_is_refused():
    with pytest.raises(ValueError, match="expected 9 weights, one a harmonic, got 8"):
        HarmonicSource(np.ones(8, np.float32), 0.0)
