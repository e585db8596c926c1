"""Styles of a recorded voice and face, of whatever length."""

import numpy as np
import pytest

from tests.engines.empatheia.torch.made import sound

pytestmark = pytest.mark.networks


def test_the_style_of_a_longer_clip_is_that_of_its_first_ten_seconds(engines):
    voice = sound(1.0, 5, 24_000)
    style_clip = np.random.default_rng(0).normal(0, 0.3, (300, 64)).astype(np.float32)
    face = engines.referred_to(voice, style_clip).face
    assert np.array_equal(face, engines.referred_to(voice, style_clip[:256]).face)
    assert not np.allclose(face, engines.referred_to(voice, style_clip[:100]).face, atol=1e-3)


@pytest.mark.parametrize("wrong", [np.zeros((0, 64)), np.zeros((5, 73)), np.full((5, 64), np.nan)])
def test_what_shows_no_style_is_refused(engines, wrong):
    with pytest.raises(ValueError, match="style: expected"):
        engines.referred_to(sound(1.0, 5, 24_000), wrong)
