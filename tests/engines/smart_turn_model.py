"""A network of smart-turn's shape: it takes a loud end for the end of the turn."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def write_model(path: Path, frames: int = 800) -> Path:
    """Write it; the mean of the last half second's mels, from the default of 800, decides."""
    nodes = [
        helper.make_node("Slice", ["input_features", "start", "end", "axis"], ["last"]),
        helper.make_node("ReduceMean", ["last", "axes"], ["mean"], keepdims=0),
        helper.make_node("Sigmoid", ["mean"], ["probability"]),
    ]
    constants = {
        "start": [frames - 50], "end": [frames], "axis": [2], "axes": [1, 2],
    }  # fmt: skip
    graph = helper.make_graph(
        nodes,
        "smart turn",
        [helper.make_tensor_value_info("input_features", TensorProto.FLOAT, ["n", 80, frames])],
        [helper.make_tensor_value_info("probability", TensorProto.FLOAT, ["n"])],
        [numpy_helper.from_array(np.array(each), name) for name, each in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(made)
    path.write_bytes(made.SerializeToString())
    return path
