"""Parts of an utterance are equal to the fraction; a missing modality is masked, not learned."""

import pytest
import torch

from rt_avatar.engines.networks.encoders.projection import Projection, bin_shares

pytestmark = pytest.mark.networks


@pytest.mark.parametrize("frames", [1, 5, 23, 24, 25, 249])
@pytest.mark.parametrize("bins", [1, 24])
def test_parts_share_every_feature_out_equally(frames, bins):
    shares = bin_shares(torch.ones(1, frames), bins)[0]
    torch.testing.assert_close(shares.sum(1), torch.ones(bins))
    torch.testing.assert_close(shares.sum(0), torch.full((frames,), bins / frames))
    middles = (shares * torch.arange(frames)).sum(1)
    assert (middles.diff() > -1e-4).all()  # in the order of time


def test_where_parts_are_whole_they_are_plain_means():
    features = torch.randn(1, 48, 6)
    projection = Projection(6, 4)
    got, mask = projection(features, torch.ones(1, 48), 24)
    wanted = projection.linear(features.unflatten(1, (24, 2)).mean(2))
    torch.testing.assert_close(got, wanted)
    assert mask.shape == (1, 24)
    assert mask.all()


@pytest.mark.parametrize("bins", [1, 24])
def test_padding_changes_nothing(bins):
    projection, features = Projection(6, 4), torch.randn(2, 31, 6)
    mask = torch.ones(2, 31)
    mask[1, 17:] = 0
    features[1, 17:] = 1e3
    together, _ = projection(features, mask, bins)
    alone, _ = projection(features[1:, :17], torch.ones(1, 17), bins)
    torch.testing.assert_close(together[1:], alone, atol=1e-5, rtol=1e-5)


def test_a_missing_modality_is_masked_and_finite():
    projection, features = Projection(6, 4), torch.randn(2, 9, 6)
    mask = torch.stack([torch.ones(9), torch.zeros(9)])
    got, there = projection(features, mask, 24)
    assert there.tolist() == [[1.0] * 24, [0.0] * 24]
    assert got.isfinite().all()
    torch.testing.assert_close(got[1], projection.linear.bias.expand(24, -1))
