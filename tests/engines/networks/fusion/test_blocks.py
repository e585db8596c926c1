"""The transformer VAE of both modules: the paper's layers, torch's attention, learnt queries."""

import pytest
import torch
from torch import nn

from rt_avatar.engines.networks.fusion.blocks import (
    Attention,
    Latent,
    VariationalTransformer,
    hidden,
    sample,
    sinusoids,
)
from rt_avatar.engines.networks.fusion.config import EMPATHEIA_DISENTANGLER, EMPATHEIA_SYNCHRONIZER
from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from tests.engines.networks.fusion.tiny import BLOCK, CROSS, INPUTS, disentangler, synchronizer

pytestmark = pytest.mark.networks


def test_all_official_transformers_read_with_four_layers_and_write_with_four():
    with torch.device("meta"):
        contents = ContentSynchronizer(EMPATHEIA_SYNCHRONIZER)
        styles = StyleDisentangler(EMPATHEIA_DISENTANGLER)
    found = {
        name: module
        for part in (contents, styles)
        for name, module in part.named_modules()
        if isinstance(module, VariationalTransformer)
    }
    assert set(found) == {"speech.vae", "video.vae", "emotion.vae", "profile.vae"}
    for vae in found.values():
        assert (len(vae.encoders), len(vae.decoders)) == (4, 4)
        for layer in (*vae.encoders, *vae.decoders):
            assert (layer.attend_self.heads, layer.attend_self.size) == (4, 128)
            assert (layer.widen.weight.shape, layer.dropout.p) == ((2048, 512), 0.0)
        assert all(hasattr(layer, "attend_memory") for layer in vae.decoders)
        assert vae.mean.weight.shape == vae.log_variance.weight.shape == (512, 512)


def test_attention_is_torchs():
    torch.manual_seed(0)
    ours, theirs = Attention(BLOCK), nn.MultiheadAttention(BLOCK.width, BLOCK.heads, bias=True)
    maps = (ours.query, ours.key, ours.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in maps]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in maps]))
        theirs.out_proj.weight.copy_(ours.out.weight)
        theirs.out_proj.bias.copy_(ours.out.bias)
        x, sequence = torch.randn(2, 3, BLOCK.width), torch.randn(2, 7, BLOCK.width)
        mask = torch.ones(2, 7)
        mask[1, 4:] = 0
        got = ours(x, sequence, hidden(mask))
        wanted, _ = theirs(
            x.transpose(0, 1), *[sequence.transpose(0, 1)] * 2, key_padding_mask=mask == 0
        )
    torch.testing.assert_close(got, wanted.transpose(0, 1), atol=1e-5, rtol=0)


@pytest.mark.parametrize("block", [BLOCK, CROSS], ids=["concat", "cross"])
def test_queries_reach_the_latent_and_the_output_and_are_learnt(block):
    torch.manual_seed(0)
    vae = VariationalTransformer(block)
    sequence, mask = torch.randn(1, 5, block.width), torch.ones(1, 5)
    queries, wanted = torch.randn(1, 3, block.width, requires_grad=True), torch.ones(1, 3)
    latent = vae.encode(sequence, mask, queries, wanted)
    (by_latent,) = torch.autograd.grad(latent.mean.square().sum(), queries, retain_graph=True)
    z = latent.mean.detach()
    (by_output,) = torch.autograd.grad(vae.decode(z, queries, wanted).square().sum(), queries)
    assert by_latent.abs().max() > 0
    assert by_output.abs().max() > 0
    other = vae.decode(torch.randn_like(z), queries, wanted)
    assert not torch.allclose(other, vae.decode(z, queries, wanted), atol=1e-3)


def test_every_parameter_of_both_modules_is_learnt():
    torch.manual_seed(0)
    contents, styles = synchronizer().train(), disentangler().train()
    reply, wanted = torch.randn(1, 5, INPUTS), torch.ones(1, 4)
    parts = [
        branch(reply, torch.ones(1, 5), wanted, torch.randn(1, 4, BLOCK.width)).content
        for branch in (contents.speech, contents.video)
    ]
    noise = (torch.randn(1, 2, BLOCK.width), torch.randn(1, 2, BLOCK.width))
    made = styles(torch.randn(1, 16, INPUTS), torch.randn(1, 16, INPUTS), noise=noise)
    total = sum(part.sin().sum() for part in (*parts, made.speech, made.video, *made.logits))
    total.backward()
    for module in (contents, styles):
        # A key's bias adds the same to all scores of a query, which a softmax does not see.
        unmoved = [
            name
            for name, parameter in module.named_parameters()
            if not name.endswith("key.bias")
            and (parameter.grad is None or not parameter.grad.abs().max() > 0)
        ]
        assert unmoved == []


def test_a_sample_lies_as_many_deviations_off_as_the_noise_says():
    latent = Latent(torch.full((1, 1, 4), 3.0), torch.full((1, 1, 4), 2 * torch.tensor(0.5).log()))
    assert sample(latent, None) is latent.mean
    noise = torch.tensor([[[0.0, 1.0, -2.0, 4.0]]])
    torch.testing.assert_close(sample(latent, noise), torch.tensor([[[3.0, 3.5, 2.0, 5.0]]]))


def test_places_are_told_apart_and_need_not_be_whole():
    places = torch.tensor([[0.0, 0.5, 1.0, 300.0]])
    rows = sinusoids(places, 16)[0]
    assert rows.shape == (4, 16)
    torch.testing.assert_close(rows[0], torch.cat([torch.zeros(8), torch.ones(8)]))
    torch.testing.assert_close(rows[:, 0], places[0].sin())
    torch.testing.assert_close(rows[:, 15], (places[0] * 10_000 ** (-14 / 16)).cos())
    assert (torch.cdist(rows, rows) + torch.eye(4)).min() > 0.1
