"""The contract of the graph's engines once more, over nano on onnxruntime."""

import pytest

from engines.networks.graph import export_onnx
from engines.runtimes import OnnxRuntime
from tests.engines.empatheia.torch.made import by_torch, make_engines, make_parts
from tests.engines.empatheia.torch.test_contract import *  # noqa: F403

pytestmark = pytest.mark.networks
ELSEWHERE = ("llm_", "fusion_")  # no engines of the contract; their parity has tests of its own


@pytest.fixture(scope="module")
def engines(tmp_path_factory):
    """All stages, run by onnxruntime."""
    folder = tmp_path_factory.mktemp("nano")

    def by_onnxruntime(graph):
        if graph.name.startswith(ELSEWHERE):
            return by_torch(graph)
        export_onnx(graph, folder / f"{graph.name}.onnx")
        return OnnxRuntime(folder / f"{graph.name}.onnx").run

    return make_engines(make_parts(), by_onnxruntime)
