"""Graphs on onnxruntime: right answers, and clear words where something is wrong."""

import os

import numpy as np
import onnx
import onnxruntime
import pytest

from rt_avatar.engines.runtimes import (
    OnnxRuntime,
    RuntimeInputError,
    RuntimeRunError,
    RuntimeUnavailableError,
    open_graph,
)
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
    ("changed", "message"),
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
def test_wrong_inputs_are_refused_by_name(runtime, changed, message):
    given = {name: value for name, value in (inputs(4) | changed).items() if value is not None}
    with pytest.raises(RuntimeInputError, match=message):
        runtime.run(given)


def test_a_file_that_is_none_says_how_to_make_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="rt-avatar engines export"):
        OnnxRuntime(tmp_path / "none.onnx")
    (tmp_path / "bad.onnx").write_bytes(b"no graph")
    with pytest.raises(RuntimeUnavailableError, match="bad: expected a graph"):
        OnnxRuntime(tmp_path / "bad.onnx")


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_file_that_was_cut_short_says_how_to_mend_it(tmp_path, share):
    whole = model()
    (tmp_path / "cut.onnx").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(
        RuntimeUnavailableError, match=r"cut\.onnx whole\?.*rt-avatar engines export"
    ):
        OnnxRuntime(tmp_path / "cut.onnx")


@pytest.mark.parametrize("left", [10, None])
def test_a_file_whose_weights_are_not_all_there_says_how_to_mend_it(tmp_path, left):
    path, weights = tmp_path / "large.onnx", tmp_path / "large.onnx.data"
    onnx.save_model(
        onnx.load_from_string(model()),
        path,
        save_as_external_data=True,
        location=weights.name,
        size_threshold=0,
    )
    if left is None:
        weights.unlink()
    else:
        os.truncate(weights, left)
    with pytest.raises(RuntimeUnavailableError, match=r"large\.onnx whole\?.*engines export"):
        OnnxRuntime(path)


@pytest.mark.skipif(
    "CUDAExecutionProvider" in onnxruntime.get_available_providers(), reason="there is a provider"
)
def test_a_provider_that_is_not_there_is_named():
    for provider in ("cuda", "tensorrt"):
        with pytest.raises(RuntimeUnavailableError, match="onnxruntime-gpu"):
            OnnxRuntime(model(), provider)


class ScriptedSession:
    """onnxruntime's session on a machine whose GPU is scripted: keeps what it was asked for."""

    asked = ()
    works = True

    def __init__(self, model, settings, providers):
        type(self).asked = providers
        self._settings = settings
        self._real = Session(model, settings, providers=["CPUExecutionProvider"])

    def get_providers(self):
        names = [each if isinstance(each, str) else each[0] for each in self.asked]
        return names if self.works else names[1:]

    def __getattr__(self, name):
        return getattr(self._real, name)


Session = onnxruntime.InferenceSession
GPUS = {"cuda": "CUDAExecutionProvider", "tensorrt": "TensorrtExecutionProvider"}


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setattr(ScriptedSession, "works", True)
    monkeypatch.setattr(onnxruntime, "InferenceSession", ScriptedSession)
    there = [*GPUS.values(), "CPUExecutionProvider"]
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: there)
    return ScriptedSession


@pytest.mark.parametrize("provider", GPUS)
def test_a_gpus_provider_gets_its_options_and_the_cpu_what_is_left(gpu, provider, tmp_path):
    path = tmp_path / "small.onnx"
    path.write_bytes(model())
    OnnxRuntime(path, provider, options={"device_id": "1"})
    assert gpu.asked == [(GPUS[provider], {"device_id": "1"}), "CPUExecutionProvider"]
    given = inputs(3)
    made = open_graph(path, provider, threads=2).run(given)
    np.testing.assert_allclose(made["y"], answer(given)["y"], atol=1e-6)
    assert gpu.asked[0][0] == GPUS[provider]


@pytest.mark.parametrize("provider", GPUS)
def test_a_gpus_provider_that_onnxruntime_drops_silently_is_told(gpu, provider, monkeypatch):
    monkeypatch.setattr(gpu, "works", False)
    with pytest.raises(RuntimeUnavailableError, match=f"run on {GPUS[provider]}.*fell back to CPU"):
        OnnxRuntime(model(), provider)


def test_a_graph_that_fails_while_it_runs_is_named(runtime, monkeypatch):
    def fail(*given):
        raise RuntimeError("CUDA failure 700\nand much more")

    monkeypatch.setattr(runtime._session, "run", fail, raising=False)
    with pytest.raises(
        RuntimeRunError, match=r"graph: onnxruntime could not run it: CUDA failure 7"
    ):
        runtime.run(inputs(2))
