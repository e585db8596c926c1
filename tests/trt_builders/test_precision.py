"""fp16 goes where multiplications are, and nowhere else; the graph still says nearly the same."""

import io

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from rt_avatar.engines.networks.graph import export_onnx
from rt_avatar.engines.networks.pirender.graphs import graphs
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.export import export_graph, read_export
from rt_avatar.trt_builders.precision import HEAVY, to_fp16
from tests.engines.networks.pirender.networks import FEWER, SIZE, generator, motion, portrait
from tests.trt_builders.tiny import tiny

pytestmark = pytest.mark.networks


def psnr_db(one: torch.Tensor, other: torch.Tensor) -> float:
    """Of pictures in -1..1."""
    return float(10 * torch.log10(4 / (one - other).square().mean()))


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    path = tmp_path_factory.mktemp("fp16") / "tiny.onnx"
    export_onnx(tiny(), path)
    return onnx.load(path)


def types(model):
    inferred = onnx.shape_inference.infer_shapes(model).graph
    values = (*inferred.input, *inferred.output, *inferred.value_info)
    return {value.name: value.type.tensor_type.elem_type for value in values} | {
        tensor.name: tensor.data_type for tensor in inferred.initializer
    }


def test_only_multiplications_compute_in_fp16(exported):
    mixed = to_fp16(exported)
    kinds = types(mixed.model)
    computed = {node.op_type: kinds.get(node.output[0]) for node in mixed.model.graph.node}
    heavy = [node for node in mixed.model.graph.node if node.op_type in HEAVY]
    assert len(heavy) == len(mixed.narrow) == 2
    for node in heavy:
        assert {kinds[name] for name in (*node.input, *node.output)} == {TensorProto.FLOAT16}
    assert computed["LSTM"] == computed["Exp"] == TensorProto.FLOAT
    assert computed["ReduceMean"] == TensorProto.FLOAT
    ends = (*mixed.model.graph.input, *mixed.model.graph.output)
    assert {value.type.tensor_type.elem_type for value in ends} == {TensorProto.FLOAT}


def test_it_says_nearly_the_same_and_its_weights_are_half(exported):
    mixed = to_fp16(exported)
    x = np.random.default_rng(0).standard_normal((1, 3, 21)).astype(np.float32)
    wide, narrow = (OnnxRuntime(m.SerializeToString()) for m in (exported, mixed.model))
    error = np.abs(wide.run({"x": x})["y"] - narrow.run({"x": x})["y"]).max()
    assert 0 < error < 0.02
    weights = {t.name for t in mixed.model.graph.initializer}
    used = {name for node in mixed.model.graph.node for name in node.input}
    assert weights <= used


def test_named_parts_and_large_weights_stay(exported):
    name = next(node.name for node in exported.graph.node if node.op_type == "Conv")
    mixed = to_fp16(exported, keep=(name,))
    assert mixed.kept == {name: f"named {name}"}
    assert len(mixed.narrow) == 1
    (kept,) = to_fp16(exported, keep=("conv.weight",)).kept.values()
    assert kept == "named conv.weight"
    with pytest.raises(BuildError, match="named flow, to be kept in fp32; the graph has none"):
        to_fp16(exported, keep=("flow",))
    for value in (5000.0, float("nan")):
        large = onnx.ModelProto()
        large.CopyFrom(exported)
        conv = next(node for node in large.graph.node if node.op_type == "Conv")
        for tensor in large.graph.initializer:
            if tensor.name == conv.input[1]:
                array = numpy_helper.to_array(tensor).copy()
                array.flat[0] = value
                tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
        assert "reaches" in to_fp16(large).kept[conv.name]


def test_products_in_a_row_stay_narrow_between_them():
    nodes = [
        helper.make_node("MatMul", ["x", "a"], ["h"], "first"),
        helper.make_node("MatMul", ["h", "a"], ["y"], "second"),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ("n", 2))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ("n", 2))],
        [numpy_helper.from_array(np.eye(2, dtype=np.float32), "a")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    mixed = to_fp16(made).model
    second = next(node for node in mixed.graph.node if node.name == "second")
    assert list(second.input) == ["h.fp16", "a.fp16"]
    assert sum(node.op_type == "Cast" and "narrow" in node.name for node in mixed.graph.node) == 1
    x = torch.randn(3, 2).numpy()
    made_y = OnnxRuntime(mixed.SerializeToString()).run({"x": x})["y"]
    np.testing.assert_allclose(made_y, x, atol=2e-3)
    assert io.BytesIO(mixed.SerializeToString()).getbuffer().nbytes > 0


@pytest.fixture(scope="module")
def renderer(tmp_path_factory):
    """The graphs of a renderer, and the file of its frames in fp16."""
    fold, frame = graphs(generator(FEWER), SIZE)
    return fold, frame, export_graph("pirenderer", frame, tmp_path_factory.mktemp("face"), "fp16")


@pytest.mark.parametrize("frames", [1, 5])
def test_an_exported_renderer_in_fp16_differs_by_less_than_an_eye_sees(renderer, frames):
    fold, frame, path = renderer
    torch.manual_seed(0)
    source, windows = portrait(frames), motion(frames)  # a portrait a frame
    with torch.inference_mode():
        maps = dict(zip(fold.outputs, fold.module(source), strict=True))
        wanted = frame.module(source, *maps.values(), windows)
    assert read_export(path).precision == "fp16"
    given = {"source": source, **maps, "window": windows}
    made = OnnxRuntime(path).run({name: value.numpy() for name, value in given.items()})["frame"]
    assert 45 < psnr_db(torch.from_numpy(made), wanted) < 120
