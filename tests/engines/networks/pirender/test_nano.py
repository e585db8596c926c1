"""The small renderer: within its budget, steered by the motion, the portrait's maps made once."""

from dataclasses import replace

import pytest
import torch

from rt_avatar.engines.networks.pirender.config import NANO, MappingConfig, NanoRendererConfig
from rt_avatar.engines.networks.pirender.graphs import nano_graphs
from rt_avatar.engines.networks.pirender.nano import (
    NanoRenderer,
    PortraitPyramid,
    centres,
    crisper,
    moved,
)
from tests.engines.networks.pirender.networks import SIZE, motion, portrait

pytestmark = pytest.mark.networks

TINY = replace(
    NANO, mapping=MappingConfig(width=8), modulation=8, channels=(4, 6, 8, 8), flow_width=4
)


def nano(config: NanoRendererConfig = TINY) -> tuple[PortraitPyramid, NanoRenderer]:
    """Both networks, with a flow that is not zero as a fresh one's would be."""
    torch.manual_seed(0)
    pyramid, renderer = PortraitPyramid(config).eval(), NanoRenderer(config).eval()
    for layer in (renderer.flow_out, renderer.flow_fine):
        layer.weight.data += 0.1 * torch.randn_like(layer.weight)
    return pyramid.requires_grad_(False), renderer.requires_grad_(False)


def test_parameters_keep_the_budget():
    parts = PortraitPyramid(NANO), NanoRenderer(NANO)
    parameters = sum(p.numel() for part in parts for p in part.parameters())
    assert 1_000_000 < parameters < 1_500_000


def test_a_frame_has_256_rows_and_columns():
    pyramid, renderer = nano()
    frame = renderer(*pyramid(portrait(1, 256)), motion())
    assert frame.shape == (1, 3, 256, 256)
    assert frame.abs().max() <= 1


def test_frames_of_one_portrait_are_each_their_own():
    pyramid, renderer = nano()
    maps, windows = pyramid(portrait()), motion(5)
    together = renderer(*maps, windows)
    assert together.shape == (5, 3, SIZE, SIZE)
    for row in range(5):
        alone = renderer(*maps, windows[row : row + 1])
        torch.testing.assert_close(together[row : row + 1], alone, atol=1e-5, rtol=0)
    assert (together[0] - together[1]).abs().max() > 1e-3


def test_a_batch_may_show_a_portrait_each():
    pyramid, renderer = nano()
    sources, windows = portrait(3), motion(3)
    together = renderer(*pyramid(sources), windows)
    for row in range(3):
        one = slice(row, row + 1)
        alone = renderer(*pyramid(sources[one]), windows[one])
        torch.testing.assert_close(together[one], alone, atol=1e-5, rtol=0)


@pytest.mark.parametrize("size", [(8, 8), (4, 6)])
def test_no_flow_moves_nothing(size):
    features = torch.randn(1, 3, 16, 24)
    torch.testing.assert_close(
        moved(features, torch.zeros(2, 2, *size)), features.expand(2, -1, -1, -1)
    )


def test_a_flow_counts_in_halves_of_the_map_x_before_y():
    features = torch.randn(1, 2, 8, 8)
    flow = torch.zeros(1, 2, 8, 8)
    flow[:, 0], flow[:, 1] = 2 / 8 * 3, 2 / 8 * -1
    got = moved(features, flow)
    torch.testing.assert_close(got[..., 1:, :5], features[..., :-1, 3:])


@pytest.mark.parametrize("size", [32, 112])
def test_a_picture_that_cannot_be_halved_so_often_is_refused(size):
    with pytest.raises(ValueError, match=f"multiple of 32 pixels from 64 on; got {size}"):
        nano_graphs(*nano(), size)


