"""Every graph of DreamTalk leaves torch as plain products, for any number of frames."""

import pytest
import torch

from rt_avatar.engines.networks.dreamtalk.graphs import graphs
from tests.engines.networks.dreamtalk.networks import network
from tests.engines.networks.parity import assert_parity

pytestmark = pytest.mark.networks

SPLIT = {graph.name: graph for graph in graphs(network().net)}


@pytest.mark.parametrize("name", SPLIT)
def test_graph_says_what_torch_says(name, tmp_path):
    graph, cases = SPLIT[name], []
    graph.module.train()  # dropout would be exported with it
    for length in (1, 5, 12, 256) if "clip" in graph.inputs else (1, 5, 12):
        case = {}
        for part, example in graph.inputs.items():
            shape = list(example.shape)
            if part != "time":  # a row of its table
                shape[1 if part == "clip" else 0] = length
            case[part] = torch.randn(shape)
        cases.append(case)
    operations = assert_parity(graph, tmp_path, cases, atol=1e-5)
    assert not {"ScatterND", "Loop", "If", "NonZero", "RandomNormal", "Einsum"} & operations
