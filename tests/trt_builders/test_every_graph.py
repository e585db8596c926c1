"""Every graph of every network of the catalogue: what TensorRT takes, and in fp16 what torch says.

Nano at its size; the official kinds with few numbers. What is added to the catalogue is tested here
without being named.
"""

from dataclasses import replace

import pytest

from rt_avatar.engines.networks.sizes import SIZES
from rt_avatar.engines.networks.styletts2.config import CONFIGS
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.trt_builders.budget import Budget
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs
from rt_avatar.trt_builders.export import FP32_GRAPHS, FP32_NODES, export_graph, read_export
from rt_avatar.trt_builders.samples import LENGTHS
from rt_avatar.trt_builders.verify import verify
from tests.engines.networks.pirender.networks import NARROW
from tests.engines.networks.small_empatheia import SIZES_SMALL
from tests.engines.networks.styletts2.tiny import KOK, LJ, lean

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def few_numbers(monkeypatch):
    """The official kinds, small enough for a test."""
    steps = (901, 1)  # the sampler's export grows with them
    # The renderer with all its parts, narrow: here alone it is exported so.
    sizes = replace(SIZES_SMALL, steps=steps, face=NARROW)
    monkeypatch.setitem(SIZES, "empatheia", sizes)
    monkeypatch.setitem(CONFIGS, "ljspeech", lean(LJ))
    monkeypatch.setitem(CONFIGS, "kokoro", lean(KOK))


@pytest.mark.parametrize("name", NETWORKS)
def test_every_graph_is_taken_and_says_what_torch_says_at_three_lengths(name, tmp_path):
    graphs, _ = make_graphs(NETWORKS[name])
    assert graphs
    for graph in graphs:
        path = export_graph(name, graph, tmp_path, "fp16")  # refuses what TensorRT does not take
        precision = read_export(path).precision
        assert (precision == "fp16") == (graph.name not in FP32_GRAPHS), graph.name
        compared = list(verify(graph, OnnxRuntime(path), precision, Budget()))
        assert [each for each in compared if each.wrong] == []
        assert len(compared) == (LENGTHS if graph.dynamic else 1) * len(graph.outputs), graph.name
        path.unlink()  # all of nano is 120 MB


def test_what_is_to_stay_fp32_names_graphs_that_there_are():
    names = {graph.name for name in NETWORKS for graph in make_graphs(NETWORKS[name])[0]}
    assert {*FP32_GRAPHS, *FP32_NODES} <= names
