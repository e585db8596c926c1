"""Which runtime runs an exported graph: its file and a name from the settings → ``Runtime``."""

import json
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from rt_avatar.engines.runtimes.onnx import OnnxRuntime
from rt_avatar.engines.runtimes.plan import SUFFIX, open_plan
from rt_avatar.engines.runtimes.runtime import Runtime, RuntimeUnavailableError

# onnxruntime on the CPU, by its CUDA or its TensorRT provider; or a TensorRT plan, run natively.
RuntimeName: TypeAlias = Literal["cpu", "cuda", "tensorrt", "plan"]
RUNTIMES: Final[tuple[RuntimeName, ...]] = get_args(RuntimeName)


def open_graph(
    path: Path,
    runtime: RuntimeName = "cpu",
    *,
    threads: int = 1,
    resident: frozenset[str] = frozenset(),
) -> Runtime:
    """Open an ONNX file, or the plan that was built of it and lies beside it.

    Args:
        path: The ONNX file.
        runtime: What runs it.
        threads: Of the CPU, within one operation.
        resident: Of a plan, the tensors that stay on the GPU.

    Raises:
        FileNotFoundError: There is no such graph, or no plan of it.
        ManifestError: The plan has no manifest.
        RuntimeUnavailableError: It cannot be run here; the message says how to mend that.
    """
    if runtime == "plan":
        return open_plan(path.with_suffix(SUFFIX), resident=resident)
    if runtime != "cpu":
        _check_precision(path, runtime)
    return OnnxRuntime(path, runtime, threads=threads)


def _check_precision(path: Path, runtime: RuntimeName) -> None:
    """Refuse 8-bit weights on a GPU, where onnxruntime would take them back to the CPU."""
    try:
        record = json.loads(path.with_suffix(".onnx.json").read_text(encoding="utf-8"))
        precision, network = record["precision"], record["network"]
    except (OSError, ValueError, KeyError, TypeError):
        return  # a graph without a record is nobody's export
    if precision == "int8":
        raise RuntimeUnavailableError(
            f"{path}: provider {runtime}: expected a graph in fp16 or fp32; got 8-bit weights, "
            "which are for the CPU. Make it with: rt-avatar engines export "
            f"{network} --precision fp16"
        )
