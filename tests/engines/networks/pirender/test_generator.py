"""The published renderer with its quirks: a grid that is off, weights that are dead."""

import pytest
import torch
from torch.nn import functional

from rt_avatar.engines.networks.pirender.blocks import AdaIN, LayerNorm2d
from rt_avatar.engines.networks.pirender.config import MappingConfig
from rt_avatar.engines.networks.pirender.warping import warp
from tests.engines.networks.pirender.networks import SIZE, generator, motion, portrait

pytestmark = pytest.mark.networks


def test_outputs_have_the_published_sizes():
    flow, moved, frame = generator()(portrait(2), motion(2))
    assert flow.shape == (2, 2, SIZE // 4, SIZE // 4)
    assert moved.shape == frame.shape == (2, 3, SIZE, SIZE)
    assert frame.abs().max() <= 1
    assert frame.std() > 0.05


def test_a_batch_is_its_frames():
    net, source, windows = generator(), portrait(2), motion(2)
    together = net(source, windows)[2]
    for row in range(2):
        alone = net(source[row : row + 1], windows[row : row + 1])[2]
        torch.testing.assert_close(together[row : row + 1], alone, atol=1e-5, rtol=0)


def test_dead_weights_move_nothing():
    net, source, window = generator(), portrait(), motion()
    before = net(source, window)
    for name, parameter in net.named_parameters():
        if ".conv1." in name or ".norm1." in name:
            parameter.fill_(torch.nan)
    for got, expected in zip(net(source, window), before, strict=True):
        assert torch.equal(got, expected)


def test_every_other_convolution_moves_the_frame():
    net, source, window = generator(), portrait(), motion()
    kernels = {
        name: parameter.requires_grad_(True)
        for name, parameter in net.named_parameters()
        if parameter.dim() > 2 and parameter.shape[-1] > 1 and ".conv1." not in name
    }
    net(source, window)[2].square().mean().backward()
    assert not [name for name, kernel in kernels.items() if not kernel.grad.abs().sum() > 0]
    assert len(kernels) == 36 + 6  # convolutions and transposed ones; six more are dead


def test_too_many_layers_for_a_window_are_refused():
    with pytest.raises(ValueError, match="got 27"):
        MappingConfig(layers=4)


def test_layer_norm_is_that_over_channels_and_places():
    norm = LayerNorm2d(5)
    norm.weight.data, norm.bias.data = torch.randn(2, 5, 1, 1)
    x = torch.randn(2, 5, 6, 7) * 3 + 1
    shape = x.shape[1:]
    expected = functional.layer_norm(x, shape, norm.weight.expand(shape), norm.bias.expand(shape))
    torch.testing.assert_close(norm(x), expected, atol=1e-5, rtol=0)


def test_adain_of_zero_weights_is_the_instance_norm():
    norm = AdaIN(4, 3, 2)
    for parameter in norm.parameters():
        parameter.data.zero_()
    x = torch.randn(2, 4, 5, 5) * 2 + 3
    variance, mean = torch.var_mean(x, (2, 3), correction=0, keepdim=True)
    expected = (x - mean) / (variance + 1e-5).sqrt()
    torch.testing.assert_close(norm(x, torch.randn(2, 3)), expected, atol=1e-5, rtol=0)


def test_a_flow_of_zero_enlarges_and_darkens_the_border_as_trained():
    """Sampled at 256 / 63 * i - 0.5 for place i of the flow; mending it would break the weights."""
    picture = torch.ones(1, 3, 256, 256)
    picture[:, 0] = torch.arange(256.0)
    picture[:, 1] = torch.arange(256.0)[:, None]
    moved = warp(picture, torch.zeros(1, 2, 64, 64))[0]
    # Place x of the picture lies at (x + 0.5) / 4 - 0.5 on the flow, kept within 0 .. 63.
    place = ((torch.arange(256) + 0.5) / 4 - 0.5).clamp(0, 63)
    expected = 256 / 63 * place - 0.5
    inside = slice(2, -2)
    torch.testing.assert_close(moved[0, 128, inside], expected[inside], atol=1e-3, rtol=0)
    torch.testing.assert_close(moved[1, inside, 128], expected[inside], atol=1e-3, rtol=0)
    border = torch.tensor([0.5, 0.5, 1.0])  # two columns and rows are half outside
    row, column = moved[2, 128], moved[2, :, 128]
    for edge in (row[:3], row[-3:].flip(0), column[:3], column[-3:].flip(0)):
        torch.testing.assert_close(edge, border, atol=1e-4, rtol=0)


def test_a_flow_counts_in_its_own_pixels_x_before_y():
    picture = torch.zeros(1, 3, 256, 256)
    picture[:, 0] = torch.arange(256.0)
    picture[:, 1] = torch.arange(256.0)[:, None]
    flow = torch.zeros(1, 2, 64, 64)
    flow[:, 0], flow[:, 1] = 3, -2
    shift = (warp(picture, flow) - warp(picture, torch.zeros(1, 2, 64, 64)))[0, :, 128, 128]
    torch.testing.assert_close(shift[:2], torch.tensor([3.0, -2.0]) * 256 / 63, atol=1e-3, rtol=0)
