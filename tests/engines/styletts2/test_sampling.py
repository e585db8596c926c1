"""The sampler's numbers are the published ones, and it does what its equations say."""

import itertools

import numpy as np
import pytest

from rt_avatar.engines.styletts2.sampling import noise_levels, precondition, sample, split_step

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("steps", "levels"),
    [
        (3, (3, 0.0703622, 1e-4)),
        (5, (3, 0.557915, 0.0703622, 0.00475782, 1e-4)),
        (10, (3, 1.47621, 0.683625, 0.294573, 0.11636, 0.041299, 0.012808, 0.00333311,
              0.000684108, 1e-4)),
    ],
)  # fmt: skip
def test_noise_levels_are_the_published_ones(steps, levels):
    assert noise_levels(steps) == pytest.approx(levels, rel=1e-5)


def test_the_steps_of_five_levels_are_the_published_ones():
    levels = noise_levels(5)
    published = [
        (0.548182, 0.103756, 1.55188),
        (0.0698004, 0.00887384, 0.283394),
        (0.00474693, 3.21718e-4, 0.035342),
        (9.99779e-5, 2.10181e-6, 0.00237996),
    ]
    for sigma, following, wanted in zip(levels, levels[1:], published, strict=False):
        up, down, mid = split_step(sigma, following)
        assert (up, down, mid) == pytest.approx(wanted, rel=1e-4)
        assert down == pytest.approx(following**2 / sigma)


def noise(count, seed=0):
    return list(np.random.default_rng(seed).standard_normal((count, 1, 1, 256)).astype(np.float32))


@pytest.mark.parametrize("steps", [2, 3, 5, 10])
def test_n_levels_make_n_minus_one_steps_of_two_evaluations(steps):
    seen = []

    def denoise(x, sigma):
        seen.append(sigma)
        return np.zeros_like(x)

    sample(denoise, noise(steps), noise_levels(steps))
    levels = noise_levels(steps)
    wanted = []
    for sigma, following in itertools.pairwise(levels):
        wanted += [sigma, split_step(sigma, following)[2]]
    assert seen == pytest.approx(wanted)
    assert len(seen) == 2 * (steps - 1)


def test_each_step_is_the_midpoint_rule_and_fresh_noise():
    levels, eps = noise_levels(5), noise(5)

    def denoise(x, sigma):
        return np.tanh(x) / (1 + sigma)

    x = 3.0 * eps[0].astype(np.float64)
    for i in range(4):
        sigma, nxt = levels[i], levels[i + 1]
        up = np.sqrt(nxt**2 * (sigma**2 - nxt**2) / sigma**2)
        down = np.sqrt(nxt**2 - up**2)
        mid = (sigma + down) / 2
        d = (x - denoise(x, sigma)) / sigma
        middle = x + d * (mid - sigma)
        d = (middle - denoise(middle, mid)) / mid
        x = x + d * (down - sigma) + eps[i + 1] * up
    np.testing.assert_allclose(sample(denoise, eps, levels), x, rtol=1e-4, atol=1e-5)


def test_a_perfect_denoiser_of_normal_styles_gives_their_spread():
    """With styles of standard deviation s, the best D is x s² / (s² + sigma²)."""
    spread = 0.2
    found = [
        sample(
            lambda x, sigma: (x * spread**2 / (spread**2 + sigma**2)).astype(np.float32),
            noise(20, seed),
            noise_levels(20),
        )
        for seed in range(20)
    ]
    assert np.std(found) == pytest.approx(spread, rel=0.1)


def test_preconditioning_scales_and_tells_a_quarter_of_the_log_of_sigma():
    seen = {}

    def network(x, time):
        seen["x"], seen["time"] = x, time
        return np.full_like(x, 2.0)

    x, sigma, data = noise(1)[0], 0.7, 0.45731624995853165
    got = precondition(network, data)(x, sigma)
    total = sigma**2 + data**2
    np.testing.assert_allclose(seen["x"], x / np.sqrt(total), rtol=1e-6)
    np.testing.assert_allclose(seen["time"], [np.log(sigma) / 4], rtol=1e-6)
    wanted = data**2 / total * x + sigma * data / np.sqrt(total) * 2.0
    np.testing.assert_allclose(got, wanted, rtol=1e-5)
    large = precondition(lambda x, time: 100 * x, data)(x, sigma)
    assert np.abs(large).max() > 50  # nothing is clamped


def test_the_same_noise_gives_the_same_style():
    def denoise(x, sigma):
        return (0.5 * x).astype(np.float32)

    first = sample(denoise, noise(5), noise_levels(5))
    assert np.array_equal(first, sample(denoise, noise(5), noise_levels(5)))


def test_too_few_levels_or_noises_are_told():
    with pytest.raises(ValueError, match="at least 2 noise levels, got 1"):
        noise_levels(1)
    with pytest.raises(ValueError, match="expected 5 arrays, one a level, got 4"):
        sample(lambda x, sigma: x, noise(4), noise_levels(5))
