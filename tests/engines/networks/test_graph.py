"""A graph is exported with the inputs it names."""

import numpy as np
import onnx
import pytest
import torch
from torch import nn

from rt_avatar.engines.networks.graph import Graph, export_onnx, gather
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.runtimes import OnnxRuntime

pytestmark = pytest.mark.networks


class Difference(nn.Module):
    def forward(self, one, other):
        return one - other


def test_examples_that_share_a_tensor_are_refused(tmp_path):
    """The exporter made one input of two, and the graph answered something else."""
    shared = torch.zeros(3)
    graph = Graph("difference", Difference(), {"one": shared, "other": shared}, ("out",))
    with pytest.raises(ValueError, match="own tensor"):
        export_onnx(graph, tmp_path / "difference.onnx")


def test_weights_in_many_files_become_one(tmp_path):
    """So the older exporter leaves them beyond 2 GiB, a file for every tensor."""
    module = nn.Sequential(nn.Linear(40, 30), nn.Linear(30, 20)).eval()
    graph = Graph("large", module, {"x": torch.zeros(2, 40)}, ("y",), traced=True)
    path = tmp_path / "large.onnx"
    export_onnx(graph, path)
    assert [file.name for file in tmp_path.iterdir()] == ["large.onnx"]
    onnx.save_model(
        onnx.load(path), path, save_as_external_data=True, all_tensors_to_one_file=False,
        size_threshold=0,
    )  # fmt: skip
    assert len(list(tmp_path.iterdir())) == 5
    gather(path)
    assert {file.name for file in tmp_path.iterdir()} == {"large.onnx", "large.onnx.data"}
    x = np.ones((2, 40), np.float32)
    wanted = TorchRuntime(graph).run({"x": x})["y"]
    np.testing.assert_allclose(OnnxRuntime(path).run({"x": x})["y"], wanted, atol=1e-5)
    written = (path.stat().st_size, (tmp_path / "large.onnx.data").stat().st_size)
    gather(path)  # nothing to do
    assert written == (path.stat().st_size, (tmp_path / "large.onnx.data").stat().st_size)


@pytest.mark.filterwarnings("error")
def test_the_reference_takes_arrays_that_cannot_be_written():
    module = nn.Linear(3, 2).eval()
    runtime = TorchRuntime(Graph("small", module, {"x": torch.zeros(1, 3)}, ("y",)))
    x = np.broadcast_to(np.float32(0.5), (1, 3))
    made = runtime.run({"x": x})["y"]
    np.testing.assert_allclose(made, module(torch.full((1, 3), 0.5)).detach(), atol=1e-6)
