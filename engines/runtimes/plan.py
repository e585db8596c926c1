"""Plan files: a TensorRT engine with its manifest, opened only where it was built for.

Needs ``tensorrt`` ≥ 10.1 and ``cuda-bindings``, which are loaded only when a plan is opened.
"""

import json
from pathlib import Path
from types import ModuleType
from typing import Final

from rt_avatar.engines.runtimes.cuda import Device, load_cuda
from rt_avatar.engines.runtimes.manifest import PlanManifest, read_manifest
from rt_avatar.engines.runtimes.native import TensorRtRuntime
from rt_avatar.engines.runtimes.runtime import RuntimeUnavailableError

SUFFIX: Final = ".plan"
OLDEST: Final = (10, 1)  # the first with scratch memory of one's own (set_device_memory)


def load_tensorrt() -> ModuleType:
    """Return the ``tensorrt`` package.

    Raises:
        RuntimeUnavailableError: It is not installed, or too old.
    """
    try:
        import tensorrt
    except ImportError as error:
        raise RuntimeUnavailableError(
            "tensorrt: expected the package tensorrt >= 10.1, got none; pip install tensorrt"
        ) from error
    version = getattr(tensorrt, "__version__", "")
    if not version or tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise RuntimeUnavailableError(
            "tensorrt: expected version 10.1 or newer; got "
            f"{version or 'a folder without a library'}"
        )
    assert isinstance(tensorrt, ModuleType)
    return tensorrt


def open_plan(
    path: Path,
    *,
    gpu: int = 0,
    cuda_graphs: bool = True,
    resident: frozenset[str] = frozenset(),
) -> TensorRtRuntime:
    """Open a plan file whose manifest says that it was built for this machine.

    Args:
        path: The plan.
        gpu: Which one.
        cuda_graphs: As ``TensorRtRuntime`` takes it.
        resident: The same.

    Raises:
        RuntimeUnavailableError: TensorRT or the GPU is missing, the plan is for others, or it is
            not the one that was built of the graph beside it.
        ManifestError: There is no manifest.
        FileNotFoundError: There is no such plan.
    """
    if not path.is_file():
        raise FileNotFoundError(
            f"{path}: expected a TensorRT plan, got none. Make it with: rt-avatar engines build"
        )
    manifest = read_manifest(path)
    trt, device = load_tensorrt(), Device(load_cuda(), gpu)
    version = str(trt.__version__)
    mend = "Build it anew with: rt-avatar engines build"
    if not manifest.is_for(device.name, device.generation) or manifest.tensorrt != version:
        raise RuntimeUnavailableError(
            f"{path}: expected a plan for {device.name} and TensorRT {version}; it was built for "
            f"{manifest.gpu} and TensorRT {manifest.tensorrt}. {mend}"
        )
    if wrong := _strangeness(path, manifest):
        raise RuntimeUnavailableError(f"{path}: {wrong}. {mend}")
    return TensorRtRuntime(
        path.read_bytes(), path.stem, trt, device, cuda_graphs=cuda_graphs, resident=resident
    )


def _strangeness(path: Path, manifest: PlanManifest) -> str:
    """Return why a plan is not the one that its neighbours speak of; "" where it is."""
    size = path.stat().st_size
    if size != manifest.size_bytes:
        return f"expected the plan of its manifest, {manifest.size_bytes} bytes; got {size}"
    try:  # the record of the graph that it was built of, where that is still here
        record = json.loads(path.with_suffix(".onnx.json").read_text(encoding="utf-8"))
        is_same = record["sha256"] == manifest.graph_sha256
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"expected the record of its graph; got {error!r}"
    return "" if is_same else "expected the plan of the graph beside it, which was exported since"
