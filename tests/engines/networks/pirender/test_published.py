"""The renderer is the published one: how its layers are put together, not only their names."""

import pytest
import torch

from rt_avatar.engines.networks.pirender.folded import FoldedGenerator, PortraitFold
from tests.engines.networks.pirender.networks import SIZE, generator, motion, portrait
from tests.engines.networks.pirender.published import Published

pytestmark = pytest.mark.networks


@torch.inference_mode()
def test_flow_moved_portrait_and_frame_are_the_published_networks():
    net, source, windows = generator(), portrait(3), motion(3)
    net.warpping_net.flow_out[2].weight.mul_(4)  # so that places move by pixels, beyond the border
    published = Published(net.state_dict())
    flow, moved, frame = net(source, windows)
    folded = FoldedGenerator(net, SIZE)(source, *PortraitFold(net)(source), windows)
    assert flow.abs().max() > 2
    assert frame.std() > 0.05
    for row in (slice(0, 1), slice(1, 2), slice(2, 3)):
        expected = published(source[row], windows[row])
        for got, wanted in zip((flow, moved, frame), expected, strict=True):
            torch.testing.assert_close(got[row], wanted, atol=1e-4, rtol=0)
        torch.testing.assert_close(folded[row], expected[2], atol=1e-4, rtol=0)
