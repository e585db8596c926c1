"""What is computed beforehand changes nothing: folded equals plain."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from engines.dreamtalk.schedule import FEW_STEPS, Schedule, sample
from engines.networks.dreamtalk.config import NANO, OFFICIAL
from engines.networks.dreamtalk.folded import (
    ContentFold,
    FoldedDenoiser,
    FoldedSampler,
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


def test_all_steps_in_one_graph_equal_the_loop_outside():
    plain = network().net
    folded, schedule = FoldedDenoiser(plain), Schedule.of(FEW_STEPS[5])
    content = ContentFold(plain)(torch.randn(3, NARROW.window, NARROW.audio_size))
    state, query = StyleFold(plain)(torch.randn(3, NARROW.model_size))
    noise, times = torch.randn(3, 64), folded.time_table(schedule.steps)

    def denoise(x, index):
        return folded(torch.from_numpy(x), content, state, query, times[index]).numpy()

    expected = sample(denoise, noise.numpy(), schedule)
    got = FoldedSampler(folded, schedule)(noise, content, state, query)
    np.testing.assert_allclose(got.numpy(), expected, atol=1e-5)
