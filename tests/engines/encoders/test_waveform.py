"""Sound before its encoder: zero mean, unit variance, clear refusals."""

import numpy as np
import pytest

from rt_avatar.engines.encoders.waveform import LONGEST_S, features_of, normalise

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("gain", [0.05, 1.0])
def test_loudness_and_offset_are_taken_out(gain):
    pcm = (gain * np.random.default_rng(1).normal(0.3, 0.1, 8000)).astype(np.float32)
    got = normalise(pcm)
    assert got.dtype == np.float32
    assert abs(got.mean()) < 1e-4
    assert got.std() == pytest.approx(1.0, abs=1e-2)


def test_silence_stays_finite():
    assert not normalise(np.zeros(1000, np.float32)).any()


def test_the_newest_part_of_a_long_utterance_is_kept():
    pcm = np.random.default_rng(2).normal(0, 0.1, 40 * 16_000).astype(np.float32)
    got = normalise(pcm)
    assert len(got) == LONGEST_S * 16_000
    np.testing.assert_allclose(got, normalise(pcm[-len(got) :]))


@pytest.mark.parametrize(
    ("pcm", "message"),
    [(np.zeros((2, 8000)), r"\(2, 8000\)"), (np.zeros(399), "got 399"),
     (np.full(800, np.nan), "NaN")],
)  # fmt: skip
def test_what_cannot_be_encoded_is_refused(pcm, message):
    with pytest.raises(ValueError, match=message):
        normalise(pcm.astype(np.float32))


def test_features_are_counted_as_the_convolutions_count():
    def convolved(samples):
        for kernel, stride in zip((10, 3, 3, 3, 3, 2, 2), (5, 2, 2, 2, 2, 2, 2), strict=True):
            samples = (samples - kernel) // stride + 1
        return max(samples, 0)

    assert [features_of(n) for n in range(350, 3000)] == [convolved(n) for n in range(350, 3000)]
