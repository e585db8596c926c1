"""torch → ONNX weight by weight: graphs whose weights are not held in memory whole.

The graph is traced on torch's ``meta`` device, with its weights as inputs: shapes and operations
come of that, no numbers. Each weight is then read, turned where the graph would only turn it,
narrowed where the graph narrows it, and written into a file beside the graph before the next one.
"""

import copy
import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, numpy_helper
from torch import Tensor, nn

from rt_avatar.engines.networks.graph import OPSET, Graph
from rt_avatar.engines.networks.lazy_weights import LazyWeights, append

DATA_SUFFIX: Final = ".data"
_DTYPES: Final = {TensorProto.FLOAT: torch.float32, TensorProto.FLOAT16: torch.float16}


def trace(graph: Graph) -> tuple[ModelProto, LazyWeights]:
    """Return a graph whose initializers are shapes only, and what reads each of them.

    Args:
        graph: With lazy weights; its module, on the ``meta`` device or not, is left as it is.
    """
    module = _shapes_of(graph.module).eval()
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells that it is the older exporter
        torch.onnx.export(
            module,
            tuple(value.to("meta") for value in graph.inputs.values()),
            file,
            input_names=list(graph.inputs),
            output_names=list(graph.outputs),
            opset_version=OPSET,
            dynamo=False,
            export_params=False,
            keep_initializers_as_inputs=True,  # else it would compare their numbers
            do_constant_folding=False,
            dynamic_axes={
                name: dict(axes)
                for name, axes in {**graph.dynamic, **graph.dynamic_outputs}.items()
            },
        )
    model = onnx.load_from_string(file.getvalue())
    return model, _settle(model.graph, graph.weights)


def _shapes_of(module: nn.Module) -> nn.Module:
    """Return a copy on the ``meta`` device whose buffers are all in its state dict.

    The tracer would write others into the graph as constants.
    """
    memo: dict[int, Any] = {id(one): one.to("meta") for one in module.buffers()}
    memo |= {
        id(one): nn.Parameter(one.to("meta"), requires_grad=False) for one in module.parameters()
    }
    copied = copy.deepcopy(module, memo)
    for name, buffer in [*copied.named_buffers()]:
        owner, _, last = name.rpartition(".")
        copied.get_submodule(owner).register_buffer(last, buffer, persistent=True)
    return copied


def _settle(graph: GraphProto, lazy: LazyWeights) -> LazyWeights:
    """Turn inputs that are weights into initializers; transpose them where the graph would."""
    weights: dict[str, Callable[[], Tensor]] = {}
    shapes = {value.name: value.type.tensor_type for value in graph.input if value.name in lazy}
    read = {name for node in graph.node for name in node.input}
    turned: dict[str, str] = {}  # what the graph calls a transposed weight -> its new name
    nodes = []
    for node in graph.node:
        if node.op_type == "Constant":
            _narrow_double(node)
        is_turned = node.op_type == "Transpose" and node.input[0] in shapes
        if not is_turned or list(node.attribute[0].ints) != [1, 0]:
            nodes.append(node)
            continue
        name = f"{node.input[0]}.transposed"
        turned[node.output[0]] = name
        weights[name] = _transposed(lazy[node.input[0]])
        _declare(graph, name, shapes[node.input[0]], is_turned=True)
    for node in nodes:
        for place, name in enumerate(node.input):
            node.input[place] = turned.get(name, name)
            if name in shapes and name not in weights:
                weights[name] = lazy[name]
                _declare(graph, name, shapes[name], is_turned=False)
    del graph.node[:]
    graph.node.extend(nodes)
    kept = [value for value in graph.input if value.name not in shapes and value.name in read]
    del graph.input[:]
    graph.input.extend(kept)
    return weights


def _narrow_double(constant: NodeProto) -> None:
    """Write a number of Python as fp32, which the graph casts it to; TensorRT takes no double."""
    tensor = constant.attribute[0].t
    if tensor.data_type == TensorProto.DOUBLE:
        values = numpy_helper.to_array(tensor).astype(np.float32)
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))


def _transposed(read: Callable[[], Tensor]) -> Callable[[], Tensor]:
    return lambda: read().t()


def _declare(graph: GraphProto, name: str, kind: Any, *, is_turned: bool) -> None:
    if any(tensor.name == name for tensor in graph.initializer):
        return
    sizes = [axis.dim_value for axis in kind.shape.dim]
    dims = sizes[::-1] if is_turned else sizes
    graph.initializer.append(TensorProto(name=name, dims=dims, data_type=kind.elem_type))


def write(model: ModelProto, weights: LazyWeights, path: Path) -> None:
    """Write a graph and, one after the other, its weights into a file beside it.

    Raises:
        OSError: The disk is full, or the weights cannot be read.
    """
    data = path.with_name(path.name + DATA_SUFFIX)
    with data.open("wb") as file:
        for tensor in model.graph.initializer:
            if tensor.name not in weights:
                continue
            begin = file.tell()
            append(file, weights[tensor.name]().to(_DTYPES[tensor.data_type]))
            where = {"location": data.name, "offset": begin, "length": file.tell() - begin}
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in where.items():
                tensor.external_data.add(key=key, value=str(value))
    path.write_bytes(model.SerializeToString())
    onnx.checker.check_model(str(path))
