"""The trunk, the inverse transform and the two upsampling generators."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from rt_avatar.engines.networks.styletts2.istft import InverseStft
from rt_avatar.engines.networks.styletts2.primitives import Moments, snake
from rt_avatar.engines.networks.styletts2.upsampler import moment_channels, source_mix
from rt_avatar.engines.styletts2.windows import VoiceMoments, WindowedGenerator, plan
from tests.engines.networks.styletts2.reach import margin_frames
from tests.engines.networks.styletts2.tiny import LIBRI, LJ, SMALL_NANO, network

pytestmark = pytest.mark.networks
BOTH = pytest.mark.parametrize("config", [LJ, LIBRI], ids=lambda config: config.name)


@pytest.fixture(autouse=True)
def _no_gradients():
    torch.manual_seed(3)
    with torch.no_grad():
        yield


def test_the_trunk_gives_every_block_text_pitch_and_energy_anew():
    decoder = network(LJ).decoder
    aligned, style = torch.randn(1, 8, 7), torch.randn(1, 4)
    pitch, energy = torch.rand(1, 14) * 200, torch.randn(1, 14)
    f0, n = decoder.F0_conv(pitch[:, None]), decoder.N_conv(energy[:, None])
    assert f0.shape == (1, 1, 7)
    x = decoder.encode(torch.cat([aligned, f0, n], 1), style, Moments())
    for block in decoder.decode:
        beside = torch.cat([x, decoder.asr_res(aligned), f0, n], 1)
        x = block(beside, style, Moments())
    assert x.shape == (1, 16, 14)
    torch.testing.assert_close(decoder.trunk(aligned, pitch, energy, style), x)


def test_the_trunk_s_statistics_can_be_given_too():
    decoder, style = network(LJ).double().decoder, torch.randn(1, 4, dtype=torch.float64)
    curves = [torch.rand(1, 8, 60), 200 * torch.rand(1, 120), torch.randn(1, 120)]
    aligned, pitch, energy = (curve.double() for curve in curves)
    used = Moments()
    whole = decoder.trunk(aligned, pitch, energy, style, used)
    part = decoder.trunk(
        aligned[:, :, 10:50], pitch[:, 20:100], energy[:, 20:100], style, Moments(used.used())
    )
    margin = 20  # 9 to 10 frames of 25 ms on each side, as published
    torch.testing.assert_close(part[:, :, margin:-margin], whole[:, :, 20 + margin : 100 - margin])


def test_nano_s_trunk_has_no_statistics_and_is_exact_in_windows():
    decoder = network(SMALL_NANO).double().decoder
    style = torch.randn(1, 4, dtype=torch.float64)
    curves = [torch.rand(1, 8, 60), 200 * torch.rand(1, 120), torch.randn(1, 120)]
    aligned, pitch, energy = (curve.double() for curve in curves)
    whole = decoder.trunk(aligned, pitch, energy, style)
    part = decoder.trunk(aligned[:, :, 10:50], pitch[:, 20:100], energy[:, 20:100], style)
    torch.testing.assert_close(part[:, :, 14:-14], whole[:, :, 34:86])


@pytest.mark.parametrize(("size", "frames"), [(20, 2), (20, 61), (20, 1201), (16, 9)])
def test_the_inverse_transform_is_torch_s_to_a_millionth(size, frames):
    """Magnitudes and phases as a generator gives them, which are the spectrum of no sound."""
    magnitude, phase = torch.randn(2, 1, size // 2 + 1, frames, dtype=torch.float64)
    spectrum = torch.polar(magnitude.exp(), phase.sin())
    window, hop = torch.hann_window(size, dtype=torch.float64), size // 4
    wanted = torch.istft(spectrum, size, hop, window=window)[0]
    got = InverseStft(size, hop)(spectrum.real.float(), spectrum.imag.float())
    assert got.shape == (1, 1, (frames - 1) * hop)
    scale = wanted.abs().max()
    torch.testing.assert_close(got[0, 0] / scale, (wanted / scale).float(), rtol=0, atol=1e-6)


def sentence(config, frames):
    """Inputs for a generator, in double precision."""
    kind = config.generator
    spectral = kind.kind == "istftnet"
    columns = frames * 60 + 1 if spectral else frames * 300
    shapes = (1, kind.channels, frames), (1, config.style), (1, kind.source_channels, columns)
    return [torch.randn(shape, dtype=torch.float64) for shape in shapes]


@BOTH
@pytest.mark.parametrize("frames", [3, 10])
def test_300_samples_a_frame(config, frames):
    generator = network(config).double().decoder.generator
    sound, used = generator.whole(*sentence(config, frames))
    assert sound.shape == (1, 1, 300 * frames)
    assert used.shape == (1, 2, moment_channels(config.generator))
    assert sound.isfinite().all()


def test_istftnet_uses_the_slopes_and_the_reflected_frame_of_its_reference():
    generator = network(LJ).double().decoder.generator
    x, style, source = sentence(LJ, 4)
    y = x
    for stage, (rate, kernel, padding) in enumerate([(10, 20, 5), (6, 12, 3)]):
        up = generator.ups[stage]
        y = F.conv_transpose1d(F.leaky_relu(y, 0.1), up.weight, up.bias, rate, padding)
        assert kernel == up.weight.shape[2]
        if stage == 1:
            y = F.pad(y, (1, 0), mode="reflect")
        added = generator.noise_convs[stage](source)
        y = y + generator.noise_res[stage](added, style, Moments())
        blocks = generator.resblocks[3 * stage : 3 * stage + 3]
        y = sum(block(y, style, Moments()) for block in blocks) / 3
    y = generator.conv_post(F.leaky_relu(y))
    spectrum = torch.polar(y[:, :11].exp(), y[:, 11:].sin())
    wanted = torch.istft(spectrum, 20, 5, window=torch.hann_window(20, dtype=torch.float64))
    torch.testing.assert_close(
        generator(x, style, source, Moments())[0], wanted, atol=1e-5, rtol=1e-5
    )
    strides = [(conv.kernel_size, conv.stride, conv.padding) for conv in generator.noise_convs]
    assert strides == [((12,), (6,), (3,)), ((1,), (1,), (0,))]


def test_hifigan_uses_snake_before_every_stage_and_tanh_at_the_end():
    generator = network(LIBRI).double().decoder.generator
    x, style, source = sentence(LIBRI, 4)
    y = x
    table = [(10, 5, 0, 20), (5, 3, 1, 10), (3, 2, 1, 6), (2, 1, 0, 4)]
    for stage, (rate, padding, extra, kernel) in enumerate(table):
        up = generator.ups[stage]
        assert kernel == up.weight.shape[2]
        y = snake(y, generator.alphas[stage])
        y = F.conv_transpose1d(y, up.weight, up.bias, rate, padding, extra)
        added = generator.noise_convs[stage](source)
        y = y + generator.noise_res[stage](added, style, Moments())
        blocks = generator.resblocks[3 * stage : 3 * stage + 3]
        y = sum(block(y, style, Moments()) for block in blocks) / 3
    wanted = torch.tanh(generator.conv_post(snake(y, generator.alphas[4])))
    torch.testing.assert_close(generator(x, style, source, Moments()), wanted)
    strides = [(conv.kernel_size, conv.stride, conv.padding) for conv in generator.noise_convs]
    assert strides == [
        ((60,), (30,), (15,)),
        ((12,), (6,), (3,)),
        ((4,), (2,), (1,)),
        ((1,), (1,), (0,)),
    ]


def runner(generator):
    def run(inputs):
        given = [torch.from_numpy(np.asarray(inputs[k], np.float64)) for k in
                 ("x", "style", "source", "moments", "momentum")]  # fmt: skip
        pcm, used = generator.window(*given)
        return {"pcm": pcm.numpy(), "used": used.numpy()}

    return run


def by_windows(config, source):
    """A source that is there whole, as windows ask for it."""
    step, extra = (60, 1) if config.generator.kind == "istftnet" else (300, 0)
    return lambda first, last: source.numpy()[:, :, step * first : step * last + extra]


@BOTH
@pytest.mark.parametrize(
    ("frames", "emit"), [(45, 16), (45, 7), (44, 16), (29, 1), (28, 16), (13, 4), (2, 1), (1, 16)]
)
def test_windows_with_given_statistics_are_the_whole_to_the_last_digits(config, frames, emit):
    generator = network(config).double().decoder.generator
    x, style, source = sentence(config, frames)
    whole, used = generator.whole(x, style, source)
    windows = WindowedGenerator(runner(generator), emit=emit, margin=12)
    voiced = np.ones(frames, bool)
    given = VoiceMoments(used.numpy(), renew=False)
    pieces = list(
        windows.sound(
            x.numpy(),
            style.numpy(),
            by_windows(config, source),
            voiced,
            given,
        )
    )
    assert [len(piece) for piece in pieces[:-1]] == [300 * emit] * (len(pieces) - 1)
    np.testing.assert_allclose(np.concatenate(pieces), whole[0, 0].numpy(), rtol=0, atol=1e-12)


@BOTH
def test_a_margin_that_is_too_small_is_heard(config):
    generator = network(config).double().decoder.generator
    x, style, source = sentence(config, 45)
    whole, used = generator.whole(x, style, source)
    errors = []
    for margin in (0, 4, margin_frames(config.generator)):
        windows = WindowedGenerator(runner(generator), emit=16, margin=margin)
        given = VoiceMoments(used.numpy(), renew=False)
        sound = windows.sound(
            x.numpy(),
            style.numpy(),
            by_windows(config, source),
            np.ones(45, bool),
            given,
        )
        errors.append(np.abs(np.concatenate(list(sound)) - whole[0, 0].numpy()).max())
    assert errors[0] > errors[1] > 1e-6
    assert errors[2] < 1e-12


@BOTH
def test_running_statistics_settle_on_those_of_the_sentence(config):
    generator = network(config).double().decoder.generator
    x, style, source = sentence(config, 160)
    whole, used = generator.whole(x, style, source)
    windows = WindowedGenerator(runner(generator), emit=16, margin=12)
    running = VoiceMoments(channels=used.shape[2])
    sound = windows.sound(
        x.numpy(),
        style.numpy(),
        by_windows(config, source),
        np.ones(160, bool),
        running,
    )
    together = np.concatenate(list(sound))
    assert together.shape == whole[0, 0].shape
    deviation = np.sqrt(np.mean((together - whole[0, 0].numpy()) ** 2) / np.var(whole.numpy()))
    assert 0 < deviation < 0.05  # of noise as input, 1.5 s of it at first; not of speech


def test_the_plan_keeps_every_frame_once():
    for frames, emit, margin, settle in (
        (1, 16, 12, 0), (45, 16, 12, 0), (45, 16, 12, 120), (200, 16, 12, 120), (201, 7, 9, 31),
    ):  # fmt: skip
        windows = plan(frames, emit, margin, settle)
        kept = [n for w in windows for n in range(w.keep_first, w.keep_last)]
        assert kept == list(range(frames))
        for w in windows:
            assert w.first in (0, w.keep_first - margin)
            assert w.last == frames or w.last >= w.keep_last + margin
        assert windows[0].last >= min(settle, frames)


def test_the_weights_of_the_source_are_handed_out():
    generator = network(LJ).decoder.generator
    weight, bias = source_mix(generator)
    assert weight.shape == (9,)
    assert math.isclose(bias, generator.m_source.l_linear.bias.item())
