"""An exported graph has a record, and is no longer trusted once it was changed."""

import numpy as np
import onnx
import pytest
import torch
from torch import nn

from rt_avatar.engines.networks import graph as graph_module
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.export import FP32_GRAPHS, export_graph, parts, read_export, record_path
from tests.trt_builders.tiny import tiny

pytestmark = pytest.mark.networks


def test_a_record_says_what_a_file_was_made_from(tmp_path):
    path = export_graph("tiny", tiny(), tmp_path, weights_sha256={"kokoro-82m": "ab"}, seed=3)
    assert path == tmp_path / "tiny" / "fusion_tiny.onnx"
    record = read_export(path)
    assert (record.network, record.graph, record.precision) == ("tiny", "fusion_tiny", "fp32")
    assert (record.opset, record.seed, record.weights_sha256) == (18, 3, {"kokoro-82m": "ab"})
    assert record.size_bytes == path.stat().st_size
    assert set(record.tools) == {"torch", "onnx", "onnxscript", "onnxruntime"}
    assert record.nodes == len(onnx.load(path).graph.node)


def test_a_changed_file_is_not_the_exported_one(tmp_path):
    path = export_graph("tiny", tiny(), tmp_path)
    content = path.read_bytes()
    path.write_bytes(content + b"\0")
    with pytest.raises(BuildError, match=r"was changed.*rt-avatar engines export"):
        read_export(path)
    path.write_bytes(content)
    read_export(path)
    for wrong in ("", "{}", "[]"):
        record_path(path).write_text(wrong)
        with pytest.raises(BuildError, match="expected an exported graph"):
            read_export(path)


def test_fp16_is_recorded_only_where_it_was_made(tmp_path):
    assert read_export(export_graph("t", tiny(), tmp_path, "fp16")).precision == "fp16"
    for name in FP32_GRAPHS:
        assert read_export(export_graph("t", tiny(name), tmp_path, "fp16")).precision == "fp32"


class Chance(nn.Module):
    def forward(self, x):
        return x + torch.randn_like(x)


def test_a_graph_with_chance_in_it_is_not_kept(tmp_path):
    with pytest.raises(BuildError, match=r"fusion_tiny: expected.*RandomNormalLike.*chance"):
        export_graph("tiny", tiny(module=Chance()), tmp_path)
    assert not list(tmp_path.rglob("*.onnx*"))


def test_weights_beyond_the_limit_lie_beside_the_graph(tmp_path, monkeypatch):
    monkeypatch.setattr(graph_module, "ONE_FILE_BYTES", 100)
    module = nn.Linear(300, 20).eval()
    graph = Graph("large", module, {"x": torch.zeros(2, 300)}, ("y",))
    path = export_graph("large", graph, tmp_path)
    assert [each.name for each in parts(path)] == ["large.onnx", "large.onnx.data"]
    x = np.ones((2, 300), np.float32)
    with torch.inference_mode():
        wanted = module(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(OnnxRuntime(path).run({"x": x})["y"], wanted, atol=1e-5)
    before = read_export(path)
    data = bytearray(parts(path)[1].read_bytes())
    data[7] ^= 1
    parts(path)[1].write_bytes(data)
    with pytest.raises(BuildError, match="was changed"):
        read_export(path)
    assert before.size_bytes == sum(each.stat().st_size for each in parts(path))
    with pytest.raises(
        BuildError, match=r"large: .* fp16; got .* in memory\. Take --precision fp32"
    ):
        export_graph("large", graph, tmp_path, "fp16")
    assert parts(path)[1].read_bytes() == bytes(data)  # what was there is not lost
