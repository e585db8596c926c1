"""Norms, residual blocks and LSTMs do what the checkpoints were trained with."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from rt_avatar.engines.networks.styletts2.primitives import (
    AdaIN1d,
    AdainResBlk1d,
    AdaLayerNorm,
    BiLstm,
    ChannelLayerNorm,
    Moments,
    SnakeResBlock,
    moments,
    repeat_frames,
    snake,
)

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)
    with torch.no_grad():
        yield


def test_adain_is_instance_norm_with_gamma_first_and_one_added_to_it():
    norm, x, style = AdaIN1d(6, 4), 3 + 2 * torch.randn(2, 6, 30), torch.randn(2, 4)
    numbers = norm.fc(style)
    gamma, beta = numbers[:, :6, None], numbers[:, 6:, None]
    wanted = (1 + gamma) * F.instance_norm(x, eps=1e-5) + beta
    torch.testing.assert_close(norm(x, style, Moments()), wanted, rtol=1e-5, atol=1e-5)


def test_its_variance_is_the_biased_one():
    x = torch.randn(1, 3, 4)
    _, var = moments(x)
    torch.testing.assert_close(var, x.var(dim=2, unbiased=False, keepdim=True))


def test_every_norm_adds_a_hundred_thousandth_to_the_variance():
    """Seen where little varies: with another epsilon these come out at half or twice as much."""
    x, style = 3e-3 * torch.randn(2, 6, 30), torch.randn(2, 4)
    quiet = moments(x)[1]
    assert 2e-6 < quiet.min() <= quiet.max() < 5e-5
    over_time, over_channels = AdaIN1d(6, 4), AdaLayerNorm(6, 4)
    for norm in (over_time, over_channels):
        norm.fc.weight.zero_()
        norm.fc.bias.zero_()
    wanted = (x - x.mean(dim=2, keepdim=True)) / torch.sqrt(quiet + 1e-5)
    torch.testing.assert_close(over_time(x, style, Moments()), wanted, rtol=1e-4, atol=1e-5)
    apart = x - x.mean(dim=1, keepdim=True)
    wanted = apart / torch.sqrt((apart**2).mean(dim=1, keepdim=True) + 1e-5)
    rows = over_channels(x.transpose(1, 2), style).transpose(1, 2)
    torch.testing.assert_close(rows, wanted, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(ChannelLayerNorm(6)(x), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("frames", [1, 2])
def test_one_frame_alone_is_its_own_mean_and_no_division_by_nothing(frames):
    norm, x, style = AdaIN1d(6, 4), torch.randn(1, 6, 1).expand(-1, -1, frames), torch.randn(1, 4)
    beta = norm.fc(style)[:, 6:, None].expand(-1, -1, frames)
    torch.testing.assert_close(norm(x, style, Moments()), beta)


def test_ada_layer_norm_is_the_same_in_both_layouts_and_deaf_to_other_frames():
    rows, columns = AdaLayerNorm(6, 4, dim=2), AdaLayerNorm(6, 4, dim=1)
    columns.load_state_dict(rows.state_dict())
    x, style = torch.randn(2, 9, 6), torch.randn(2, 4)
    gamma, beta = rows.fc(style)[:, None].split(6, dim=2)
    wanted = F.layer_norm(x, (6,)) * (1 + gamma) + beta
    torch.testing.assert_close(rows(x, style), wanted)
    torch.testing.assert_close(columns(x.transpose(1, 2), style).transpose(1, 2), wanted)
    torch.testing.assert_close(columns(x.transpose(1, 2)[:, :, 3:4], style)[..., 0], wanted[:, 3])


def test_channel_layer_norm_looks_at_one_frame():
    norm, x = ChannelLayerNorm(5), torch.randn(2, 5, 7)
    norm.gamma.uniform_()
    norm.beta.uniform_()
    wanted = F.layer_norm(x.transpose(1, 2), (5,), norm.gamma, norm.beta).transpose(1, 2)
    torch.testing.assert_close(norm(x), wanted)


def test_the_shortcut_is_repeated_and_the_sum_divided_by_the_root_of_two():
    block, x, style = AdainResBlk1d(5, 3, 4, upsample=True), torch.randn(1, 5, 6), torch.randn(1, 4)
    shortcut = block.conv1x1(F.interpolate(x, scale_factor=2, mode="nearest"))
    y = block.pool(F.leaky_relu(block.norm1(x, style, Moments()), 0.2))
    y = F.leaky_relu(block.norm2(block.conv1(y), style, Moments()), 0.2)
    wanted = (shortcut + block.conv2(y)) / math.sqrt(2)
    torch.testing.assert_close(block(x, style, Moments()), wanted)
    assert wanted.shape == (1, 3, 12)
    assert block.conv1x1.bias is None
    assert block.pool.groups == 5


def test_a_block_of_equal_channels_has_no_convolution_in_its_shortcut():
    assert not hasattr(AdainResBlk1d(5, 5, 4), "conv1x1")
    x = torch.randn(2, 3, 4)
    assert torch.equal(repeat_frames(x), F.interpolate(x, scale_factor=2, mode="nearest"))


@pytest.mark.parametrize(("inputs", "outputs"), [(5, 5), (5, 3)])
def test_a_block_that_keeps_its_frames_is_two_norms_and_two_convolutions(inputs, outputs):
    block, x, style = (
        AdainResBlk1d(inputs, outputs, 4),
        torch.randn(1, inputs, 6),
        torch.randn(1, 4),
    )
    y = block.conv1(F.leaky_relu(block.norm1(x, style, Moments()), 0.2))
    y = block.conv2(F.leaky_relu(block.norm2(y, style, Moments()), 0.2))
    shortcut = x if inputs == outputs else F.conv1d(x, block.conv1x1.weight)
    torch.testing.assert_close(block(x, style, Moments()), (shortcut + y) / math.sqrt(2))


def test_snake_adds_the_squared_sine_over_alpha():
    x, alpha = torch.randn(1, 3, 8), torch.rand(1, 3, 1) + 0.5
    torch.testing.assert_close(snake(x, alpha), x + torch.sin(alpha * x) ** 2 / alpha)


def test_a_generator_s_block_keeps_its_length_with_every_kernel():
    for kernel in (3, 7, 11):
        block = SnakeResBlock(4, kernel, (1, 3, 5), 3)
        assert block(torch.randn(1, 4, 40), torch.randn(1, 3), Moments()).shape == (1, 4, 40)


@pytest.mark.parametrize("kernel", [3, 7, 11])
def test_a_generator_s_block_is_three_times_norm_snake_wide_and_again_narrow(kernel):
    block, x, style = (
        SnakeResBlock(4, kernel, (1, 3, 5), 3),
        torch.randn(1, 4, 40),
        torch.rand(1, 3),
    )
    for alpha in (*block.alpha1, *block.alpha2):
        alpha.uniform_(0.5, 2.0)

    def half(norm, alpha, conv, x, dilation):
        y = norm(x, style, Moments())
        y = y + torch.sin(alpha * y) ** 2 / alpha
        padding = (kernel * dilation - dilation) // 2
        return F.conv1d(y, conv.weight, conv.bias, dilation=dilation, padding=padding)

    y = x
    for j, dilation in enumerate((1, 3, 5)):
        inner = half(block.adain1[j], block.alpha1[j], block.convs1[j], y, dilation)
        y = y + half(block.adain2[j], block.alpha2[j], block.convs2[j], inner, 1)
    torch.testing.assert_close(block(x, style, Moments()), y, rtol=1e-4, atol=1e-5)


def test_given_moments_make_a_frame_independent_of_its_window():
    norm, x, style = AdaIN1d(6, 4), torch.randn(1, 6, 30), torch.randn(1, 4)
    first = Moments()
    whole = norm(x, style, first)
    for momentum in (None, torch.zeros(1, 1)):
        part = norm(x[:, :, 10:14], style, Moments(first.used(), momentum))
        assert torch.equal(part, whole[:, :, 10:14])


def test_moments_lie_in_order_and_are_what_was_used():
    one, two = torch.randn(1, 3, 20), torch.randn(1, 2, 20)
    taken = Moments()
    for x in (one, two):
        taken.of(x)
    used = taken.used()
    assert used.shape == (1, 2, 5)
    torch.testing.assert_close(used[0, 0], torch.cat([one, two], dim=1)[0].mean(dim=1))
    again = Moments(used)
    for x in (one, two):
        mean, var = again.of(torch.zeros_like(x))
        torch.testing.assert_close(torch.cat([mean, var], 2), torch.cat(moments(x), 2))


def test_momentum_pools_two_sets_of_frames_exactly():
    x = torch.randn(1, 4, 50, dtype=torch.float64) + torch.arange(50) / 20
    known = Moments()
    known.of(x[:, :, :30])
    pooled = Moments(known.used(), torch.tensor([[20 / 50]], dtype=torch.float64))
    pooled.of(x[:, :, 30:])
    torch.testing.assert_close(pooled.used(), torch.stack([m[..., 0] for m in moments(x)], dim=1))
    own = Moments(known.used(), torch.ones(1, 1, dtype=torch.float64))
    own.of(x[:, :, 30:])
    torch.testing.assert_close(
        own.used(), torch.stack([m[..., 0] for m in moments(x[:, :, 30:])], dim=1)
    )


def test_an_lstm_without_packing_is_the_packed_one_and_in_padded_batches_too():
    lstm = BiLstm(5, 6)
    plain = nn.LSTM(5, 3, batch_first=True, bidirectional=True)
    plain.load_state_dict(lstm.state_dict())
    x = torch.randn(2, 9, 5)
    packed = nn.utils.rnn.pack_padded_sequence(x[:1], [9], batch_first=True)
    assert torch.equal(
        lstm(x[:1]), nn.utils.rnn.pad_packed_sequence(plain(packed)[0], batch_first=True)[0]
    )
    mask = torch.ones(2, 9)
    mask[1, 6:] = 0
    batch = lstm(x, mask)
    torch.testing.assert_close(batch[:1], lstm(x[:1]))
    torch.testing.assert_close(batch[1:, :6], lstm(x[1:, :6]))
    assert not batch[1, 6:].any()
