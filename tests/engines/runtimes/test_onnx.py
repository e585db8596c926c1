"""Graphs on onnxruntime: right answers, and clear words where something is wrong."""

import numpy as np
import onnxruntime
import pytest

from engines.runtimes import OnnxRuntime, RuntimeInputError, RuntimeUnavailableError
from tests.engines.runtimes.models import answer, inputs, model

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def runtime():
    return OnnxRuntime(model())


def test_it_computes_what_the_graph_says_at_any_length(runtime):
    for frames in (1, 7, 30):
        given = inputs(frames)
        made = runtime.run(given)
        assert list(made) == ["y", "scaled"]
        for name, value in answer(given).items():
            np.testing.assert_allclose(made[name], value, atol=1e-6)


def test_it_tells_what_it_takes_and_gives(runtime):
    assert [str(spec) for spec in runtime.inputs] == [
        "x float32 (frames, 3)",
        "scale float32 (frames, 2)",
    ]
    assert [spec.name for spec in runtime.outputs] == ["y", "scaled"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"x": None}, "expected the inputs x, scale; got scale"),
        ({"other": np.zeros(1)}, "expected the inputs x, scale; got x, scale, other"),
        ({"x": np.zeros((4, 3))}, r"expected x float32 \(frames, 3\); got float64 \(4, 3\)"),
        ({"x": np.zeros((4, 2), np.float32)}, r"expected x float32 \(frames, 3\); got .*\(4, 2\)"),
        ({"x": np.zeros(3, np.float32)}, r"expected x float32 \(frames, 3\); got float32 \(3,\)"),
        ({"x": np.zeros((5, 3), np.float32)}, "one length 'frames' in x and scale; got 5 and 4"),
        ({"x": np.zeros((0, 3), np.float32)}, "no empty axis"),
    ],
)
def test_wrong_inputs_are_refused_by_name(runtime, changed, told):
    given = {name: value for name, value in (inputs(4) | changed).items() if value is not None}
    with pytest.raises(RuntimeInputError, match=told):
        runtime.run(given)


def test_a_file_that_is_none_says_how_to_make_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="rt-avatar engines export"):
        OnnxRuntime(tmp_path / "none.onnx")
    (tmp_path / "bad.onnx").write_bytes(b"no graph")
    with pytest.raises(RuntimeUnavailableError, match="bad: expected a graph"):
        OnnxRuntime(tmp_path / "bad.onnx")


@pytest.mark.skipif(
    "CUDAExecutionProvider" in onnxruntime.get_available_providers(), reason="there is a provider"
)
def test_a_provider_that_is_not_there_is_named():
    for provider in ("cuda", "tensorrt"):
        with pytest.raises(RuntimeUnavailableError, match="onnxruntime-gpu"):
            OnnxRuntime(model(), provider)
