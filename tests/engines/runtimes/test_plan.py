"""The native runtime over a TensorRT and a CUDA that are scripted: buffers, shapes, recordings."""

import base64
import json
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.runtimes import (
    OnnxRuntime,
    RuntimeInputError,
    RuntimeUnavailableError,
    open_graph,
)
from rt_avatar.engines.runtimes.cuda import Device
from rt_avatar.engines.runtimes.manifest import SINCE_AMPERE, ManifestError, PlanManifest
from rt_avatar.engines.runtimes.native import KEPT_GRAPHS, TensorRtRuntime
from rt_avatar.engines.runtimes.plan import load_tensorrt, open_plan
from tests.engines.runtimes.models import answer, inputs, model
from tests.fakes import tensorrt as fake

pytestmark = pytest.mark.unit

SHORT = {"x": [(1, 3), (4, 3), (8, 3)], "scale": [(1, 2), (4, 2), (8, 2)]}
LONG = {"x": [(9, 3), (20, 3), (40, 3)], "scale": [(9, 2), (20, 2), (40, 2)]}
PLAN = json.dumps({"onnx": base64.b64encode(model()).decode(), "profiles": [SHORT, LONG]}).encode()
MANIFEST = PlanManifest(
    "small", "Fake GPU", fake.__version__, "fp32", {"x": ((1, 3), (4, 3), (8, 3))}, "a", "b", {},
    len(PLAN),
)  # fmt: skip


@pytest.fixture
def runtime(cuda):
    made = TensorRtRuntime(PLAN, "small", fake, Device(cuda))
    yield made
    made.close()


