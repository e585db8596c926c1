"""What is computed beforehand changes nothing: folded equals plain."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from rt_avatar.engines.networks.pirender.blocks import AdaIN
from rt_avatar.engines.networks.pirender.config import OFFICIAL
from rt_avatar.engines.networks.pirender.folded import (
    FoldedGenerator,
    Modulation,
    PhaseConvolution,
    PortraitFold,
)
from rt_avatar.engines.networks.pirender.warping import base_grid, relative, sample_at, warp
from tests.engines.networks.pirender.networks import (
    FEWER,
    NARROW,
    SIZE,
    generator,
    motion,
    portrait,
)

pytestmark = pytest.mark.networks


@pytest.mark.parametrize(
    ("config", "size", "count"), [(NARROW, SIZE, 2), (FEWER, SIZE, 1), (OFFICIAL, 64, 1)]
)
def test_folded_equals_plain(config, size, count):
    net, source, windows = generator(config), portrait(count, size), motion(count)
    expected = net(source, windows)[2]
    got = FoldedGenerator(net, size)(source, *PortraitFold(net)(source), windows)
    torch.testing.assert_close(got, expected, atol=1e-4, rtol=0)


def test_a_folded_portrait_serves_all_its_frames():
    net, source = generator(), portrait()
    folded, fold = FoldedGenerator(net, SIZE), PortraitFold(net)(source)
    for _ in range(3):
        window = motion()
        expected = net(source, window)[2]
        torch.testing.assert_close(folded(source, *fold, window), expected, atol=1e-4, rtol=0)


def test_stacked_gains_are_those_of_each_norm():
    torch.manual_seed(0)
    norms = [AdaIN(channels, 6, 4).requires_grad_(False) for channels in (3, 8, 5)]
    z = torch.randn(2, 6)
    for norm, (gain, shift) in zip(norms, Modulation(norms)(z), strict=True):
        hidden = norm.mlp_shared(z)
        torch.testing.assert_close(gain[..., 0, 0], 1 + norm.mlp_gamma(hidden))
        torch.testing.assert_close(shift[..., 0, 0], norm.mlp_beta(hidden))


def test_four_phases_are_enlarging_and_convolving():
    plain = nn.Conv2d(5, 3, 3, padding=1).requires_grad_(False)
    x = torch.randn(2, 5, 7, 6)
    expected = plain(functional.interpolate(x, scale_factor=2.0, mode="nearest"))
    torch.testing.assert_close(PhaseConvolution(plain)(x), expected, atol=1e-5, rtol=0)


def test_a_constant_grid_is_the_literal_one():
    source, flow = portrait(2), 2 * torch.randn(2, 2, SIZE // 4, SIZE // 4)
    enlarge = {"size": (SIZE, SIZE), "mode": "bilinear", "align_corners": False}
    grid = functional.interpolate(base_grid(SIZE // 4, SIZE // 4), **enlarge)
    constant = sample_at(source, grid + functional.interpolate(relative(flow), **enlarge))
    torch.testing.assert_close(constant, warp(source, flow), atol=1e-5, rtol=0)


@pytest.mark.parametrize("size", [32, 100, 96 + 16])
def test_a_picture_that_cannot_be_halved_so_often_is_refused(size):
    with pytest.raises(ValueError, match=f"multiple of 32 pixels from 64 on; got {size}"):
        FoldedGenerator(generator(), size)


def test_dead_weights_are_left_out():
    names = [name for name, _ in FoldedGenerator(generator()).named_parameters()]
    assert not [name for name in names if "conv1" in name or "norm1" in name]
