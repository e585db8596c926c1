"""Nano's generator streams exactly: any chunks give the sound of the whole."""

import numpy as np
import pytest
import torch

from rt_avatar.engines.keyed_noise import keyed_noise
from rt_avatar.engines.networks.styletts2.config import VocosConfig
from rt_avatar.engines.networks.styletts2.vocos import VocosGenerator
from rt_avatar.engines.styletts2.pulses import PulseSpectra, pulse_train
from rt_avatar.engines.styletts2.recipe import SourceRecipe
from rt_avatar.engines.styletts2.source import SamplePhases
from rt_avatar.engines.styletts2.vocoder_stream import VocoderShape, VocoderStream
from tests.engines.networks.styletts2.tiny import SMALL_NANO, network

pytestmark = pytest.mark.networks
KIND = SMALL_NANO.generator
SHAPE = VocoderShape(
    inputs=KIND.inputs,
    channels=KIND.channels,
    layers=KIND.layers,
    kernel=7,
    fft=1200,
    hop=300,
)
NAMES = ("x", "style", "source", "valid", "heard", "layers", "tail")


@pytest.fixture(scope="module")
def generator():
    return network(SMALL_NANO).double().decoder.generator


@pytest.fixture(autouse=True)
def _no_gradients():
    torch.manual_seed(4)
    with torch.no_grad():
        yield


def runner(generator):
    def run(inputs):
        given = [torch.from_numpy(np.asarray(inputs[name], np.float64)) for name in NAMES]
        out = generator.step(*given)
        names = ("pcm", "heard_next", "layers_next", "tail_next")
        return {name: tensor.numpy() for name, tensor in zip(names, out, strict=True)}

    return run


def sentence(frames, seed=0):
    rng = np.random.default_rng(seed)
    shapes = (1, KIND.inputs, frames), (1, SMALL_NANO.style), (1, frames, SHAPE.source_size)
    # Numbers of single precision, as streams carry them; the networks here compute in double.
    return [rng.standard_normal(shape, np.float32).astype(np.float64) for shape in shapes]


def whole(generator, x, style, source):
    return generator(*(torch.from_numpy(part) for part in (x, style, source)))[0].numpy()


def stream_of(generator, style, source):
    return VocoderStream(runner(generator), SHAPE, style, lambda a, b: source[:, a:b])


def streamed(stream, x, sizes):
    pieces, at = [], 0
    while at < x.shape[2]:
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(stream.push(x[:, :, at : at + size]))
        at += size
    return np.concatenate([*pieces, stream.flush()])


@pytest.mark.parametrize("sizes", [(16,), (1,), (5, 0, 3), (100,)], ids=str)
@pytest.mark.parametrize("frames", [1, 7, 37])
def test_any_chunks_give_the_sound_of_the_whole(generator, sizes, frames):
    x, style, source = sentence(frames)
    wanted = whole(generator, x, style, source)
    assert wanted.shape == (300 * frames,)
    got = streamed(stream_of(generator, style, source), x, sizes)
    assert got.shape == wanted.shape
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-12)


def test_frames_beyond_a_sentence_are_silent_whatever_the_source_holds(generator):
    x, style, source = (torch.from_numpy(part) for part in sentence(9))
    lag, context = SHAPE.lag_frames, 6
    valid = torch.zeros(1, lag + 9, dtype=torch.float64)
    heard, layers, tail = (
        torch.zeros(shape, dtype=torch.float64)
        for shape in ((1, KIND.inputs, context), (1, KIND.layers, KIND.channels, context), (1, 900))
    )
    pcm, *_ = generator.step(x, style, source, valid, heard, layers, tail)
    assert source.any()
    assert not pcm.any()


@pytest.mark.parametrize("frames", [0, 1])
def test_a_stream_of_next_to_nothing_ends_too(generator, frames):
    x, style, source = sentence(frames)
    stream = stream_of(generator, style, source)
    assert len(stream.push(x)) == 0
    assert len(stream.flush()) == 300 * frames
    assert len(stream.flush()) == 0


def test_after_a_flush_or_a_reset_it_is_a_fresh_one(generator):
    x, style, source = sentence(20)
    stream = stream_of(generator, style, source)
    first = streamed(stream, x, (4,))
    assert np.array_equal(streamed(stream, x, (4,)), first)
    stream.push(x)
    stream.reset()
    assert np.array_equal(streamed(stream, x, (4,)), first)


