"""Every graph of the encoders says in onnxruntime what torch says, at other lengths."""

import pytest
import torch

from rt_avatar.engines.encoders.waveform import features_of
from rt_avatar.engines.networks.encoders.graphs import graphs
from tests.engines.networks.encoders.tiny import projections, speech, vision
from tests.engines.networks.parity import assert_parity

pytestmark = pytest.mark.networks

GRAPHS = {graph.name: graph for graph in graphs(speech(), vision(), *projections())}
FORBIDDEN = {"Loop", "If", "NonZero", "RandomNormal", "ScatterND", "Einsum", "Dropout"}


@pytest.mark.parametrize("name", GRAPHS)
def test_parity_at_three_lengths(name, tmp_path):
    graph, cases = GRAPHS[name], []
    for length in (1, 3, 30):
        case = {}
        for part, example in graph.inputs.items():
            shape = list(example.shape)
            for axis, what in graph.dynamic.get(part, {}).items():
                shape[axis] = 720 + 320 * length + 111 if what == "samples" else length
            case[part] = torch.ones(shape) if part == "mask" else torch.randn(shape)
        cases.append(case)
    assert not assert_parity(graph, tmp_path, cases, atol=1e-4) & FORBIDDEN
    if name == "encoders_speech":
        with torch.no_grad():
            out = graph.module(cases[0]["wave"])
        assert out.shape[1] == features_of(cases[0]["wave"].shape[1])
