"""What runs a graph: onnxruntime or a TensorRT plan, behind one protocol; the choice is config."""

from rt_avatar.engines.runtimes.choice import RUNTIMES, RuntimeName, open_graph
from rt_avatar.engines.runtimes.onnx import OnnxRuntime
from rt_avatar.engines.runtimes.runtime import (
    Array,
    Arrays,
    Runtime,
    RuntimeInputError,
    RuntimeRunError,
    RuntimeUnavailableError,
    TensorSpec,
)

__all__ = [
    "RUNTIMES",
    "Array",
    "Arrays",
    "OnnxRuntime",
    "Runtime",
    "RuntimeInputError",
    "RuntimeName",
    "RuntimeRunError",
    "RuntimeUnavailableError",
    "TensorSpec",
    "open_graph",
]
