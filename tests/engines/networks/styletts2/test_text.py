"""Text encoder, PL-BERT and durations, against independent writings of the same."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from transformers import AlbertConfig, AlbertModel

from rt_avatar.engines.networks.styletts2.official import key_table
from rt_avatar.engines.networks.styletts2.primitives import Moments
from tests.engines.networks.styletts2.tiny import LIBRI, LJ, SMALL_NANO, checkpoint, network

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def _no_gradients():
    torch.manual_seed(1)
    with torch.no_grad():
        yield


def tokens(length: int) -> torch.Tensor:
    return torch.randint(0, 178, (1, length))


def test_plbert_is_the_library_s_albert_with_the_published_settings():
    bert = LJ.bert
    theirs = AlbertModel(
        AlbertConfig(
            vocab_size=178,
            embedding_size=bert.embedding,
            hidden_size=bert.hidden,
            num_attention_heads=bert.heads,
            intermediate_size=bert.intermediate,
            num_hidden_layers=bert.layers,
            max_position_embeddings=512,
            hidden_act="gelu_new",
            layer_norm_eps=1e-12,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    ).eval()
    state = {key.removeprefix("module."): 0.3 * x for key, x in checkpoint(LJ)["bert"].items()}
    theirs.load_state_dict(state, strict=True)
    theirs = theirs.double()  # tells one GELU from the other
    ours = network(LJ).bert.double()
    ours.load_state_dict({key: x for key, x in state.items() if not key.startswith("pooler.")})
    batch = torch.cat([tokens(9), tokens(9)])
    mask = torch.ones(2, 9, dtype=torch.float64)
    mask[1, 5:] = 0
    wanted = theirs(batch, attention_mask=mask).last_hidden_state
    got = ours(batch, mask)
    torch.testing.assert_close(got[0], wanted[0], rtol=0, atol=1e-9)
    torch.testing.assert_close(got[1, :5], wanted[1, :5], rtol=0, atol=1e-9)
    torch.testing.assert_close(ours(batch[:1]), wanted[:1], rtol=0, atol=1e-9)


def test_plbert_adds_next_to_nothing_to_the_variance():
    """1e-12: with the usual 1e-5, embeddings as small as these would come out a tenth as large."""
    net = network(LJ).double().bert.embeddings
    for table in (net.word_embeddings, net.position_embeddings, net.token_type_embeddings):
        table.weight.mul_(1e-4)
    net.LayerNorm.weight.fill_(1.0)
    net.LayerNorm.bias.zero_()
    assert net(tokens(9)).square().mean() == pytest.approx(1.0, abs=1e-3)
    layer = network(LJ).bert.encoder.albert_layer_groups[0].albert_layers[0]
    norms = [part for part in layer.modules() if isinstance(part, nn.LayerNorm)]
    assert [norm.eps for norm in norms] == [1e-12, 1e-12]


def test_plbert_has_512_places_and_no_more():
    bert = network(LJ).bert
    assert bert(tokens(1)).shape == (1, 1, 12)
    assert bert(tokens(512)).shape == (1, 512, 12)
    with pytest.raises(RuntimeError):
        bert(tokens(513))


def test_the_library_knows_the_same_tensors_at_the_official_size():
    with torch.device("meta"):
        config = AlbertConfig(
            vocab_size=178, hidden_size=768, num_attention_heads=12, intermediate_size=2048
        )
        theirs = {k: tuple(v.shape) for k, v in AlbertModel(config).state_dict().items()}
    from rt_avatar.engines.networks.styletts2.config import LJSPEECH

    assert key_table(LJSPEECH)["bert"] == theirs


def test_the_text_encoder_is_convolutions_norms_and_an_lstm_in_this_order():
    encoder = network(LJ).text_encoder
    ids = tokens(7)
    x = encoder.embedding(ids).transpose(1, 2)
    for layer in encoder.cnn:
        x = F.conv1d(x, layer[0].weight, layer[0].bias, padding=2).transpose(1, 2)
        x = F.layer_norm(x, (8,), layer[1].gamma, layer[1].beta, 1e-5).transpose(1, 2)
        x = F.leaky_relu(x, 0.2)
    wanted = nn.LSTM.forward(encoder.lstm, x.transpose(1, 2))[0].transpose(1, 2)
    torch.testing.assert_close(encoder(ids), wanted)


@pytest.mark.parametrize("config", [LJ, SMALL_NANO], ids=lambda config: config.name)
def test_padding_changes_nothing_before_it_and_gives_nothing_itself(config):
    net = network(config)
    ids, style = tokens(6), torch.randn(1, config.style)
    padded = torch.cat([ids, torch.zeros(1, 3, dtype=torch.int64)], dim=1)
    mask = torch.tensor([[1.0] * 6 + [0.0] * 3])
    text = net.text_encoder(padded, mask)
    torch.testing.assert_close(text[:, :, :6], net.text_encoder(ids))
    assert not text[:, :, 6:].any()
    context, short = net.contextualise(ids)
    torch.testing.assert_close(net.contextualise(padded, mask)[0][:, :6], context)
    encoded, logits = net.predictor.durations(short, style)
    long = F.pad(short, (0, 3), value=7.0)
    encoded_long, logits_long = net.predictor.durations(long, style, mask)
    torch.testing.assert_close(encoded_long[:, :, :6], encoded)
    torch.testing.assert_close(logits_long[:, :6], logits)


def test_the_duration_encoder_puts_the_style_beside_every_layer_s_output():
    predictor = network(LJ).predictor
    text, style = torch.randn(1, 8, 5), torch.randn(1, 4)
    encoded, logits = predictor.durations(text, style)
    assert encoded.shape == (1, 12, 5)
    assert torch.equal(encoded[:, 8:], style[:, :, None].expand(-1, -1, 5))
    assert logits.shape == (1, 5, 50)
    x = torch.cat([text.transpose(1, 2), style[:, None].expand(-1, 5, -1)], dim=2)
    for lstm, norm in zip(
        predictor.text_encoder.lstms[::2], predictor.text_encoder.lstms[1::2], strict=True
    ):
        y = nn.LSTM.forward(lstm, x)[0]
        gamma, beta = norm.fc(style)[:, None].split(8, dim=2)
        x = torch.cat([F.layer_norm(y, (8,)) * (1 + gamma) + beta, x[:, :, 8:]], dim=2)
    torch.testing.assert_close(encoded, x.transpose(1, 2))


def test_durations_are_the_head_of_one_more_lstm():
    predictor = network(LJ).predictor
    encoded, logits = predictor.durations(torch.randn(1, 8, 5), torch.randn(1, 4))
    wanted = nn.LSTM.forward(predictor.lstm, encoded.transpose(1, 2))[0]
    head = predictor.duration_proj.linear_layer
    torch.testing.assert_close(logits, F.linear(wanted, head.weight, head.bias))


@pytest.mark.parametrize("config", [LJ, SMALL_NANO], ids=lambda config: config.name)
@pytest.mark.parametrize("frames", [1, 9])
def test_curves_are_two_stacks_over_one_lstm_with_two_frames_for_each(config, frames):
    predictor = network(config).predictor
    aligned, style = torch.randn(1, 12, frames), torch.randn(1, 4)
    shared = nn.LSTM.forward(predictor.shared, aligned.transpose(1, 2))[0].transpose(1, 2)
    made = predictor.curves(aligned, style)
    units = config.pitch_unit_hz, config.energy_unit
    for curve, stack, head, unit in zip(
        made,
        (predictor.F0, predictor.N),
        (predictor.F0_proj, predictor.N_proj),
        units,
        strict=True,
    ):
        x = shared
        for block in stack:
            x = block(x, style, Moments())
        assert [part.upsample for part in stack] == [False, True, False]
        assert curve.shape == (1, 2 * frames)
        torch.testing.assert_close(curve, unit * F.conv1d(x, head.weight, head.bias)[:, 0])
    assert units == ((1.0, 1.0) if config is LJ else (200.0, 4.0))


@pytest.mark.parametrize("config", [LJ, LIBRI, SMALL_NANO], ids=lambda config: config.name)
def test_two_sentences_of_one_length_may_share_a_batch(config):
    """From the text to the sound, each is what it is alone."""
    net, style = network(config).double(), torch.randn(2, 4, dtype=torch.float64)
    ids = torch.cat([tokens(7), tokens(7)])
    frames, generator = 14, net.decoder.generator
    shapes = {"ljspeech": (2, 22, 60 * frames + 1), "libritts": (2, 1, 300 * frames)}
    source = torch.randn(shapes.get(config.name, (2, frames, 4 * 601)), dtype=torch.float64)

    def said(at):
        context, known = net.contextualise(ids[at])
        encoded, logits = net.predictor.durations(known, style[at])
        pitch, energy = net.predictor.curves(encoded, style[at])
        x = net.decoder.trunk(net.text_encoder(ids[at]), pitch, energy, style[at])
        sound = (generator if config is SMALL_NANO else generator.whole)(x, style[at], source[at])
        return context, logits, pitch, x, sound if config is SMALL_NANO else sound[0]

    alone = [said(slice(row, row + 1)) for row in range(2)]
    for both, one, two in zip(said(slice(0, 2)), *alone, strict=True):
        torch.testing.assert_close(both, torch.cat([one, two]), rtol=1e-9, atol=1e-9)
        assert not torch.allclose(one, two)
