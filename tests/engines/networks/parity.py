"""Whether an exported graph says what its module says, at lengths that it was not traced at.

And whether it may go on to TensorRT: only what that takes, and the same in mixed precision.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from rt_avatar.engines.networks.graph import OPSET, Graph, export_onnx
from rt_avatar.trt_builders.export import FP32_GRAPHS, FP32_IF_THERE, FP32_NODES
from rt_avatar.trt_builders.operators import check_graph
from rt_avatar.trt_builders.precision import to_fp16
from rt_avatar.trt_builders.verify import TOLERANCE, judge

Inputs = Mapping[str, torch.Tensor]


def assert_parity(graph: Graph, folder: Path, cases: Iterable[Inputs], atol: float) -> set[str]:
    """Export, run each case on one thread of onnxruntime and in torch, compare every output.

    In fp32 within ``atol``; in fp16, but for graphs that stay as they are, within the tolerance of
    ``verify``.

    Returns:
        The operations in the graph.
    """
    path = folder / f"{graph.name}.onnx"
    export_onnx(graph, path)
    model = onnx.load(path)
    assert {entry.domain: entry.version for entry in model.opset_import}[""] == OPSET
    assert check_graph(model) == []
    exact, narrow = session(model), None
    if graph.name not in FP32_GRAPHS:
        mixed = to_fp16(model, FP32_NODES.get(graph.name, ()), FP32_IF_THERE).model
        assert check_graph(mixed) == []
        narrow = session(mixed)
    assert [entry.name for entry in exact.get_inputs()] == list(graph.inputs)
    assert [entry.name for entry in exact.get_outputs()] == list(graph.outputs)
    for case in cases:
        feeds = {name: case[name].numpy() for name in graph.inputs}
        with torch.no_grad():
            expected = graph.module(*(case[name] for name in graph.inputs))
        expected = expected if isinstance(expected, tuple) else (expected,)
        wanted = [value.numpy() for value in expected]
        for got, want in zip(exact.run(None, feeds), wanted, strict=True):
            np.testing.assert_allclose(got, want, atol=atol, rtol=0)
        for got, want in zip(narrow.run(None, feeds), wanted, strict=True) if narrow else ():
            error, wrong = judge(got, want, TOLERANCE["fp16"])
            assert not wrong, f"{graph.name} in fp16: {wrong}; {error}"
    return set(operations(model.graph))


def operations(graph: onnx.GraphProto) -> Iterator[str]:
    """Yield the names of all operations in a graph, branches and bodies included."""
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from operations(attribute.g)


def session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    """Return a graph on one thread of onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
