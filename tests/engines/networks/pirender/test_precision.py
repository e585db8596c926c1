"""Half precision in the convolutions alone: the same picture to the eye, places exact."""

import pytest
import torch
from torch import nn

from engines.networks.pirender.folded import FoldedGenerator, PortraitFold
from engines.networks.pirender.precision import HalfConvolution, with_half_convolutions
from tests.engines.networks.pirender.networks import SIZE, generator, motion, portrait
from tests.engines.networks.pirender.test_nano import nano

pytestmark = pytest.mark.networks

GOOD_DB = 45


def psnr_db(one: torch.Tensor, other: torch.Tensor) -> float:
    """Of pictures in -1..1."""
    return float(10 * torch.log10(4 / (one - other).square().mean()))


def test_the_published_renderer_differs_by_less_than_an_eye_sees():
    net, source, windows = generator(), portrait(), motion(2)
    fold, frame = PortraitFold(net), FoldedGenerator(net, SIZE)
    expected = frame(source, *fold(source), windows)
    half = with_half_convolutions(frame)
    got = half(source, *with_half_convolutions(fold)(source), windows)
    assert got.dtype == torch.float32
    assert GOOD_DB < psnr_db(got, expected) < 120  # something is in half precision
    assert torch.equal(frame(source, *fold(source), windows), expected)  # the plain one is intact


def test_the_small_renderer_differs_by_less_than_an_eye_sees():
    pyramid, renderer = nano()
    maps, windows = pyramid(portrait()), motion(2)
    got = with_half_convolutions(renderer)(*maps, windows)
    assert GOOD_DB < psnr_db(got, renderer(*maps, windows)) < 120


def test_only_convolutions_of_pictures_are_halved_and_the_flow_is_not():
    half = with_half_convolutions(FoldedGenerator(generator(), SIZE))
    kinds = {name: type(part) for name, part in half.named_modules()}
    assert kinds["warping.flow_out.2"] is nn.Conv2d
    assert kinds["mapping_net.first.0"] is nn.Conv1d
    assert kinds["edit_moved"] is kinds["editing.ups.0.0.phases"] is HalfConvolution
    assert kinds["warping.ups.0.conv_s"] is HalfConvolution  # a transposed one
    typed = {name: value.dtype for name, value in half.named_parameters()}
    halved = {name for name, dtype in typed.items() if dtype == torch.float16}
    assert halved == {name for name in typed if ".inner." in name}


def test_weights_beyond_half_precision_are_refused():
    net = nn.Sequential(nn.Conv2d(1, 1, 1))
    net[0].weight.data.fill_(1e5)
    with pytest.raises(ValueError, match=r"weights of 0 .* got 100000"):
        with_half_convolutions(net)


def test_norms_hold_what_half_precision_could_not():
    """The sum of squares over a map of 64 x 64 at 300 is far beyond 65,504."""
    _, renderer = nano()
    block = with_half_convolutions(renderer).eighth_block
    x = 300 + 10 * torch.randn(1, 8, 64, 64)
    gains = torch.zeros(1, 32, 1, 1)
    assert psnr_db(block(x, gains) / 400, renderer.eighth_block(x, gains) / 400) > GOOD_DB
