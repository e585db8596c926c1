"""Plans are built as they should be, over a scripted TensorRT, and only when they must be."""

from dataclasses import fields, replace

import pytest

from rt_avatar.engines.runtimes.cuda import Device
from rt_avatar.engines.runtimes.manifest import SINCE_AMPERE, PlanManifest, read_manifest
from rt_avatar.engines.runtimes.native import TensorRtRuntime
from rt_avatar.trt_builders.budget import Budget, optimization_profile
from rt_avatar.trt_builders.build import (
    TIMING_CACHE,
    BuildOptions,
    build_plan,
    wanted_manifest,
    why_to_build,
)
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.export import export_graph, read_export
from rt_avatar.trt_builders.verify import verify
from tests.fakes import tensorrt as fake
from tests.trt_builders.tiny import tiny

pytestmark = pytest.mark.networks
BUDGET = Budget(seconds=2)


@pytest.fixture
def device(monkeypatch):
    monkeypatch.setattr(fake, "CUDA", fake.FakeCuda())
    return Device(fake.CUDA)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    return export_graph("tiny", tiny(), tmp_path_factory.mktemp("plans"), "fp16")


@pytest.fixture
def wanted(exported, device):
    return wanted_manifest(
        read_export(exported), optimization_profile(tiny(), BUDGET), fake, device, BuildOptions()
    )


def test_a_plan_says_what_torch_says_within_its_profile(exported, wanted, device, tmp_path):
    plan = tmp_path / "fusion_tiny.plan"
    build_plan(exported, plan, wanted, fake)
    runtime = TensorRtRuntime(plan.read_bytes(), "fusion_tiny", fake, device)
    compared = list(verify(tiny(), runtime, "fp16", BUDGET))
    assert len(compared) == 3
    assert not any(each.wrong for each in compared)
    runtime.close()


def test_its_manifest_says_what_for_and_what_of(exported, wanted, tmp_path):
    plan = tmp_path / "fusion_tiny.plan"
    assert why_to_build(plan, wanted) == "there is none"
    made = build_plan(exported, plan, wanted, fake)
    assert made == read_manifest(plan) == replace(wanted, size_bytes=plan.stat().st_size)
    assert (made.gpu, made.tensorrt, made.precision) == ("Fake GPU", fake.__version__, "fp16")
    assert made.shapes == {"x": ((1, 3, 1), (1, 3, 16), (1, 3, 50))}
    assert made.graph_sha256 == read_export(exported).sha256
    assert why_to_build(plan, wanted) == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gpu": "Other"}, "gpu: plan has Fake GPU, wanted Other"),
        ({"tensorrt": "11.4.0.106"}, "tensorrt: plan has 10.13.0.35, wanted 11.4.0.106"),
        ({"graph_sha256": "new"}, "graph sha256"),
        ({"checkpoint_sha256": "kokoro-82m:ab"}, "checkpoint sha256"),
        ({"precision": "fp32"}, "precision"),
        ({"shapes": {}}, "shapes"),
        ({"tools": {"torch": "1"}}, "tools: plan has {'onnx'"),
        ({"name": "fusion_other"}, "name: plan has fusion_tiny, wanted fusion_other"),
        ({"gpu": SINCE_AMPERE}, "gpu: plan has Fake GPU, wanted any NVIDIA GPU since Ampere"),
    ],
)
def test_a_plan_for_something_else_is_built_anew(exported, wanted, tmp_path, change, message):
    plan = tmp_path / "fusion_tiny.plan"
    build_plan(exported, plan, wanted, fake)
    assert message in why_to_build(plan, replace(wanted, **change))


def test_every_field_of_a_manifest_is_compared_but_the_size(exported, wanted, tmp_path):
    plan = tmp_path / "fusion_tiny.plan"
    build_plan(exported, plan, wanted, fake)
    for field in fields(PlanManifest):
        why = why_to_build(plan, replace(wanted, **{field.name: "another"}))
        assert bool(why) == (field.name != "size_bytes"), field.name


def test_a_plan_for_all_gpus_since_ampere_says_so(exported, device):
    record, lengths = read_export(exported), optimization_profile(tiny(), BUDGET)
    options = BuildOptions(ampere_plus=True)
    for asked, gpu in ((BuildOptions(), device.name), (options, SINCE_AMPERE)):
        assert wanted_manifest(record, lengths, fake, device, asked).gpu == gpu


def test_a_build_that_breaks_off_leaves_no_manifest_of_another_plan(
    exported, wanted, tmp_path, monkeypatch
):
    plan = tmp_path / "fusion_tiny.plan"
    build_plan(exported, plan, wanted, fake)
    monkeypatch.setattr(PlanManifest, "write", lambda self, plan: None)
    build_plan(exported, plan, replace(wanted, precision="fp32"), fake)
    assert "expected fusion_tiny.json beside it" in why_to_build(plan, wanted)


def test_a_plan_without_its_manifest_is_built_anew(exported, wanted, tmp_path):
    plan = tmp_path / "fusion_tiny.plan"
    build_plan(exported, plan, wanted, fake)
    plan.with_suffix(".json").unlink()
    assert "expected fusion_tiny.json beside it" in why_to_build(plan, wanted)


def test_the_builder_is_asked_for_what_was_meant(exported, wanted, tmp_path, monkeypatch):
    asked = []
    build = fake.Builder.build_serialized_network

    def note(self, network, config):
        asked.append(config)
        return build(self, network, config)

    monkeypatch.setattr(fake.Builder, "build_serialized_network", note)
    options = BuildOptions(level=2, workspace_gb=1.5, ampere_plus=True)
    build_plan(exported, tmp_path / "a.plan", wanted, fake, options)
    (config,) = asked
    assert config.builder_optimization_level == 2
    assert config.hardware_compatibility_level is fake.HardwareCompatibilityLevel.AMPERE_PLUS
    assert config._limits == {fake.MemoryPoolType.WORKSPACE: 3 << 29}
    assert config._unset == [fake.BuilderFlag.TF32]


def test_timings_are_kept_from_build_to_build(exported, wanted, tmp_path):
    build_plan(exported, tmp_path / "a.plan", wanted, fake)
    build_plan(exported, tmp_path / "b.plan", wanted, fake)
    assert (tmp_path / TIMING_CACHE).read_bytes() == b"++"


@pytest.mark.parametrize("others", [b"oo", b"no cache"])
def test_timings_of_another_gpu_are_begun_anew(exported, wanted, tmp_path, others, caplog):
    (tmp_path / TIMING_CACHE).write_bytes(others)
    build_plan(exported, tmp_path / "a.plan", wanted, fake)
    assert (tmp_path / TIMING_CACHE).read_bytes() == b"+"
    assert "the timings are of another GPU" in caplog.text


def test_what_tensorrt_refuses_is_told_and_leaves_nothing(exported, wanted, tmp_path, monkeypatch):
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"nothing")
    with pytest.raises(BuildError, match="TensorRT cannot read it: node:"):
        build_plan(bad, tmp_path / "a.plan", wanted, fake)
    with pytest.raises(BuildError, match="expected the inputs other; TensorRT sees x"):
        build_plan(exported, tmp_path / "a.plan", replace(wanted, shapes={"other": ()}), fake)
    monkeypatch.setattr(fake.Builder, "build_serialized_network", lambda *given: None)
    with pytest.raises(BuildError, match=r"could not build it.*--level 3"):
        build_plan(exported, tmp_path / "a.plan", wanted, fake)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.onnx"]
