"""Whether a graph is one that TensorRT takes, told without TensorRT.

Two questions: does its ONNX parser know every operation at all, and have we promised not to use it
although it does (loops, chance, sizes that follow from values: they cannot be recorded as a CUDA
graph, or cannot be verified).
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

# TensorRT 10.0 and newer: the table "Supported ONNX Operators" of its open ONNX parser, branch
# 10.1-GA, those marked "Y"; opsets 9 to 20.
KNOWN: Final = frozenset(
    """
    Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool BatchNormalization Cast
    CastLike Ceil Celu Clip Concat Constant ConstantOfShape Conv ConvTranspose Cos Cosh CumSum
    DeformConv DepthToSpace DequantizeLinear Div Dropout Einsum Elu Equal Erf Exp Expand EyeLike
    Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool
    GlobalMaxPool Greater GreaterOrEqual GridSample GroupNormalization HardSigmoid HardSwish
    Hardmax Identity If ImageScaler InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization
    LeakyRelu Less LessOrEqual Log LogSoftmax Loop LpNormalization LpPool MatMul Max MaxPool Mean
    MeanVarianceNormalization Min Mish Mod Mul Neg NonMaxSuppression NonZero Not OneHot Or PRelu
    Pad ParametricSoftplus Pow QuantizeLinear RNN RandomNormal RandomNormalLike RandomUniform
    RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax
    ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize ReverseSequence
    RoiAlign Round ScaledTanh Scan Scatter ScatterElements ScatterND Selu Shape Shrink Sigmoid Sign
    Sin Sinh Size Slice Softmax Softplus Softsign SpaceToDepth Split Sqrt Squeeze Sub Sum Tan Tanh
    ThresholdedRelu Tile TopK Transpose Trilu Unsqueeze Upsample Where Xor
    """.split()  # noqa: SIM905 - a table that can be compared with its source
)
OPSETS: Final = range(9, 21)
MAX_RANK: Final = 8  # of a TensorRT tensor (Dims.MAX_DIMS)
# Known, and yet not ours.
REFUSED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("If", "Loop", "Scan"), "control flow"),
    **dict.fromkeys(
        ("RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Dropout"),
        "chance inside the graph; noise is an input",
    ),
    **dict.fromkeys(("NonZero", "NonMaxSuppression"), "sizes that follow from values"),
}
_TYPES: Final = frozenset(
    {
        TensorProto.FLOAT,
        TensorProto.FLOAT16,
        TensorProto.BFLOAT16,
        TensorProto.INT8,
        TensorProto.UINT8,
        TensorProto.INT32,
        TensorProto.INT64,
        TensorProto.BOOL,
    }
)
# Inputs of an operation that tell sizes, by number. They follow from shapes or constants,
# or TensorRT would have to wait for values before it knows how much memory it needs.
_SIZES: Final[Mapping[str, tuple[int, ...]]] = {
    "ConstantOfShape": (0,), "Expand": (1,), "OneHot": (1,), "Pad": (1, 3), "Range": (0, 1, 2),
    "Reshape": (1,), "Resize": (1, 2, 3), "Slice": (1, 2, 3, 4), "Split": (1,), "Squeeze": (1,),
    "Tile": (1,), "TopK": (1,), "Trilu": (1,), "Unsqueeze": (1,), "Upsample": (1,),
    **dict.fromkeys((kind for kind in KNOWN if kind.startswith("Reduce")), (1,)),
}  # fmt: skip
_RESIZE: Final[Mapping[str, frozenset[str]]] = {
    "mode": frozenset({"nearest", "linear"}),
    "coordinate_transformation_mode": frozenset(
        {"half_pixel", "pytorch_half_pixel", "tf_half_pixel_for_nn", "asymmetric", "align_corners"}
    ),
}


@dataclass(frozen=True, slots=True)
class Objection:
    """One thing that TensorRT, or we, do not take; ``where`` is a node or a tensor."""

    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


def check_graph(model: ModelProto | Path) -> list[Objection]:
    """Return all objections to a graph; none is what is wanted."""
    if isinstance(model, Path):
        model = onnx.load(model, load_external_data=False)
    objections = []
    for entry in model.opset_import:
        if entry.domain not in ("", "ai.onnx"):
            objections.append(Objection("opset", f"operations of the domain {entry.domain}"))
        elif entry.version not in OPSETS:
            objections.append(Objection("opset", f"{entry.version}, beyond {OPSETS[-1]}"))
    ranks = {value.name: _rank(value) for value in _values(model)}
    constants = {tensor.name for tensor in model.graph.initializer}
    values = {value.name for value in model.graph.input} - constants
    for node in _nodes(model.graph):
        if node.op_type == "Constant":
            constants.update(node.output)
        elif node.op_type not in ("Shape", "Size") and values.intersection(node.input):
            values.update(node.output)
        why = [*_refusal(node, ranks, constants), *_sizes_of_values(node, values)]
        objections.extend(
            Objection(f"{node.op_type} {node.name or node.output[0]}", w) for w in why
        )
    objections.extend(_wrong_types(model))
    return objections


def _refusal(node: NodeProto, ranks: Mapping[str, int], constants: set[str]) -> Iterator[str]:
    kind = node.op_type
    if node.domain not in ("", "ai.onnx"):
        yield f"of the domain {node.domain}"
    elif kind not in KNOWN:
        yield "not known to TensorRT's parser"
    if kind in REFUSED:
        yield REFUSED[kind]
    given = {each.name: helper.get_attribute_value(each) for each in node.attribute}
    if kind == "GridSample" and ranks.get(node.input[0], 4) != 4:
        yield f"of {ranks[node.input[0]]} axes; TensorRT's takes four"
    if kind == "LSTM" and (given.get("layout", 0) or given.get("input_forget", 0)):
        yield "with layout or input_forget other than 0"
    if kind in ("ScatterND", "ScatterElements") and given.get("reduction", b"none") != b"none":
        yield "with a reduction"
    if kind == "CumSum" and node.input[1] not in constants:
        yield "along an axis that is no constant"
    if kind == "Resize":
        for name, taken in _RESIZE.items():
            value = given.get(name, b"").decode()
            if value and value not in taken:
                yield f"with {name} {value}"
        if given.get("antialias", 0):
            yield "with antialiasing"
    for name in node.output:
        if ranks.get(name, 0) > MAX_RANK:
            yield f"gives {ranks[name]} axes; TensorRT's tensors have at most {MAX_RANK}"


def _sizes_of_values(node: NodeProto, values: set[str]) -> Iterator[str]:
    """Tell of every size that follows from what the graph is given, not from its shape."""
    for place in _SIZES.get(node.op_type, ()):
        if place < len(node.input) and node.input[place] in values:
            yield f"takes a size from values: {node.input[place]}"


def _wrong_types(model: ModelProto) -> Iterator[Objection]:
    for tensor in model.graph.initializer:
        if tensor.data_type not in _TYPES:
            yield Objection(tensor.name, f"of type {_type_name(tensor.data_type)}")
    for value in _values(model):
        kind = value.type.WhichOneof("value")
        if kind != "tensor_type":
            yield Objection(value.name, f"a {kind}, no tensor")
        elif value.type.tensor_type.elem_type not in _TYPES:
            yield Objection(value.name, f"of type {_type_name(value.type.tensor_type.elem_type)}")


def _values(model: ModelProto) -> list[onnx.ValueInfoProto]:
    with suppress(onnx.shape_inference.InferenceError):  # what nobody knows is told by its name
        model = onnx.shape_inference.infer_shapes(model)
    graph = model.graph
    return [*graph.input, *graph.output, *graph.value_info]


def _rank(value: onnx.ValueInfoProto) -> int:
    return len(value.type.tensor_type.shape.dim)


def _nodes(graph: GraphProto) -> Iterator[NodeProto]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from _nodes(attribute.g)


def _type_name(number: int) -> str:
    return str(TensorProto.DataType.Name(number)) if number else "unknown"
