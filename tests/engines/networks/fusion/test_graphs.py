"""Every graph of synchronizer and disentangler says in onnxruntime what torch says."""

import pytest
import torch

from rt_avatar.engines.networks.fusion.graphs import graphs
from tests.engines.networks.fusion.tiny import CONTENTS, STYLES, disentangler, synchronizer
from tests.engines.networks.parity import assert_parity

pytestmark = pytest.mark.networks

FORBIDDEN = {"Loop", "If", "NonZero", "RandomNormal", "ScatterND", "Einsum", "CumSum", "Dropout"}
MODELS = {
    "plain": ("plain", "plain"),
    "cross": ("cross", "cross"),
    "others": ("proportional", "add"),
    "windows": ("windows", "plain"),
}
GRAPHS = {
    (name, graph.name): graph
    for name, (content, style) in MODELS.items()
    for graph in graphs(synchronizer(CONTENTS[content]), disentangler(STYLES[style]))
}


@pytest.mark.parametrize(("name", "part"), GRAPHS)
def test_parity_at_lengths_that_were_not_traced(name, part, tmp_path):
    graph, cases = GRAPHS[name, part], []
    for tokens, out in ((1, 1), (9, 40), (33, 7)):
        sizes = {"tokens": tokens, "phonemes": out, "frames": out, "replies": out}
        case = {}
        for key, example in graph.inputs.items():
            shape = list(example.shape)
            for axis, what in graph.dynamic[key].items():
                shape[axis] = sizes[what]
            case[key] = torch.randn(shape)
            if key in ("reply_mask", "phonemes", "frames"):
                case[key] = (torch.arange(shape[1])[None] <= shape[1] // 2).float()
        cases.append(case)
    assert not assert_parity(graph, tmp_path, cases, atol=1e-4) & FORBIDDEN
