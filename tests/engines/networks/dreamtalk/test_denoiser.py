"""The denoiser as published: frames are strangers, styles ignore padding, guidance of 1 is none."""

import pytest
import torch
from torch import nn

from rt_avatar.engines.networks.attention import additive_mask
from rt_avatar.engines.networks.dreamtalk.blocks import (
    Attention,
    DecoderLayer,
    EncoderLayer,
    PositionTable,
)
from rt_avatar.engines.networks.dreamtalk.denoiser import time_waves
from tests.engines.networks.dreamtalk.networks import NARROW, network

pytestmark = pytest.mark.networks

WIDTH, HEADS, HIDDEN = NARROW.model_size, NARROW.heads, NARROW.feedforward_size


def randomised(module: nn.Module) -> nn.Module:
    torch.manual_seed(1)
    for parameter in module.parameters():
        parameter.data = torch.randn_like(parameter) * 0.3
    return module.eval().requires_grad_(False)


def test_attention_is_torchs():
    own = randomised(Attention(WIDTH, HEADS))
    theirs = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    theirs.load_state_dict(own.state_dict())
    query, memory = torch.randn(3, 4, WIDTH), torch.randn(3, 7, WIDTH)
    blocked = torch.arange(7).expand(3, 7) >= torch.tensor([[7], [5], [1]])
    expected, _ = theirs(query, memory, memory, key_padding_mask=blocked)
    mask = additive_mask(1.0 - blocked[:, None, None].float())
    torch.testing.assert_close(own(query, memory, mask), expected, atol=1e-5, rtol=0)


def test_layers_are_torchs_post_norm_layers():
    sizes = {"d_model": WIDTH, "nhead": HEADS, "dim_feedforward": HIDDEN, "batch_first": True}
    x, memory = torch.randn(2, 5, WIDTH), torch.randn(2, 7, WIDTH)
    encoder = randomised(EncoderLayer(NARROW))
    theirs = nn.TransformerEncoderLayer(**sizes).eval()
    theirs.load_state_dict(encoder.state_dict())
    torch.testing.assert_close(encoder(x), theirs(x), atol=1e-5, rtol=0)
    decoder = randomised(DecoderLayer(NARROW))
    theirs = nn.TransformerDecoderLayer(**sizes).eval()
    theirs.load_state_dict(decoder.state_dict())
    torch.testing.assert_close(decoder(x, memory), theirs(x, memory), atol=1e-5, rtol=0)


def test_places_alternate_sine_and_cosine_and_times_begin_with_cosine():
    places = PositionTable(4, 6)(4)
    angle = torch.tensor([1.0, 10_000 ** (-2 / 6), 10_000 ** (-4 / 6)])
    torch.testing.assert_close(places[3, ::2], torch.sin(3 * angle))
    torch.testing.assert_close(places[3, 1::2], torch.cos(3 * angle))
    waves = time_waves((901,), 6)[0]
    exact = 901 * 10_000.0 ** (-torch.arange(3, dtype=torch.float64) * 2 / 6)
    torch.testing.assert_close(waves, torch.cat((exact.cos(), exact.sin())).float())


def test_a_frame_depends_on_nothing_of_the_others():
    net = network().net
    audio = torch.randn(1, 6, NARROW.window, NARROW.audio_size)
    x, style = torch.randn(1, 6, 64), torch.randn(1, WIDTH)
    time = net.time_table((501,))[0]
    together = net(x, net.content_encoder(audio), style, time)
    for frame in range(6):
        alone = slice(frame, frame + 1)
        single = net(x[:, alone], net.content_encoder(audio[:, alone]), style, time)
        torch.testing.assert_close(single, together[:, alone], atol=1e-5, rtol=0)


def test_batches_may_differ_in_style_and_time():
    net = network().net
    content = net.content_encoder(torch.randn(2, 3, NARROW.window, NARROW.audio_size))
    x, style, time = torch.randn(2, 3, 64), torch.randn(2, WIDTH), net.time_table((901, 1))
    both = net(x, content, style, time)
    for row in range(2):
        one = slice(row, row + 1)
        single = net(x[one], content[one], style[one], time[row])
        torch.testing.assert_close(both[one], single, atol=1e-5, rtol=0)


@pytest.mark.parametrize("frames", [1, 2, 94, 255, 256])
def test_a_padded_clip_gives_the_style_of_the_clip_cut_to_its_length(frames):
    """Whatever lies in the padding."""
    net, longest = network().net, NARROW.style_frames
    filled = torch.randn(1, longest, 64)
    padding = (torch.arange(longest) >= frames)[None]
    padded = net.style_encoder(filled, padding)
    cut = net.style_encoder(filled[:, :frames])
    torch.testing.assert_close(padded, cut, atol=1e-6, rtol=0)


def test_the_null_style_is_a_clip_of_zeros_that_all_count():
    made = network()
    zeros = torch.zeros(1, NARROW.style_frames, 64)
    assert torch.equal(made.null_style(), made.net.style_encoder(zeros, zeros[..., 0] > 0))
    shorter = made.net.style_encoder(zeros[:, :9])
    assert not torch.allclose(made.null_style(), shorter, atol=1e-3)  # places count, too
