"""What is encoded while an utterance grows is what is encoded of the whole."""

import numpy as np
import pytest

from tests.engines.empatheia.torch.made import picture, sound

pytestmark = pytest.mark.networks

PICTURES = [picture(seed) for seed in range(3)]


@pytest.mark.parametrize("bins", ["history_bins", "query_bins"])
def test_bit_by_bit_gives_the_same_vectors_as_at_once(engines, bins):
    count, pcm = getattr(engines.manifest, bins), sound(4.5)
    utterance_encoder = engines.utterance_encoder()
    for end in (3_000, 36_000, 50_001, len(pcm)):
        utterance_encoder.take(pcm[:end], PICTURES[: end // 20_000])
        utterance_encoder.vectors(
            count, is_over=end == 50_001
        )  # a preemptive reply, which was dropped
    made = utterance_encoder.vectors(count)
    speech_encoders, vision_encoders = (
        engines.speech_encoders[count].open(),
        engines.vision_encoders[count].open(),
    )
    speech_encoders.push(pcm)
    for each in PICTURES:
        vision_encoders.push(each)
    (heard,), (seen,) = speech_encoders.flush(), vision_encoders.flush()
    assert np.array_equal(made["speech"], heard)
    assert np.array_equal(made["video"], seen)
