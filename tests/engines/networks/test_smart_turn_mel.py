"""smart-turn's view of the sound, against the library that its network was trained with."""

import numpy as np
import pytest
from transformers import WhisperFeatureExtractor

from rt_avatar.engines.smart_turn import SAMPLES, log_mel

pytestmark = pytest.mark.networks


@pytest.mark.parametrize("samples", [9_600, SAMPLES, SAMPLES + 5_000])
def test_the_last_eight_seconds_are_seen_as_the_library_sees_them(samples):
    dice = np.random.default_rng(samples)
    pcm = (dice.normal(0, 0.1, samples) * np.sin(np.arange(samples) / 4000)).astype(np.float32)
    last = np.pad(pcm, (max(0, SAMPLES - samples), 0))[-SAMPLES:]
    extractor = WhisperFeatureExtractor(chunk_length=8)
    wanted = extractor(last, sampling_rate=16_000, do_normalize=True, return_tensors="np")
    np.testing.assert_allclose(log_mel(pcm), wanted.input_features[0], rtol=0, atol=2e-4)
