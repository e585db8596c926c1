"""An exported graph as a callable: arrays by name in and out, on one thread of onnxruntime."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import onnxruntime

Run = Callable[[Mapping[str, np.ndarray]], dict[str, np.ndarray]]


def session(path: Path) -> Run:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    made = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [entry.name for entry in made.get_outputs()]
    return lambda inputs: dict(
        zip(names, made.run(None, {k: np.asarray(v) for k, v in inputs.items()}), strict=True)
    )
