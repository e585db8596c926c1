"""CLIP's tower: the published class's pooled vector, each picture for itself."""

import pytest
import torch

from tests.engines.networks.encoders.tiny import VISION, vision

pytestmark = pytest.mark.networks


def test_it_says_what_transformers_says():
    encoder, pictures = vision(), torch.randn(3, 3, VISION.size, VISION.size)
    with torch.no_grad():
        wanted = encoder.clip(pictures).pooler_output
        got = encoder(pictures)
    assert got.shape == (3, VISION.width)
    torch.testing.assert_close(got, wanted, atol=1e-6, rtol=0)


def test_pictures_do_not_see_each_other():
    encoder, pictures = vision(), torch.randn(3, 3, VISION.size, VISION.size)
    with torch.no_grad():
        together, alone = encoder(pictures), encoder(pictures[1:2])
    torch.testing.assert_close(together[1:2], alone, atol=1e-5, rtol=0)
