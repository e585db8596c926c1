"""Style encoders and the denoiser of styles."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.engines.networks.styletts2.tiny import LIBRI, LJ, network

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def _no_gradients():
    torch.manual_seed(2)
    with torch.no_grad():
        yield


def reference_block(block, x):
    y = block.conv1(F.leaky_relu(x, 0.2))
    y = block.conv2(F.leaky_relu(block.downsample_res.conv(y), 0.2))
    x = block.conv1x1(x) if hasattr(block, "conv1x1") else x
    if x.shape[-1] % 2:
        x = torch.cat([x, x[..., -1:]], dim=-1)
    return (F.avg_pool2d(x, 2) + y) / math.sqrt(2)


@pytest.mark.parametrize("frames", [65, 72, 101, 131])
def test_the_style_encoder_pools_odd_widths_as_its_reference_does(frames):
    encoder = network(LJ).double().style_encoder
    mel = torch.randn(1, 1, 80, frames, dtype=torch.float64)
    x = encoder.shared[0](mel)
    for index in range(1, 5):
        x = reference_block(encoder.shared[index], x)
    x = encoder.shared[6](F.leaky_relu(x, 0.2)).mean(dim=(2, 3))
    wanted = encoder.unshared(F.leaky_relu(x, 0.2))
    torch.testing.assert_close(encoder(mel), wanted, rtol=0, atol=1e-12)
    mel[..., -1] += 1.0
    assert (encoder(mel) - wanted).abs().max() > 1e-4  # the last column tells


def test_it_halves_four_times_rounding_up_and_needs_65_frames():
    encoder = network(LJ).style_encoder
    x, sizes = torch.randn(1, 1, 80, 200), []
    for part in encoder.shared[:5]:
        x = part(x)
        sizes.append(tuple(x.shape[2:]))
    assert sizes == [(80, 200), (40, 100), (20, 50), (10, 25), (5, 13)]
    assert encoder.shared[6](x).shape[2:] == (1, 9)
    encoder(torch.randn(1, 1, 80, 65))
    with pytest.raises(RuntimeError):
        encoder(torch.randn(1, 1, 80, 64))


def test_a_reference_s_style_has_the_acoustic_half_first():
    net, mel = network(LJ), torch.randn(1, 1, 80, 70)
    style = net.reference_style(mel)
    assert torch.equal(style[:, :4], net.style_encoder(mel))
    assert torch.equal(style[:, 4:], net.predictor_encoder(mel))


def inputs(config, length=6, batch=1):
    reference = torch.randn(batch, 8) if config.diffusion.reference else None
    return torch.randn(batch, 1, 8), torch.randn(batch), torch.randn(batch, length, 12), reference


def by_hand(denoiser, x, time, embedding, reference):
    """The denoiser from its description, with einsum attention."""
    angle = 2 * math.pi * time[:, None] * denoiser.to_time[0][0].weights[None]
    features = torch.cat([time[:, None], angle.sin(), angle.cos()], dim=1)
    mapping = F.gelu(denoiser.to_time[0][1](features))
    if reference is not None:
        mapping = mapping + F.gelu(denoiser.to_features[0](reference))
    mapping = F.gelu(denoiser.to_mapping[2](F.gelu(denoiser.to_mapping[0](mapping))))
    h = torch.cat([x.repeat(1, embedding.shape[1], 1), embedding], dim=-1)
    for block in denoiser.blocks:
        h = h + mapping[:, None]
        attention = block.attention

        def normed(norm, x=h):
            if reference is None:
                return norm(x)
            gamma, beta = norm.fc(reference)[:, None].chunk(2, dim=2)
            return F.layer_norm(x, x.shape[-1:]) * (1 + gamma) + beta

        heads = attention.heads
        q = attention.to_q(normed(attention.norm))
        k, v = attention.to_kv(normed(attention.norm_context)).chunk(2, dim=-1)
        q, k, v = (part.reshape(*part.shape[:2], heads, -1) for part in (q, k, v))
        weights = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.shape[-1])
        mixed = torch.einsum("bhij,bjhd->bihd", weights.softmax(-1), v).flatten(2)
        h = h + attention.attention.to_out(mixed)
        h = h + block.feed_forward[2](F.gelu(block.feed_forward[0](h)))
    out = denoiser.to_out["1"]
    return F.linear(h.mean(dim=1), out.weight[:, :, 0], out.bias)[:, None]


@pytest.mark.parametrize("config", [LJ, LIBRI], ids=lambda config: config.name)
def test_the_denoiser_is_what_its_description_says(config):
    denoiser = network(config).diffusion
    given = inputs(config)
    torch.testing.assert_close(denoiser(*given), by_hand(denoiser, *given), rtol=1e-4, atol=1e-5)


def test_queries_and_context_have_norms_of_their_own():
    for config in (LJ, LIBRI):
        attention = network(config).diffusion.blocks[0].attention
        assert attention.norm is not attention.norm_context
        assert attention.to_q.bias is None
        assert attention.to_kv.bias is None


@pytest.mark.parametrize("config", [LJ, LIBRI], ids=lambda config: config.name)
def test_guidance_is_one_batch_of_two_against_the_learned_table(config):
    denoiser = network(config).diffusion
    x, time, embedding, reference = inputs(config)
    blank = denoiser.fixed_embedding.embedding.weight[:6][None]
    given = denoiser(x, time, embedding, reference)
    without = denoiser(x, time, blank, reference)
    for scale in (1.0, 1.5, 2.0):
        guided = denoiser.guided(x, time, embedding, torch.tensor([scale]), reference)
        torch.testing.assert_close(
            guided, without + (given - without) * scale, rtol=1e-4, atol=1e-5
        )
    torch.testing.assert_close(
        denoiser.guided(x, time, embedding, torch.ones(1), reference), given, rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("config", [LJ, LIBRI], ids=lambda config: config.name)
def test_with_a_mask_padding_does_not_count(config):
    denoiser = network(config).diffusion
    x, time, embedding, reference = inputs(config)
    padded = torch.cat([embedding, torch.randn(1, 4, 12)], dim=1)
    mask = torch.tensor([[1.0] * 6 + [0.0] * 4])
    wanted = denoiser(x, time, embedding, reference)
    torch.testing.assert_close(denoiser(x, time, padded, reference, mask), wanted)
    assert not torch.allclose(denoiser(x, time, padded, reference), wanted)
