"""DDIM's tables are those of the paper, and sampling with them is DDIM."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.schedule import (
    FEW_STEPS,
    Schedule,
    alpha_bars,
    sample,
    spaced_steps,
)

pytestmark = pytest.mark.unit

STEPS = (901, 801, 701, 601, 501, 401, 301, 201, 101, 1)
ROOT = (
    0.016439,
    0.038827,
    0.082875,
    0.159898,
    0.278920,
    0.439968,
    0.627703,
    0.810152,
    0.946119,
    0.999950,
)
REST = (
    0.999865,
    0.999246,
    0.996560,
    0.987134,
    0.960314,
    0.898013,
    0.778453,
    0.586219,
    0.323819,
    0.010001,
)


def test_ten_steps_and_their_coefficients_are_the_published_ones():
    assert spaced_steps(10) == STEPS
    bars = alpha_bars()[list(STEPS)]
    # The published tables were summed in 32 bits: 1e-6 of it is theirs.
    np.testing.assert_allclose(np.sqrt(bars), ROOT, atol=2e-6)
    np.testing.assert_allclose(np.sqrt(1 - bars), REST, atol=2e-6)
    assert alpha_bars()[0] == 1


@pytest.mark.parametrize("count", [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100])
def test_counts_that_space_evenly_are_taken(count):
    assert len(spaced_steps(count)) == count


@pytest.mark.parametrize("count", [-1, 0, 3, 7, 30, 1001])
def test_counts_that_do_not_are_refused(count):
    with pytest.raises(ValueError, match=f"got {count}"):
        spaced_steps(count)


def test_few_steps_begin_where_ten_do():
    """Evenly spaced they would begin at 1, 501 or 751, where pure noise is not expected."""
    assert FEW_STEPS == {
        5: (901, 701, 501, 251, 1),
        3: (901, 501, 101),
        2: (901, 301),
        1: (901,),
    }
    for count, steps in FEW_STEPS.items():
        assert len(Schedule.of(steps).keep) == count
    assert spaced_steps(1) == (1,)


def test_one_step_gives_the_guess_itself_whatever_the_noise():
    noise = np.random.default_rng(0).standard_normal((2, 64)).astype(np.float32)
    guess = np.ones((2, 64), np.float32)
    assert np.array_equal(sample(lambda x, index: guess, noise, Schedule.of(FEW_STEPS[1])), guess)


@pytest.mark.parametrize("steps", [(), (1, 901), (901, 901), (1001, 1), (5, 0)])
def test_lists_that_do_not_descend_within_the_training_are_refused(steps):
    with pytest.raises(ValueError, match="strictly descending"):
        Schedule.of(steps)


@pytest.mark.parametrize("steps", [STEPS, *FEW_STEPS.values()])
def test_an_update_is_ddims(steps):
    """Against the paper's form: noise inferred, face and noise mixed anew."""
    dice = np.random.default_rng(0)
    noise = dice.standard_normal((2, 3, 64)).astype(np.float32)
    target = dice.standard_normal((2, 3, 64)).astype(np.float32)

    def guess(x, index):
        return (target + 0.1 * np.sin(x + index)).astype(np.float32)

    bars, x = alpha_bars(), noise.astype(np.float64)
    for index, (step, following) in enumerate(zip(steps, (*steps[1:], 0), strict=True)):
        clean = guess(x.astype(np.float32), index)
        inferred = (x - np.sqrt(bars[step]) * clean) / np.sqrt(1 - bars[step])
        x = np.sqrt(bars[following]) * clean + np.sqrt(1 - bars[following]) * inferred
    np.testing.assert_allclose(sample(guess, noise, Schedule.of(steps)), x, atol=1e-5)


def test_guidance_of_one_asks_only_once_and_equals_guidance_towards_itself():
    noise = np.random.default_rng(1).standard_normal((1, 2, 64)).astype(np.float32)
    asked = []

    def guess(x, index):
        asked.append(len(x))
        return np.tanh(x) / (1 + index)

    schedule = Schedule.of(FEW_STEPS[3])
    once = sample(guess, noise, schedule)
    assert asked == [1, 1, 1]
    np.testing.assert_allclose(sample(guess, noise, schedule, 2.0), once, atol=1e-6)
    assert asked[3:] == [2, 2, 2]


def test_guidance_goes_beyond_the_null_style():
    noise = np.zeros((1, 1, 64), np.float32)

    def guess(x, index):
        styled, null = np.full_like(x[:1], 3), np.full_like(x[:1], 1)
        return np.concatenate((styled, null))

    for guidance, expected in ((2.0, 5), (0.5, 2), (0.0, 1), (-1.0, -1)):  # 1 + s * (3 - 1)
        assert sample(guess, noise, Schedule.of((1,)), guidance)[0, 0, 0] == expected
