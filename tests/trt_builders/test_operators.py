"""What TensorRT does not take, and what we promised not to use, is found in a graph."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from rt_avatar.trt_builders.operators import KNOWN, REFUSED, check_graph

pytestmark = pytest.mark.networks


def model(nodes, inputs=(("x", (1, 3)),), output=("y", TensorProto.FLOAT), opset=18, weights=()):
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs],
        [helper.make_tensor_value_info(*output, None)],
        [numpy_helper.from_array(value, name) for name, value in weights],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def loop():
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["go_on"]),
            helper.make_node("Add", ["before", "before"], ["after"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, ()),
            helper.make_tensor_value_info("go", TensorProto.BOOL, ()),
            helper.make_tensor_value_info("before", TensorProto.FLOAT, (1, 3)),
        ],
        [
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, ()),
            helper.make_tensor_value_info("after", TensorProto.FLOAT, (1, 3)),
        ],
    )
    weights = [("times", np.array(3)), ("yes", np.array(True))]
    node = helper.make_node("Loop", ["times", "yes", "x"], ["y"], "loop", body=body)
    return model([node], weights=weights)


def node(kind, inputs=("x",), **attributes):
    return helper.make_node(kind, list(inputs), ["y"], "n", **attributes)


def test_a_plain_graph_has_no_objections():
    made = model([node("MatMul", ("x", "w"))], weights=[("w", np.zeros((3, 2), np.float32))])
    assert check_graph(made) == []


def test_a_loop_is_found():
    assert [str(each) for each in check_graph(loop())] == ["Loop loop: control flow"]


@pytest.mark.parametrize(
    ("got", "message"),
    [
        (model([node("RandomNormalLike")]), "chance inside the graph"),
        (model([node("NonZero")], output=("y", TensorProto.INT64)), "follow from values"),
        (model([node("Det")]), "not known to TensorRT's parser"),
        (model([node("DFT")]), "not known to TensorRT's parser"),
        (model([node("Relu", domain="com.microsoft")]), "of the domain com.microsoft"),
        (model([node("Cast", to=TensorProto.DOUBLE)], output=("y", TensorProto.DOUBLE)), "DOUBLE"),
        (
            model(
                [node("Identity")],
                weights=[("w", np.zeros(2, np.complex64))],
            ),
            "w: of type COMPLEX64",
        ),
        (
            model([node("SequenceConstruct"), helper.make_node("SequenceLength", ["y"], ["z"])],
                  output=("z", TensorProto.INT64)),
            "not known",
        ),
        (
            model([node("GridSample", ("x", "g"))],
                  [("x", (1, 1, 2, 2, 2)), ("g", (1, 2, 2, 2, 3))]),
            "of 5 axes; TensorRT's takes four",
        ),
        (
            model([node("Resize", ("x", "", "s"), mode="cubic")],
                  weights=[("s", np.ones(2, np.float32))]),
            "with mode cubic",
        ),
        (
            model([node("ScatterND", ("x", "i", "u"), reduction="add")],
                  weights=[("i", np.zeros((1, 1), np.int64)), ("u", np.ones((1, 3), np.float32))]),
            "with a reduction",
        ),
        (
            model([helper.make_node("Cast", ["x"], ["n"], to=TensorProto.INT64),
                   helper.make_node("Range", ["zero", "n", "one"], ["y"])],
                  [("x", ())], ("y", TensorProto.INT64),
                  weights=[("zero", np.array(0)), ("one", np.array(1))]),
            "Range y: takes a size from values: n",
        ),
        (
            model([helper.make_node("ReduceMax", ["x"], ["m"]),
                   helper.make_node("Cast", ["m"], ["n"], to=TensorProto.INT64),
                   helper.make_node("Reshape", ["n", "one"], ["end"]),
                   helper.make_node("Slice", ["x", "zero", "end", "one"], ["y"])],
                  weights=[("zero", np.array([0])), ("one", np.array([1]))]),
            "Slice y: takes a size from values: end",
        ),
        (model([node("CumSum", ("x", "axis"))], [("x", (1, 3)), ("axis", ())]), "no constant"),
        (model([node("Relu")], opset=21), "opset: 21, beyond 20"),
        (model([node("Unsqueeze", ("x", "a"))], [("x", (1,) * 8)],
               weights=[("a", np.array([0]))]), "gives 9 axes"),
    ],
)  # fmt: skip
def test_each_objection_is_told(got, message):
    assert message in "; ".join(str(each) for each in check_graph(got))


def test_sizes_that_follow_from_shapes_are_taken():
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Expand", ["one", "shape"], ["ones"]),
        helper.make_node("Gather", ["shape", "last"], ["length"]),
        helper.make_node("Range", ["zero", "length", "step"], ["places"]),
        helper.make_node("Cast", ["places"], ["far"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["x", "far"], ["moved"]),
        helper.make_node("Add", ["moved", "ones"], ["y"]),
    ]
    weights = [
        ("one", np.ones(1, np.float32)),
        ("last", np.array(1)),
        ("zero", np.array(0)),
        ("step", np.array(1)),
    ]
    assert check_graph(model(nodes, [("x", (1, "frames"))], weights=weights)) == []


def test_what_is_refused_is_otherwise_known():
    assert set(REFUSED) <= KNOWN
    assert {"LSTM", "GridSample", "LayerNormalization", "Erf"} <= KNOWN
    assert not {"STFT", "DFT", "Unique", "SequenceAt", "QLinearMatMul"} & KNOWN
