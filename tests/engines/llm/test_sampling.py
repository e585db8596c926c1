"""Tokens are chosen as the options say, never one that is banned."""

import numpy as np
import pytest

from rt_avatar.engines.llm.sampling import Sampler, SamplingOptions

pytestmark = pytest.mark.unit

LOGITS = np.log(np.array([0.5, 0.3, 0.15, 0.05], np.float32))


def drawn(options, banned=(), count=2000):
    sampler = Sampler(options, banned)
    return np.bincount([sampler.pick(LOGITS) for _ in range(count)], minlength=4) / count


def test_without_temperature_it_is_the_likeliest():
    assert drawn(SamplingOptions(), count=5).tolist() == [1, 0, 0, 0]
    assert drawn(SamplingOptions(), banned=(0, 1), count=5).tolist() == [0, 0, 1, 0]


def test_draws_follow_the_probabilities():
    got = drawn(SamplingOptions(temperature=1.0, top_p=1.0))
    np.testing.assert_allclose(got, [0.5, 0.3, 0.15, 0.05], atol=0.04)


def test_only_the_likeliest_are_drawn():
    assert drawn(SamplingOptions(temperature=1.0, top_p=0.79))[2:].tolist() == [0, 0]
    assert drawn(SamplingOptions(temperature=1.0, top_p=0.4))[0] == 1
    assert drawn(SamplingOptions(temperature=2.0, top_p=1.0), banned=(1,))[1] == 0


def test_a_seed_repeats_itself():
    first, second, other = (
        [Sampler(SamplingOptions(1.0, 1.0, seed)).pick(LOGITS) for _ in range(1)]
        + [s.pick(LOGITS) for s in [Sampler(SamplingOptions(1.0, 1.0, seed))] for _ in range(40)]
        for seed in (3, 3, 4)
    )
    assert first == second
    assert first != other


def test_broken_numbers_are_refused():
    with pytest.raises(ValueError, match="finite logits"):
        Sampler(SamplingOptions()).pick(np.array([0.0, np.nan], np.float32))
    with pytest.raises(ValueError, match="top_p above 0"):
        SamplingOptions(top_p=0.0)
