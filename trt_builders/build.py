"""ONNX → TensorRT plan: strongly typed, profiles from the budget, a timing cache, a manifest.

A plan is built on the GPU that will run it. One that is there already, and whose manifest is what
would be written again, stays.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from rt_avatar.engines.runtimes.cuda import Device
from rt_avatar.engines.runtimes.manifest import (
    SINCE_AMPERE,
    ManifestError,
    PlanManifest,
    read_manifest,
)
from rt_avatar.engines.runtimes.manifest import SUFFIX as MANIFEST
from rt_avatar.engines.runtimes.plan import SUFFIX as PLAN
from rt_avatar.engines.runtimes.tensorrt_log import logger
from rt_avatar.trt_builders.budget import Shape
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.export import ExportRecord

SUFFIX: Final = PLAN
TIMING_CACHE: Final = "timing.cache"
_log = logging.getLogger(__name__)

Profile = Mapping[str, tuple[Shape, ...]]  # by input, one triple a profile


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How much the builder tries.

    Attributes:
        level: 0 to 5; TensorRT's own default is 3, 5 tries everything.
        workspace_gb: Scratch memory that a layer may ask for.
        ampere_plus: Plans that run on every NVIDIA GPU since Ampere, somewhat slower.
    """

    level: int = 5
    workspace_gb: float = 4.0
    ampere_plus: bool = False


def wanted_manifest(
    record: ExportRecord,
    profile: Profile,
    trt: ModuleType,
    device: Device,
    options: BuildOptions,
) -> PlanManifest:
    """Return the manifest that a plan built now would have, but for its size."""
    return PlanManifest(
        name=record.graph,
        gpu=SINCE_AMPERE if options.ampere_plus else device.name,
        tensorrt=str(trt.__version__),
        precision=record.precision,
        shapes={name: tuple(shapes) for name, shapes in profile.items()},
        graph_sha256=record.sha256,
        checkpoint_sha256=" ".join(
            f"{name}:{digest}" for name, digest in sorted(record.weights_sha256.items())
        ),
        tools=dict(record.tools),
    )


def why_to_build(plan: Path, wanted: PlanManifest) -> str:
    """Return why a plan must be built; "" where it need not be."""
    if not plan.is_file():
        return "there is none"
    try:
        return "; ".join(read_manifest(plan).differences(wanted))
    except ManifestError as error:
        return str(error)


def build_plan(
    path: Path,
    plan: Path,
    wanted: PlanManifest,
    trt: ModuleType,
    options: BuildOptions | None = None,
) -> PlanManifest:
    """Build ``plan`` from the ONNX file at ``path`` and write its manifest. Takes minutes.

    Raises:
        BuildError: TensorRT cannot parse or build the graph; what it said is in the message.
    """
    options = options or BuildOptions()
    log = logger(trt)
    builder = trt.Builder(log)
    # The bit's number differs between TensorRT 10 and 11; its name does not.
    typed = 1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)
    network = builder.create_network(typed)
    parser = trt.OnnxParser(network, log)
    if not parser.parse_from_file(str(path)):
        raise BuildError(f"{path}: TensorRT cannot read it: {_parser_errors(parser)}")
    config = builder.create_builder_config()
    config.builder_optimization_level = options.level
    config.set_memory_pool_limit(
        trt.MemoryPoolType.WORKSPACE, int(options.workspace_gb * (1 << 30))
    )
    # TF32 would round the inputs of what we keep in fp32 to ten bits.
    config.clear_flag(trt.BuilderFlag.TF32)
    if options.ampere_plus:
        config.hardware_compatibility_level = trt.HardwareCompatibilityLevel.AMPERE_PLUS
    _add_profiles(builder, config, network, wanted)
    cache = plan.with_name(TIMING_CACHE)
    _remember_timings(config, cache)
    serialized = builder.build_serialized_network(network, config)
    if serialized is None:
        raise BuildError(
            f"{path}: TensorRT could not build it; its log says why. Less to try: --level 3; "
            "more scratch memory: --workspace-gb"
        )
    plan.parent.mkdir(parents=True, exist_ok=True)
    content = bytes(serialized)
    part = plan.with_name(f"{plan.name}.part")
    part.write_bytes(content)
    plan.with_suffix(MANIFEST).unlink(missing_ok=True)  # it is not of this plan
    part.replace(plan)
    cache.write_bytes(bytes(config.get_timing_cache().serialize()))
    manifest = replace(wanted, size_bytes=len(content))
    manifest.write(plan)
    return manifest


def _remember_timings(config: Any, file: Path) -> None:
    """Attach the timings of earlier builds; anew, where they are of another GPU or TensorRT."""
    for known in (file.read_bytes() if file.exists() else b"", b""):
        cache = config.create_timing_cache(known)
        if cache is not None and config.set_timing_cache(cache, ignore_mismatch=False):
            return
        if known:
            _log.warning("%s: the timings are of another GPU or TensorRT; begun anew", file)
    raise BuildError("TensorRT: expected a new timing cache; it gave none, its log says why")


def _add_profiles(builder: Any, config: Any, network: Any, wanted: PlanManifest) -> None:
    names = [network.get_input(index).name for index in range(network.num_inputs)]
    for name in names:
        if name not in wanted.shapes:
            raise BuildError(
                f"{wanted.name}: expected the inputs {', '.join(wanted.shapes)}; TensorRT sees "
                f"{name}. Export it again with: rt-avatar engines export"
            )
    for first in range(0, len(wanted.shapes[names[0]]), 3):
        profile = builder.create_optimization_profile()
        for name in names:
            profile.set_shape(name, *wanted.shapes[name][first : first + 3])
        if config.add_optimization_profile(profile) < 0:
            raise BuildError(f"{wanted.name}: TensorRT refused a profile of {dict(wanted.shapes)}")


def _parser_errors(parser: Any) -> str:
    errors = [parser.get_error(index) for index in range(parser.num_errors)]
    return "; ".join(f"{error.node_name()}: {error.desc()}" for error in errors[:3]) or "unknown"
