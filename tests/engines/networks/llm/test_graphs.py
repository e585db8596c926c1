"""Every graph of the language model says in onnxruntime what torch says, at other lengths."""

import pytest
import torch

from rt_avatar.engines.networks.llm.graphs import cache_names, graphs
from tests.engines.networks.llm.tiny import SHARED, llama
from tests.engines.networks.parity import assert_parity

pytestmark = pytest.mark.networks

GRAPHS = {graph.name: graph for graph in graphs(llama())}
FORBIDDEN = {"Loop", "If", "NonZero", "RandomNormal", "ScatterND", "Einsum", "CumSum", "Dropout"}


def case(graph, tokens, past, batch=1):
    sizes = {"batch": batch, "tokens": tokens, "past": past, "total": past + tokens}
    made = {}
    for name, example in graph.inputs.items():
        shape = list(example.shape)
        for axis, what in graph.dynamic[name].items():
            shape[axis] = sizes[what]
        made[name] = torch.randn(shape)
        if name == "mask":
            made[name] = torch.ones(shape)
            if batch > 1 or tokens > 10:
                made[name][0, :2] = 0
        elif name == "ids":
            made[name] = torch.randint(0, SHARED.vocabulary, shape)
    return made


@pytest.mark.parametrize("name", GRAPHS)
def test_parity_at_lengths_that_were_not_traced(name, tmp_path):
    graph = GRAPHS[name]
    cases = [case(graph, 1, 1), case(graph, 1, 40), case(graph, 32, 17), case(graph, 7, 9, 2)]
    if name == "llm_extend":
        cases.append(case(graph, 4, 0))  # a past of nothing is a past
    assert not assert_parity(graph, tmp_path, cases, atol=1e-4) & FORBIDDEN


def test_names_tell_what_becomes_what():
    extend = GRAPHS["llm_extend"]
    names = cache_names(SHARED.layers)
    assert tuple(extend.inputs) == ("embeds", "mask", *names)
    assert extend.outputs == ("hidden", "logits", *(f"{name}_added" for name in names))
