"""Parity is told a tensor at a time, and nonsense never passes."""

import numpy as np
import onnx
import pytest
import torch

from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.runtimes import OnnxRuntime, RuntimeInputError
from rt_avatar.engines.runtimes.runtime import TensorSpec
from rt_avatar.trt_builders.budget import Budget
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs
from rt_avatar.trt_builders.export import export_graph
from rt_avatar.trt_builders.samples import LENGTHS
from rt_avatar.trt_builders.verify import judge, verify
from tests.trt_builders.tiny import Baked, tiny

pytestmark = pytest.mark.networks
WAVE = np.sin(np.arange(50, dtype=np.float32))


@pytest.mark.parametrize(
    ("got", "message"),
    [
        (WAVE, ""),
        (WAVE + np.float32(1e-4), ""),
        (WAVE + np.float32(1e-2), "error above 0.002"),
        (np.where(np.arange(50) == 7, np.nan, WAVE).astype(np.float32), "not finite at 1 of 50"),
        (np.where(np.arange(50) == 7, np.inf, WAVE).astype(np.float32), "not finite at 1 of 50"),
        (np.zeros_like(WAVE), "silent"),
        (np.full_like(WAVE, 0.3), "silent"),
        (WAVE[:-1], r"shape (49,); torch has (50,)"),
        (WAVE.astype(np.float64), "type float64; torch has float32"),
        (None, "missing"),
    ],
)
def test_each_kind_of_wrong_is_told(got, message):
    error, wrong = judge(got, WAVE, 2e-3)
    assert wrong.startswith(message) if message else wrong == ""
    assert np.isnan(error) == (got is None or message.startswith(("not", "sil", "sha", "typ")))


def test_a_reference_that_is_nonsense_proves_nothing():
    for wanted in (WAVE * 0, WAVE * np.nan):
        assert "proves nothing" in judge(wanted, wanted, 1.0)[1]
    assert judge(WAVE, None, 1.0)[1] == "unexpected"


def test_noise_beside_one_large_number_is_no_parity():
    dice = np.random.default_rng(0)
    wanted, made = (dice.standard_normal(4096).astype(np.float32) for _ in range(2))
    wanted[7] = made[7] = 2000.0
    error, wrong = judge(made, wanted, 5e-2)
    assert error < 5e-2
    assert wrong.startswith("mean error above 0.05 of the mean")
    assert judge(wanted * np.float32(1.001), wanted, 5e-2)[1] == ""


def test_a_mask_of_ones_may_be_constant():
    ones = np.ones(4, np.float32)
    assert judge(ones, ones, 1e-3) == (0.0, "")


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_an_exported_graph_says_what_torch_says_at_three_lengths(tmp_path, precision):
    graph = tiny()
    runtime = OnnxRuntime(export_graph("tiny", graph, tmp_path, precision))
    compared = list(verify(graph, runtime, precision, Budget()))
    assert len({each.lengths for each in compared}) == len(compared) == 3
    assert all(each.lengths != "x 1×3×8" for each in compared)
    assert [each.wrong for each in compared] == ["", "", ""]
    assert all(each.error < (1e-5 if precision == "fp32" else 2e-2) for each in compared)


def test_a_length_that_was_baked_in_is_found(tmp_path):
    graph = tiny("fusion_baked", Baked())
    runtime = OnnxRuntime(export_graph("tiny", graph, tmp_path))
    assert all(each.wrong for each in verify(graph, runtime, "fp32", Budget()))


def ignoring(path, name):
    """Let an exported graph read ones in the place of a mask."""
    model = onnx.load(path)
    for node in model.graph.node:
        node.input[:] = [f"{name}.ones" if each == name else each for each in node.input]
    value = onnx.helper.make_tensor("one", onnx.TensorProto.FLOAT, [1], [1.0])
    shape, ones = f"{name}.shape", f"{name}.ones"
    made = [
        onnx.helper.make_node("Shape", [name], [shape]),
        onnx.helper.make_node("ConstantOfShape", [shape], [ones], value=value),
    ]
    nodes = [*made, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, path)


@pytest.mark.parametrize(
    ("network", "name", "mask"),
    [("llm-nano", "llm_extend", "mask"), ("styletts2-nano", "styletts2_step", "valid")],
)
def test_a_graph_that_ignores_its_mask_is_found_at_every_length(tmp_path, network, name, mask):
    graph = next(one for one in make_graphs(NETWORKS[network])[0] if one.name == name)
    path = export_graph(network, graph, tmp_path)
    assert not any(one.wrong for one in verify(graph, OnnxRuntime(path), "fp32", Budget()))
    ignoring(path, mask)
    compared = list(verify(graph, OnnxRuntime(path), "fp32", Budget()))
    assert len({one.lengths for one in compared if one.wrong}) == LENGTHS


class Fp16Overflow:
    """What an engine with a phase beyond 65,504 gives: no error, and no number."""

    inputs = (TensorSpec("x", np.dtype(np.float32), (1, 3, "frames")),)

    def run(self, inputs):
        return {"y": np.full((1, 4, inputs["x"].shape[2]), np.nan, np.float32)}


def test_an_engine_that_says_nothing_fails_at_every_length():
    wrong = [each.wrong for each in verify(tiny(), Fp16Overflow(), "fp16", Budget())]
    assert len(wrong) == 3
    assert all(each.startswith("not finite") for each in wrong)


def test_the_reference_checks_its_inputs_too():
    reference = TorchRuntime(tiny())
    assert [str(spec) for spec in reference.inputs] == ["x float32 (1, 3, frames)"]
    with pytest.raises(RuntimeInputError, match="expected x float32"):
        reference.run({"x": np.zeros((2, 3, 5), np.float32)})
    x = torch.randn(1, 3, 5)
    with torch.inference_mode():
        wanted = tiny().module(x).numpy()
    np.testing.assert_array_equal(reference.run({"x": x.numpy()})["y"], wanted)