@pytest.fixture
def often_switched():
    """Threads take turns after a few instructions each."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def assert_right(runtime, frames, seed=0):
    given = inputs(frames, seed)
    made = runtime.run(given)
    for name, value in answer(given).items():
        np.testing.assert_allclose(made[name], value, atol=1e-6)


def test_it_says_what_onnxruntime_says_at_any_length_and_order(runtime):
    other = OnnxRuntime(model())
    for seed, frames in enumerate((1, 8, 3, 40, 3, 9, 3, 40, 1)):
        given = inputs(frames, seed)
        for name, value in other.run(given).items():
            np.testing.assert_array_equal(runtime.run(given)[name], value)


def test_a_shape_is_recorded_once_and_then_launched(runtime, cuda):
    for seed in range(4):
        assert_right(runtime, 5, seed)
    assert (len(cuda.graphs), cuda.launches) == (1, 2)
    assert_right(runtime, 6)  # once: not worth a recording
    assert_right(runtime, 5, 9)
    assert (len(cuda.graphs), cuda.launches) == (1, 3)


def test_without_recordings_the_answers_are_the_same(cuda):
    runtime = TensorRtRuntime(PLAN, "small", fake, Device(cuda), cuda_graphs=False)
    for seed in range(3):
        assert_right(runtime, 5, seed)
    assert not cuda.graphs


def test_device_memory_stays_and_old_recordings_go(runtime, cuda):
    for frames in range(1, 8):
        assert_right(runtime, frames)
    before = set(cuda.memory)
    for frames in range(1, 40):
        assert_right(runtime, frames)
        assert_right(runtime, frames, 1)
    assert set(cuda.memory) == before
    assert len(cuda.graphs) == KEPT_GRAPHS


def test_results_are_the_callers(runtime):
    first = runtime.run(inputs(5))
    kept = first["y"].copy()
    runtime.run(inputs(5, 1))
    np.testing.assert_array_equal(first["y"], kept)


def test_closing_gives_everything_back(cuda):
    device = Device(cuda)
    runtime = TensorRtRuntime(PLAN, "small", fake, device)
    for _ in range(4):
        runtime.run(inputs(5))
    assert cuda.graphs
    runtime.close()
    runtime.close()
    device.close()
    assert (cuda.memory, cuda.graphs, cuda.streams) == ({}, {}, set())


def test_runs_of_several_threads_do_not_mix(runtime, often_switched):
    given = {seed: inputs(38 + seed % 3, seed) for seed in range(200)}
    with ThreadPoolExecutor(4) as threads:
        made = dict(zip(given, threads.map(runtime.run, given.values()), strict=True))
    for seed, asked in given.items():
        for name, value in answer(asked).items():
            np.testing.assert_allclose(made[seed][name], value, atol=1e-6)


def test_recordings_of_several_plans_follow_one_another(cuda, often_switched):
    runtimes = [TensorRtRuntime(PLAN, "small", fake, Device(cuda)) for _ in range(4)]

    def run(runtime):
        for frames in range(1, 30):
            assert_right(runtime, frames)
            assert_right(runtime, frames, 1)
            assert_right(runtime, frames, 2)

    with ThreadPoolExecutor(len(runtimes)) as threads:
        list(threads.map(run, runtimes))
    assert len(cuda.graphs) == KEPT_GRAPHS * len(runtimes)


def test_numbers_that_numpy_has_not_are_told(cuda, monkeypatch):
    monkeypatch.setattr(fake.ICudaEngine, "get_tensor_dtype", lambda self, name: fake.DataType.BF16)
    with pytest.raises(RuntimeUnavailableError, match=r"expected tensors of FLOAT, .*; x is BF16"):
        TensorRtRuntime(PLAN, "small", fake, Device(cuda))


def test_shapes_beyond_all_profiles_are_told(runtime):
    with pytest.raises(RuntimeInputError, match=r"x \(1, 3\) to \(8, 3\).*got x \(41, 3\)"):
        runtime.run(inputs(41))
    assert_right(runtime, 40)


def test_a_plan_that_cannot_be_recorded_is_run_without_and_loses_no_result(
    runtime, cuda, monkeypatch, caplog
):
    """TensorRT refuses to capture plans with loops."""
    monkeypatch.setattr(
        fake.IExecutionContext,
        "execute_async_v3",
        lambda self, stream_handle: cuda.captured is None and (cuda.do(self._work) or True),
    )
    for seed in range(4):
        assert_right(runtime, 5, seed)
    assert (cuda.captured, cuda.graphs, cuda.launches) == (None, {}, 0)
    (told,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert "small: cannot be recorded as a CUDA graph and is run without" in told.getMessage()


def test_a_capture_that_the_device_refuses_loses_no_result(runtime, cuda, monkeypatch):
    monkeypatch.setattr(cuda, "cudaStreamEndCapture", lambda stream: (1, cuda.abort_capture()))
    for seed in range(3):
        assert_right(runtime, 5, seed)
    assert (cuda.captured, cuda.graphs) == (None, {})


def test_a_plan_of_others_is_refused(cuda):
    with pytest.raises(RuntimeUnavailableError, match="TensorRT refused it"):
        TensorRtRuntime(b"ftrt foreign", "small", fake, Device(cuda))


def test_a_machine_without_a_gpu_is_told():
    with pytest.raises(RuntimeUnavailableError, match=r"NVIDIA GPU number 0.*no CUDA-capable"):
        Device(fake.FakeCuda(gpu=""))


@pytest.fixture
def installed(cuda, monkeypatch):
    fake.install(cuda, monkeypatch)


@pytest.mark.usefixtures("installed")
def test_a_plan_opens_by_its_manifest(tmp_path):
    plan = tmp_path / "small.plan"
    with pytest.raises(FileNotFoundError, match="engines build"):
        open_plan(plan)
    plan.write_bytes(PLAN)
    with pytest.raises(ManifestError, match=r"small\.json beside it"):
        open_plan(plan)
    MANIFEST.write(plan)
    for runtime in (open_plan(plan), open_graph(tmp_path / "small.onnx", "plan")):
        assert_right(runtime, 5)
        runtime.close()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("generation", "is_opened"), [(8, True), (9, True), (7, False)], ids=["same", "newer", "older"]
)
def test_a_plan_for_all_gpus_since_one_opens_on_them(tmp_path, cuda, generation, is_opened):
    cuda.generation = generation
    plan = tmp_path / "small.plan"
    plan.write_bytes(PLAN)
    replace(MANIFEST, gpu=SINCE_AMPERE).write(plan)
    if is_opened:
        open_plan(plan).close()
        return
    with pytest.raises(RuntimeUnavailableError, match="built for any NVIDIA GPU since Ampere"):
        open_plan(plan)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("record", "message"),
    [
        ('{"sha256": "a"}', ""),
        ('{"sha256": "of another export"}', "the graph beside it, which was exported since"),
        ("{}", "expected the record of its graph; got KeyError"),
        ("nonsense", "expected the record of its graph"),
    ],
)
def test_a_plan_of_an_older_export_says_so(tmp_path, record, message):
    """Its graph was exported again, with other weights; nothing but its words would have shown."""
    plan = tmp_path / "small.plan"
    plan.write_bytes(PLAN)
    MANIFEST.write(plan)
    (tmp_path / "small.onnx.json").write_text(record)
    if not message:
        open_plan(plan).close()
        return
    with pytest.raises(RuntimeUnavailableError, match=f"{message}.*rt-avatar engines build"):
        open_plan(plan)


@pytest.mark.usefixtures("installed")
def test_a_plan_that_was_cut_short_is_not_even_tried(tmp_path):
    plan = tmp_path / "small.plan"
    plan.write_bytes(PLAN[:-9])
    MANIFEST.write(plan)
    with pytest.raises(RuntimeUnavailableError, match=rf"{len(PLAN)} bytes; got {len(PLAN) - 9}"):
        open_plan(plan)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("change", [{"gpu": "Other GPU"}, {"tensorrt": "10.1.0"}])
def test_a_plan_of_another_machine_is_not_even_tried(tmp_path, change):
    plan = tmp_path / "small.plan"
    plan.write_bytes(PLAN)
    replace(MANIFEST, **change).write(plan)
    with pytest.raises(RuntimeUnavailableError, match=f"{next(iter(change.values()))}.*Build"):
        open_plan(plan)


def test_an_old_or_hollow_tensorrt_is_told(monkeypatch):
    for version, told in (("8.6.1", "got 8.6.1"), ("", "a folder without a library")):
        hollow = types.ModuleType("tensorrt")
        hollow.__version__ = version
        monkeypatch.setitem(sys.modules, "tensorrt", hollow)
        with pytest.raises(RuntimeUnavailableError, match=told):
            load_tensorrt()
    monkeypatch.setitem(sys.modules, "tensorrt", None)
    with pytest.raises(RuntimeUnavailableError, match="pip install tensorrt"):
        load_tensorrt()
