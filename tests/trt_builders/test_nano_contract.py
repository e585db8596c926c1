"""The contract of the graph's engines once more, over nano as it is exported, on onnxruntime."""

import pytest

from engines.runtimes import OnnxRuntime
from tests.engines.empatheia.torch.made import by_torch, make_engines, make_parts
from tests.engines.empatheia.torch.test_contract import *  # noqa: F403
from trt_builders.catalogue import NETWORKS
from trt_builders.export import export_graph

pytestmark = pytest.mark.networks
ELSEWHERE = ("llm_", "fusion_")  # no engines of the contract; their parity has tests of its own


@pytest.fixture(scope="module")
def engines(tmp_path_factory):
    """All stages, run by onnxruntime."""
    folder = tmp_path_factory.mktemp("nano")

    def by_onnxruntime(graph):
        if graph.name.startswith(ELSEWHERE):
            return by_torch(graph)
        network = NETWORKS.get(f"{graph.name.partition('_')[0]}-nano")
        precision = network.precision if network else "fp32"
        return OnnxRuntime(export_graph("nano", graph, folder, precision)).run

    return make_engines(make_parts(), by_onnxruntime)