def test_two_streams_do_not_meet(generator):
    (x, style, source), (x2, style2, source2) = sentence(20), sentence(20, seed=1)
    one, two = stream_of(generator, style, source), stream_of(generator, style2, source2)
    pieces = []
    for at in range(0, 20, 5):
        pieces.append(one.push(x[:, :, at : at + 5]))
        two.push(x2[:, :, at : at + 5])
    pieces.append(one.flush())
    np.testing.assert_allclose(
        np.concatenate(pieces), whole(generator, x, style, source), rtol=0, atol=1e-12
    )


def test_the_declared_lag_is_the_measured_one(generator):
    """A frame changes sound up to the lag before it, and none earlier."""
    x, style, source = sentence(40)
    changed = x.copy()
    changed[:, :, 30] += 1.0
    apart = np.abs(whole(generator, changed, style, source) - whole(generator, x, style, source))
    first = np.flatnonzero(apart > 0)[0]
    # The frame's own piece begins half an overlap before it; its Hann window begins with a zero.
    assert first == 30 * 300 - SHAPE.lag_samples + 1
    stream = stream_of(generator, style, source)
    assert len(stream.push(x)) == 40 * 300 - SHAPE.lag_samples


def test_the_official_lag_of_nano():
    kind = VocosConfig()
    shape = VocoderShape(kind.inputs, kind.channels, kind.layers, kind.kernel, kind.fft, kind.hop)
    assert shape.lag_frames == 27
    assert shape.lag_samples == 27 * 300 + 450


def test_its_transform_is_torch_s_away_from_the_ends(generator):
    kind = KIND
    pieces = torch.randn(1, 12, kind.fft + 2, dtype=torch.float64)
    log_magnitude, phase = pieces.split(kind.fft // 2 + 1, dim=2)
    spectrum = torch.polar(log_magnitude.exp(), phase).transpose(1, 2)
    wanted = torch.istft(
        spectrum, kind.fft, kind.hop, window=torch.hann_window(kind.fft, dtype=torch.float64)
    )  # its sample 0 is the centre of frame 0; ours is half a hop before
    real, imaginary = (log_magnitude.exp() * f(phase) for f in (torch.cos, torch.sin))
    cut = torch.cat([real, imaginary], dim=2) @ generator.basis
    sound = torch.zeros(15 * 300, dtype=torch.float64)
    for index in range(12):
        sound[index * 300 : index * 300 + 1200] += cut[0, index]
    torch.testing.assert_close(sound[600:][900:2400], wanted[0][900:2400], atol=1e-6, rtol=0)


def test_loud_nonsense_stays_finite():
    made = VocosGenerator(KIND, 4)
    with torch.no_grad():
        made.out.weight.mul_(1e4)
        sound = made(
            torch.randn(1, KIND.inputs, 9), torch.randn(1, 4), torch.randn(1, 9, SHAPE.source_size)
        )
    assert sound.isfinite().all()


def test_with_gains_of_one_the_source_comes_out_again():
    """Analysis and synthesis fit together; only the sentence's ends fade."""
    made = VocosGenerator(KIND, 4).double()
    with torch.no_grad():
        made.out.weight.zero_()
        made.out.bias.zero_()
    f0 = np.full(30, 120.0, np.float32)
    source = torch.from_numpy(PulseSpectra(f0, 1200, seed=2)(0, 30)).double()
    sound = made(torch.randn(1, KIND.inputs, 30).double(), torch.randn(1, 4).double(), source)[0]
    track = SamplePhases(SourceRecipe(harmonics=1))
    cycles, hz = track.push(f0)
    wanted = pulse_train(cycles[:, 0], hz) + keyed_noise(2, 0, len(hz), 1)[:, 0]
    np.testing.assert_allclose(sound[450:-450].numpy(), wanted[450 : 9000 - 450], atol=1e-4)


def test_a_transform_that_is_not_four_hops_is_refused():
    with pytest.raises(ValueError, match="fft = 4 hop"):
        VocosGenerator(VocosConfig(fft=1024, hop=300), 4)
