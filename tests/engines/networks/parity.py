"""Whether an exported graph says what its module says, at lengths that it was not traced at."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from engines.networks.graph import OPSET, Graph, export_onnx

Inputs = Mapping[str, torch.Tensor]


def assert_parity(graph: Graph, folder: Path, cases: Iterable[Inputs], atol: float) -> set[str]:
    """Export, run each case on one thread of onnxruntime and in torch, compare every output.

    Returns:
        The operations in the graph.
    """
    path = folder / f"{graph.name}.onnx"
    export_onnx(graph, path)
    model = onnx.load(path)
    assert {entry.domain: entry.version for entry in model.opset_import}[""] == OPSET
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    assert [entry.name for entry in session.get_inputs()] == list(graph.inputs)
    assert [entry.name for entry in session.get_outputs()] == list(graph.outputs)
    for case in cases:
        feeds = {name: case[name].numpy() for name in graph.inputs}
        with torch.no_grad():
            expected = graph.module(*(case[name] for name in graph.inputs))
        expected = expected if isinstance(expected, tuple) else (expected,)
        for got, wanted in zip(session.run(None, feeds), expected, strict=True):
            np.testing.assert_allclose(got, wanted.numpy(), atol=atol, rtol=0)
    return {node.op_type for node in model.graph.node}
