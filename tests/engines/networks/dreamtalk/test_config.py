"""Sizes of DreamTalk: the official channels, NANO's budget, and contradictions that are refused."""

from dataclasses import replace

import pytest
import torch

from rt_avatar.engines.networks.dreamtalk.config import NANO, OFFICIAL
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.types import ARKIT, EXPRESSION_SIZE

pytestmark = pytest.mark.networks


def test_gather_puts_the_official_channels_where_the_scatter_did():
    expected = torch.zeros(EXPRESSION_SIZE, dtype=torch.long)
    upper = [6, 8, *range(15, 64)]
    lower = [0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14]
    expected[upper] = torch.arange(51)
    expected[lower] = torch.arange(51, 64)
    assert OFFICIAL.channel_order == tuple(expected.tolist())


def test_nano_has_less_than_5m_parameters_and_a_lower_face_that_speaks():
    with torch.device("meta"):
        parameters = sum(p.numel() for p in DreamTalk(NANO).parameters())
    assert parameters < 5_000_000
    lower = {ARKIT[channel] for channel in NANO.lower_channels}
    assert {"jawOpen", "mouthClose", "tongueOut"} <= lower
    assert "browInnerUp" not in lower


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"heads": 5}, "model_size"),
        ({"window": 10}, "odd window"),
        ({"lower_channels": (1, 1)}, "lower_channels"),
        ({"lower_channels": (64,)}, "lower_channels"),
    ],
)
def test_contradictions_are_refused(change, named):
    with pytest.raises(ValueError, match=named):
        replace(NANO, **change)