def test_all_maps_and_the_portrait_move_by_the_same_flow():
    """By one place of the smallest: the frame of maps that were shifted, and do not flow."""
    pyramid, renderer = nano()
    maps, window = pyramid(portrait()), motion()
    for layer in (renderer.flow_out, renderer.flow_fine):
        layer.weight.zero_()
    smallest = SIZE // 32
    renderer.flow_out.bias[0] = 2 / smallest
    flowing = renderer(*maps, window)
    renderer.flow_out.bias.zero_()
    shifted = [
        torch.nn.functional.pad(each, (0, each.shape[-1] // smallest, 0, 0), mode="replicate")[
            ..., -each.shape[-1] :
        ]
        for each in maps
    ]
    torch.testing.assert_close(flowing, renderer(*shifted, window), atol=1e-4, rtol=0)
    assert (flowing - renderer(*maps, window)).abs().max() > 0.01


def test_what_a_call_holds_still_says_nothing():
    """Crop and depth are pixels of another renderer, and rows 52 to 63 are reserved."""
    pyramid, renderer = nano()
    maps, window = pyramid(portrait()), motion()
    other = window.clone()
    other[:, 52:64], other[:, 69:] = 3.0, 130.0
    assert torch.equal(renderer(*maps, window), renderer(*maps, other))
    other[:, 64] += 0.1
    assert not torch.equal(renderer(*maps, window), renderer(*maps, other))


def test_a_picture_that_is_not_painted_over_is_the_moved_portrait():
    pyramid, renderer = nano()
    source = portrait()
    for layer in (renderer.flow_out, renderer.flow_fine):
        layer.weight.zero_()
    renderer.colours.weight[12:] = 0.0
    renderer.colours.bias[12:] = -30.0
    frame = renderer(*pyramid(source), motion())
    torch.testing.assert_close(frame, crisper(source), atol=1e-5, rtol=0)


def test_a_portrait_moved_by_any_part_of_a_place_stays_as_sharp_as_it_was():
    """Stripes of eight places, moved by every share of one: their mean height is their own."""
    x = torch.arange(64) * (2 * torch.pi / 8)
    stripes = x.sin().expand(1, 3, 64, 64)
    shares = torch.arange(-7, 9) / 16
    flow = torch.zeros(len(shares), 2, 64, 64)
    flow[:, 0] = shares[:, None, None] * (2 / 64)

    def height(pictures):
        return float(pictures[..., 8:-8].std() / stripes[..., 8:-8].std())

    assert height(moved(stripes, flow)) < 0.96
    assert height(moved(crisper(stripes), flow)) == pytest.approx(1, abs=0.03)


def test_every_gain_and_shift_moves_the_frame():
    pyramid, renderer = nano()
    maps, window = pyramid(portrait()), motion()
    before = renderer(*maps, window)
    steering = renderer.modulation[-1].bias
    for part in steering.split(renderer.sizes):  # a view of each norms' pair
        for half in part.chunk(4):
            half += 0.5
            assert (renderer(*maps, window) - before).abs().max() > 1e-5
            half -= 0.5


def test_centres_lie_half_a_place_inside():
    x, y = centres(2, 4)[0]
    assert x[0].tolist() == [-0.75, -0.25, 0.25, 0.75]
    assert y[:, 0].tolist() == [-0.5, 0.5]


def test_training_begins_with_the_portrait_unmoved_and_reaches_every_weight():
    torch.manual_seed(0)
    pyramid, renderer = PortraitPyramid(TINY), NanoRenderer(TINY)
    assert renderer.flow_out.weight.abs().max() == 0
    assert renderer.flow_fine.weight.abs().max() == 0
    optimiser = torch.optim.SGD([*pyramid.parameters(), *renderer.parameters()], lr=0.1)
    for _ in range(2):  # the first step frees the flow
        optimiser.zero_grad()
        frames = renderer(*pyramid(portrait()), motion(2))
        (frames - portrait(2)).square().mean().backward()
        optimiser.step()
    still = [
        name
        for part in (pyramid, renderer)
        for name, parameter in part.named_parameters()
        if parameter.dim() > 1 and not parameter.grad.abs().sum() > 0
    ]
    assert still == []
