"""A graph of the language model with 8-bit weights, for one thread of a CPU.

Weights are rounded once, a scale for each output; activations at every call, which needs no data to
calibrate with. The embedding stays as it is. What it costs in logits is measured, not assumed.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic

_OPERATIONS: Final = ("MatMul", "Gemm")


def quantise(path: Path, out: Path) -> None:
    """Write ``path``'s graph with 8-bit weights to ``out``."""
    quantize_dynamic(
        path,
        out,
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=list(_OPERATIONS),
    )


def logit_error(exact: NDArray[np.float32], rounded: NDArray[np.float32]) -> tuple[float, float]:
    """Return the largest error of logits (N, vocabulary), and its RMS against theirs."""
    error = rounded.astype(np.float64) - exact
    return float(np.abs(error).max()), float(np.sqrt((error**2).mean() / exact.var()))
