"""How far every part looks with its norms' statistics held fixed, and how many those are."""

import pytest
import torch

from rt_avatar.engines.networks.styletts2.config import HIFIGAN, ISTFTNET, LIBRITTS, LJSPEECH
from rt_avatar.engines.networks.styletts2.model import StyleTTS2
from rt_avatar.engines.networks.styletts2.primitives import AdaIN1d, Moments
from rt_avatar.engines.networks.styletts2.upsampler import moment_channels
from rt_avatar.engines.styletts2.speaker import MARGIN_FRAMES
from tests.engines.networks.styletts2.reach import margin_frames, reach
from tests.engines.networks.styletts2.test_decoder import sentence
from tests.engines.networks.styletts2.tiny import LIBRI, LJ, network

pytestmark = pytest.mark.networks
BOTH = pytest.mark.parametrize("config", [LJ, LIBRI], ids=lambda config: config.name)


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(3)


def support(output, *inputs):
    """First and last position of each input (…, T) that ``output`` depends on."""
    found = [
        gradient.abs().flatten(0, -2).sum(dim=0).nonzero()
        for gradient in torch.autograd.grad(output, inputs, retain_graph=True)
    ]
    return [(int(places.min()), int(places.max())) for places in found]


def test_the_reach_is_the_published_one():
    """Frames of input on each side; samples of source on each side."""
    for kind, frames, samples in ((ISTFTNET, 8, 3268), (HIFIGAN, 9, 3465)):
        at = [(n, *reach(kind, n, n)) for n in range(300)]
        assert max(max(-x.first, x.last) for _, x, _ in at) == frames
        if kind.kind == "istftnet":  # a frame of the spectrum is 20 samples, every 5
            spans = [(n - (5 * s.first - 10), 5 * s.last + 9 - n) for n, _, s in at]
        else:
            spans = [(n - s.first, s.last - n) for n, _, s in at]
        assert samples in map(max, spans)  # measured for one sample, its place is not published
        assert max(map(max, spans)) < 12 * 300
        assert margin_frames(kind) <= MARGIN_FRAMES == 12
    assert moment_channels(ISTFTNET) == 9216
    assert moment_channels(HIFIGAN) == 11520


@BOTH
def test_the_reach_is_the_measured_one(config):
    """By gradients: what a sample depends on lies within, and touches, what is computed."""
    generator = network(config).double().decoder.generator
    x, style, source = sentence(config, 30)
    with torch.no_grad():
        _, used = generator.whole(x, style, source)
    x.requires_grad_()
    source.requires_grad_()
    sound = generator(x, style, source, Moments(used))
    for at in (4500, 4501, 4650, 4799):
        found = support(sound[0, 0, at], x, source)
        for (first, last), wanted in zip(found, reach(config.generator, at, at), strict=True):
            assert wanted.first <= first <= wanted.first + 2
            assert wanted.last - 2 <= last <= wanted.last


def curves(frames):
    made = torch.rand(1, 8, frames), 200 * torch.rand(1, 2 * frames), torch.randn(1, 2 * frames)
    return [curve.double().requires_grad_() for curve in made]


def test_the_trunk_looks_nine_or_ten_frames_to_each_side():
    decoder, style = network(LJ).double().decoder, torch.randn(1, 4, dtype=torch.float64)
    given, used = curves(40), Moments()
    decoder.trunk(*given, style, used)
    x = decoder.trunk(*given, style, Moments(used.used().detach()))
    sides = set()
    for at in (36, 37, 38, 39):  # of 12.5 ms
        (first, last), pitch, energy = support(x[0, :, at].sum(), *given)
        sides |= {at // 2 - first, last - at // 2}
        assert pitch == energy
        assert at - pitch[0] <= 22
        assert pitch[1] - at <= 22
    assert sides == {9, 10}


@BOTH
def test_the_whole_decoder_looks_fourteen_frames_to_each_side(config):
    """From text in frames of 25 ms; from F0 and energy, of 12.5 ms, 27 to 29 through the trunk."""
    decoder = network(config).double().decoder
    style = torch.randn(1, 4, dtype=torch.float64)
    _, _, source = sentence(config, 80)
    given, used = curves(40), (Moments(), Moments())
    decoder.generator(decoder.trunk(*given, style, used[0]), style, source, used[1])
    fixed = [Moments(each.used().detach()) for each in used]
    sound = decoder.generator(decoder.trunk(*given, style, fixed[0]), style, source, fixed[1])
    sides, curve_sides = [], []
    for at in (12_000, 12_150, 12_299, 12_300, 12_450, 12_599):
        text, pitch, energy = support(sound[0, 0, at], *given)
        sides += [at // 600 - text[0], text[1] - at // 600]
        assert pitch == energy
        curve_sides += [at // 300 - pitch[0], pitch[1] - at // 300]
    assert max(sides) == 14
    assert min(sides) >= 12
    assert 27 <= max(curve_sides) <= 29


def test_the_stacks_of_the_curves_look_four_or_five_frames_to_each_side():
    predictor, style = network(LJ).double().predictor, torch.randn(1, 4, dtype=torch.float64)
    for stack in (predictor.F0, predictor.N):
        x = torch.randn(1, 8, 30, dtype=torch.float64, requires_grad=True)

        def run(moments, x=x, stack=stack):
            for block in stack:
                x = block(x, style, moments)
            return x

        used = Moments()
        run(used)
        y = run(Moments(used.used().detach()))
        sides = set()
        for at in (28, 29, 30, 31):
            ((first, last),) = support(y[0, :, at].sum(), x)
            sides |= {at // 2 - first, last - at // 2}
        assert sides == {4, 5}


def test_the_text_encoder_s_convolutions_look_six_tokens_to_each_side():
    cnn = network(LJ).double().text_encoder.cnn
    x = torch.randn(1, 8, 30, dtype=torch.float64, requires_grad=True)
    y = x
    for layer in cnn:
        y = torch.nn.functional.leaky_relu(layer(y), 0.2)
    assert support(y[0, :, 15].sum(), x) == [(9, 21)]


@pytest.mark.parametrize(
    ("config", "norms", "channels"), [(LJSPEECH, 48, 9216), (LIBRITTS, 96, 11_520)]
)
def test_the_norms_over_time_are_as_many_as_published(config, norms, channels):
    with torch.device("meta"):
        net = StyleTTS2(config)

    def sizes(*parts):
        return [m.channels for part in parts for m in part.modules() if isinstance(m, AdaIN1d)]

    assert len(sizes(net.predictor.F0, net.predictor.N)) == 12
    trunk = sizes(net.decoder.encode, net.decoder.decode)
    assert (len(trunk), sum(trunk)) == (10, 9482)
    generator = sizes(net.decoder.generator)
    assert (len(generator), sum(generator)) == (norms, channels)
    assert moment_channels(config.generator) == channels
    assert not sizes(net.text_encoder, net.bert, net.predictor.text_encoder, net.diffusion)
