"""fp32 ONNX → fp16 where that is safe: the multiplications, and nothing else.

A strongly typed TensorRT network computes in the types that its graph names, so mixed precision is
made here, not by the builder. Convolutions and matrix products run in fp16, where nearly all the
time goes. What loses its meaning there stays fp32: norms and their sums (they overflow above
65,504), exponentials, sines, inverse transforms, LSTM cells, the coordinates of GridSample,
softmax. So every tensor between two multiplications is fp32 again.

Source: what others' fp16 engines got wrong: sound of NaN from phases over 65,504; norms over whole
pictures that overflow; picture coordinates in steps of 0.06 pixels.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import onnx
import torch
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor

from rt_avatar.engines.networks.lazy_weights import LazyWeights
from rt_avatar.trt_builders.errors import BuildError

HEAVY: Final = frozenset({"Conv", "ConvTranspose", "Gemm", "MatMul"})
_MOVING: Final = frozenset({"Concat", "Transpose"})  # what computes nothing
# Above it a sum of products may leave fp16's range even where each factor is small.
_LARGEST_WEIGHT: Final = 1024.0


@dataclass(frozen=True, slots=True)
class Mixed:
    """A graph in mixed precision.

    Attributes:
        model: The graph.
        narrow: Names of the nodes that compute in fp16.
        kept: Names of multiplications that stay fp32, by name → why.
        weights: Reads those initializers that are shapes only, in any type.
    """

    model: ModelProto
    narrow: tuple[str, ...]
    kept: dict[str, str]
    weights: LazyWeights = field(default_factory=dict)


def to_fp16(
    model: ModelProto,
    keep: Sequence[str] = (),
    keep_if_there: Sequence[str] = (),
    lazy: LazyWeights | None = None,
    ends: Sequence[str] = (),
) -> Mixed:
    """Return the graph with its multiplications in fp16; inputs and outputs stay as they are.

    Args:
        model: Not changed.
        keep: Parts of names, of nodes or their weights, that must stay fp32: heads whose numbers
            are logarithms or phases, what gives the coordinates of a GridSample.
        keep_if_there: The same for parts that not every such graph has.
        lazy: Reads the initializers that are shapes only; their types are changed, and nothing is
            read but to find the largest number of each.
        ends: Beginnings of names: such inputs and outputs are fp16, and what only joins or turns
            such inputs on their way to a multiplication is so, too.

    Raises:
        BuildError: A part names nothing: the network was changed, or an exporter renames.
    """
    mixed = ModelProto()
    mixed.CopyFrom(model)
    graph = mixed.graph
    weights = {tensor.name: tensor for tensor in graph.initializer}
    held = _narrow_ends(graph, tuple(ends))
    floats = _float_tensors(mixed)
    peaks = _Peaks(weights, lazy or {})
    pass_ = _Pass(graph, weights, lazy or {}, held)
    narrow, kept = [], {}
    nodes = []
    for index, node in enumerate(graph.node):
        name = node.name or f"{node.op_type}_{index}"
        if node.op_type in _MOVING and pass_.is_held(node):
            nodes.extend(pass_.narrowed(node, name))
            continue
        if node.op_type not in HEAVY:
            nodes.append(node)
            continue
        why = _reason_to_keep(node, name, peaks, floats, (*keep, *keep_if_there))
        if why:
            kept[name] = why
            nodes.append(node)
            continue
        narrow.append(name)
        nodes.extend(pass_.narrowed(node, name))
    if unmet := [part for part in keep if f"named {part}" not in kept.values()]:
        raise BuildError(
            f"fp16: expected multiplications named {', '.join(unmet)}, to be kept in fp32; "
            "the graph has none"
        )
    del graph.node[:]
    graph.node.extend(nodes)
    pass_.settle()
    if not lazy:  # the file is checked when the weights are there
        onnx.checker.check_model(mixed)
    return Mixed(mixed, tuple(narrow), kept, pass_.lazy)


class _Peaks:
    """The largest numbers of weights, each read once."""

    def __init__(self, weights: Mapping[str, TensorProto], lazy: LazyWeights) -> None:
        self._weights, self._lazy = weights, lazy
        self._known: dict[str, float] = {}

    def of(self, name: str) -> float | None:
        """Return the largest magnitude in a weight, NaN if there is one; None: it is no weight."""
        if name not in self._weights:
            return None
        if name not in self._known:
            self._known[name] = (
                _largest(self._lazy[name])
                if name in self._lazy
                else float(np.abs(numpy_helper.to_array(self._weights[name])).max(initial=0.0))
            )
        return self._known[name]


def _largest(read: Callable[[], Tensor]) -> float:
    least, most = torch.aminmax(read())
    return float(torch.maximum(-least, most))


class _Pass:
    """The casts and narrow weights that are made on the way; each once."""

    def __init__(
        self,
        graph: GraphProto,
        weights: dict[str, TensorProto],
        lazy: LazyWeights,
        held: Mapping[str, str],
    ) -> None:
        self._graph, self._weights, self.lazy = graph, weights, dict(lazy)
        self._halves = dict(held)
        self._held = {*held}

    def is_held(self, node: NodeProto) -> bool:
        """Return whether a node that only moves numbers moves some that came in fp16."""
        if self._held.isdisjoint(node.input):
            return False
        self._held.add(node.output[0])
        return True

    def narrowed(self, node: NodeProto, name: str) -> list[NodeProto]:
        """Return a node in fp16 with casts around it."""
        nodes = []
        narrow = NodeProto()
        narrow.CopyFrom(node)
        for place, given in enumerate(node.input):
            if not given:
                continue
            if given not in self._halves:
                half = f"{given}.fp16"
                if given in self.lazy:
                    self.lazy[half] = self.lazy[given]
                    dims = self._weights[given].dims
                    self._graph.initializer.append(
                        TensorProto(name=half, dims=dims, data_type=TensorProto.FLOAT16)
                    )
                elif given in self._weights:
                    values = numpy_helper.to_array(self._weights[given]).astype(np.float16)
                    self._graph.initializer.append(numpy_helper.from_array(values, half))
                else:
                    nodes.append(
                        helper.make_node(
                            "Cast", [given], [half], f"{name}.narrow{place}", to=TensorProto.FLOAT16
                        )
                    )
                self._halves[given] = half
            narrow.input[place] = self._halves[given]
        output = node.output[0]
        narrow.output[0] = f"{output}.fp16"
        self._halves[output] = narrow.output[0]  # who multiplies it next needs no cast
        nodes.append(narrow)
        nodes.append(
            helper.make_node(
                "Cast", [narrow.output[0]], [output], f"{name}.wide", to=TensorProto.FLOAT
            )
        )
        return nodes

    def settle(self) -> None:
        """Remove casts and weights that nothing reads any more."""
        ends = {value.name for value in self._graph.output}
        read = {name for node in self._graph.node for name in node.input} | ends
        live = [
            node for node in self._graph.node if node.op_type != "Cast" or node.output[0] in read
        ]
        del self._graph.node[:]
        self._graph.node.extend(live)
        used = {name for node in self._graph.node for name in node.input}
        used |= {value.name for value in self._graph.output}
        kept = [tensor for tensor in self._graph.initializer if tensor.name in used]
        del self._graph.initializer[:]
        self._graph.initializer.extend(kept)


def _narrow_ends(graph: GraphProto, ends: tuple[str, ...]) -> dict[str, str]:
    """Make inputs and outputs fp16, cast where the graph reads and writes them.

    Returns:
        What the graph reads in the place of each such input -> the input.
    """
    inputs = [value for value in graph.input if value.name.startswith(ends)]
    outputs = [value for value in graph.output if value.name.startswith(ends)]
    wide = {value.name: f"{value.name}.wide" for value in (*inputs, *outputs)}
    for value in (*inputs, *outputs):
        value.type.tensor_type.elem_type = TensorProto.FLOAT16
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [wide.get(name, name) for name in names]

    def cast(given: str, target: str, to: int) -> NodeProto:
        return helper.make_node("Cast", [given], [target], f"{target}.cast", to=to)

    nodes = [cast(value.name, wide[value.name], TensorProto.FLOAT) for value in inputs]
    nodes.extend(graph.node)
    nodes.extend(cast(wide[value.name], value.name, TensorProto.FLOAT16) for value in outputs)
    del graph.node[:]
    graph.node.extend(nodes)
    return {wide[value.name]: value.name for value in inputs}


def _reason_to_keep(
    node: NodeProto,
    name: str,
    peaks: _Peaks,
    floats: set[str],
    keep: Sequence[str],
) -> str:
    for part in keep:
        if any(part in each for each in (name, *node.input)):
            return f"named {part}"
    for given in node.input:
        if not given:
            continue
        if given not in floats:
            return f"{given} is no fp32"
        peak = peaks.of(given)
        if peak is not None and not peak <= _LARGEST_WEIGHT:
            return f"{given} reaches {peak:g}"
    return ""


def _float_tensors(model: ModelProto) -> set[str]:
    graph = onnx.shape_inference.infer_shapes(model).graph
    values = (*graph.input, *graph.output, *graph.value_info)
    found = {
        value.name for value in values if value.type.tensor_type.elem_type == TensorProto.FLOAT
    }
    return found | {t.name for t in graph.initializer if t.data_type == TensorProto.FLOAT}
