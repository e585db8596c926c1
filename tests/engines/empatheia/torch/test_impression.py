"""What is encoded while an utterance grows is what is encoded of the whole."""

import numpy as np
import pytest

from tests.engines.empatheia.torch.made import picture, sound

pytestmark = pytest.mark.networks

PICTURES = [picture(seed) for seed in range(3)]


@pytest.mark.parametrize("bins", ["history_bins", "query_bins"])
def test_bit_by_bit_gives_the_same_vectors_as_at_once(engines, bins):
    count, pcm = getattr(engines.profile, bins), sound(4.5)
    impression = engines.impression()
    for end in (3_000, 36_000, 50_001, len(pcm)):
        impression.take(pcm[:end], PICTURES[: end // 20_000])
        impression.vectors(count, is_over=end == 50_001)  # a draft, which was dropped
    made = impression.vectors(count)
    hearing, sight = engines.hearing[count].open(), engines.sight[count].open()
    hearing.push(pcm)
    for each in PICTURES:
        sight.push(each)
    (heard,), (seen,) = hearing.flush(), sight.flush()
    assert np.array_equal(made["speech"], heard)
    assert np.array_equal(made["video"], seen)
