"""The reference runtime keeps the promises of all runtimes, and tells a graph as they do."""

import numpy as np
import pytest
import torch
from torch import nn

from rt_avatar.engines.networks.graph import Graph, export_onnx
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.engines.runtimes.runtime import RuntimeInputError, RuntimeRunError

pytestmark = pytest.mark.networks


class Small(nn.Module):
    """Frames (B, T, 3) and a row of numbers each → a map of them, and the weight itself."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.map, self.drop = nn.Linear(3, 2), nn.Dropout(0.5)

    def forward(self, frames, ids):
        made = self.drop(self.map(frames)) + ids[:, :, None]
        return made, made[:, -1], self.map.weight


def graph():
    return Graph(
        "small",
        Small().train(),
        {"frames": torch.zeros(1, 4, 3), "ids": torch.zeros(1, 4, dtype=torch.int64)},
        ("made", "last", "weight"),
        {"frames": {1: "frames"}, "ids": {1: "frames"}},
        traced=True,
        dynamic_outputs={"made": {1: "frames"}},
    )


def inputs(frames, seed=0):
    dice = np.random.default_rng(seed)
    return {
        "frames": dice.normal(0, 1, (1, frames, 3)).astype(np.float32),
        "ids": dice.integers(0, 9, (1, frames)),
    }


def test_it_tells_what_it_takes_and_computes_what_onnxruntime_does(tmp_path):
    torch_runtime = TorchRuntime(graph())
    export_onnx(graph(), tmp_path / "small.onnx")
    onnx_runtime = OnnxRuntime(tmp_path / "small.onnx")
    assert torch_runtime.inputs == onnx_runtime.inputs
    for here, there in zip(torch_runtime.outputs, onnx_runtime.outputs, strict=True):
        assert (here.name, here.dtype) == (there.name, there.dtype)
        assert len(here.shape) == len(there.shape)
    for frames in (1, 4, 9):
        one, other = (run.run(inputs(frames)) for run in (torch_runtime, onnx_runtime))
        assert one.keys() == other.keys()
        for name, value in one.items():
            np.testing.assert_allclose(value, other[name], atol=1e-6)


def test_results_are_the_callers_and_inputs_stay_as_they_are():
    runtime, given = TorchRuntime(graph()), inputs(4)
    given["frames"].flags.writeable = False
    before = {name: value.copy() for name, value in given.items()}
    first = runtime.run(given)
    kept = {name: value.copy() for name, value in first.items()}
    first["last"][:] = 7
    assert np.array_equal(first["made"], kept["made"])
    for value in first.values():
        value[:] = 7
    again = runtime.run(given)
    for name, value in kept.items():
        assert np.array_equal(again[name], value), name
    for name, value in before.items():
        assert np.array_equal(given[name], value)
    runtime.close()
    runtime.close()


@pytest.mark.parametrize(
    "changed",
    [
        {"frames": np.zeros((1, 4, 3))},
        {"frames": np.zeros((1, 4, 2), np.float32)},
        {"ids": np.zeros((1, 5), np.int64)},
        {"more": np.zeros(1)},
    ],
)
def test_wrong_inputs_are_refused(changed):
    with pytest.raises(RuntimeInputError, match="small: expected"):
        TorchRuntime(graph()).run(inputs(4) | changed)


def test_a_module_that_fails_while_it_runs_is_named():
    class Picky(nn.Module):
        def forward(self, x):
            return x.reshape(4)

    runtime = TorchRuntime(Graph("picky", Picky(), {"x": torch.zeros(4)}, ("y",), {"x": {0: "n"}}))
    assert runtime.run({"x": np.ones(4, np.float32)})["y"].tolist() == [1.0] * 4
    with pytest.raises(RuntimeRunError, match="picky: torch could not run it: shape"):
        runtime.run({"x": np.ones(5, np.float32)})
