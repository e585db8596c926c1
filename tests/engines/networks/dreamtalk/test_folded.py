"""What is computed beforehand changes nothing: folded equals plain."""

from dataclasses import replace

import pytest
import torch

from rt_avatar.engines.networks.dreamtalk.config import NANO, OFFICIAL
from rt_avatar.engines.networks.dreamtalk.folded import (
    ContentFold,
    FoldedDenoiser,
    StyleFold,
)
from tests.engines.networks.dreamtalk.networks import NARROW, network

pytestmark = pytest.mark.networks


@pytest.mark.parametrize(
    "config",
    [NARROW, replace(NARROW, layers=1), replace(NARROW, layers=3, window=5), NANO, OFFICIAL],
)
def test_folded_equals_plain(config):
    plain = network(config).net
    audio = torch.randn(4, config.window, config.audio_size)
    style = torch.randn(4, config.model_size)
    x = torch.randn(4, config.expression_size)
    folded = FoldedDenoiser(plain)
    content, (state, query) = ContentFold(plain)(audio), StyleFold(plain)(style)
    for step, row in zip((901, 1), folded.time_table((901, 1)), strict=True):
        expected = plain(
            x[:, None],
            plain.content_encoder(audio[:, None]),
            style,
            plain.time_table((step,))[0],
        )[:, 0]
        assert expected.std() > 0.1
        got = folded(x, content, state, query, row)
        torch.testing.assert_close(got, expected, atol=1e-5, rtol=0)
