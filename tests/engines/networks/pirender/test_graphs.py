"""Both renderers leave torch as graphs that take any number of frames of a portrait."""

from dataclasses import replace

import pytest
import torch

from rt_avatar.engines.networks.pirender.graphs import graphs, nano_graphs
from tests.engines.networks.parity import assert_parity
from tests.engines.networks.pirender.networks import NARROW, SIZE, generator, motion, portrait
from tests.engines.networks.pirender.test_nano import TINY, nano

pytestmark = pytest.mark.networks


# One of each kind of part: the export grows with their number.
FEWER = replace(NARROW, warp_encoders=3, warp_decoders=2, edit_layers=2, edit_blocks=1)


def split() -> dict[str, tuple]:
    """Each graph, and the one that makes its portrait's maps."""
    both = graphs(generator(FEWER), SIZE) + nano_graphs(*nano(TINY), SIZE)
    return {
        frame.name: (frame, fold) for fold, frame in zip(both[::2], both[1::2], strict=True)
    } | {fold.name: (fold, None) for fold in both[::2]}


SPLIT = split()


@pytest.mark.parametrize("name", SPLIT)
def test_graph_says_what_torch_says(name, tmp_path):
    graph, fold = SPLIT[name]
    source = portrait()
    if fold is None:
        cases = [{"source": source}]
    else:
        with torch.no_grad():
            folded = dict(zip(fold.outputs, fold.module(source), strict=True))
        cases = [{"source": source, **folded, "window": motion(frames)} for frames in (1, 5, 2)]
    operations = assert_parity(graph, tmp_path, cases, atol=1e-4)
    assert not {"ScatterND", "Loop", "If", "NonZero", "Einsum"} & operations
    assert ("GridSample" in operations) == ("frame" in name)
