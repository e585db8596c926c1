"""A small graph: y = relu(x · w) over (frames, 3), and how many columns it has as ``scaled``."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WEIGHT = np.array([[1, -1], [2, 0], [0, 3]], np.float32)


def model() -> bytes:
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["xw"]),
        helper.make_node("Mul", ["xw", "scale"], ["scaled"]),
        helper.make_node("Relu", ["xw"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["frames", 3]),
            helper.make_tensor_value_info("scale", TensorProto.FLOAT, ["frames", 2]),
        ],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, ["frames", 2]),
            helper.make_tensor_value_info("scaled", TensorProto.FLOAT, ["frames", 2]),
        ],
        [numpy_helper.from_array(WEIGHT, "w")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(made)
    return made.SerializeToString()


def inputs(frames: int, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {
        "x": random.standard_normal((frames, 3), np.float32),
        "scale": random.standard_normal((frames, 2), np.float32),
    }


def answer(given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    product = given["x"] @ WEIGHT
    return {"y": np.maximum(product, 0), "scaled": product * given["scale"]}
