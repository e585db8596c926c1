"""What runs a graph: onnxruntime or a TensorRT plan, behind one protocol; the choice is config."""

from engines.runtimes.onnx import OnnxRuntime
from engines.runtimes.runtime import (
    Array,
    Arrays,
    Runtime,
    RuntimeInputError,
    RuntimeRunError,
    RuntimeUnavailableError,
    TensorSpec,
)

__all__ = [
    "Array",
    "Arrays",
    "OnnxRuntime",
    "Runtime",
    "RuntimeInputError",
    "RuntimeRunError",
    "RuntimeUnavailableError",
    "TensorSpec",
]
