"""A graph is exported with the inputs it names."""

import pytest
import torch
from torch import nn

from engines.networks.graph import Graph, export_onnx

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
