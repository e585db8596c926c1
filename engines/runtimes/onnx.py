"""Graphs on onnxruntime: an ONNX file on the CPU, or on a GPU by its CUDA or TensorRT provider."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import onnxruntime

from rt_avatar.engines.runtimes.runtime import (
    Array,
    Arrays,
    RuntimeRunError,
    RuntimeUnavailableError,
    TensorSpec,
    check_inputs,
    first_line,
)

Provider: TypeAlias = Literal["cpu", "cuda", "tensorrt"]

_PROVIDERS: Final[Mapping[Provider, str]] = {
    "cpu": "CPUExecutionProvider",
    "cuda": "CUDAExecutionProvider",
    "tensorrt": "TensorrtExecutionProvider",
}
# onnxruntime's names for the types of tensors.
_DTYPES: Final[Mapping[str, type[np.generic]]] = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(uint8)": np.uint8,
    "tensor(int8)": np.int8,
    "tensor(bool)": np.bool_,
}
# What onnxruntime says of a file that was cut short, or whose file of weights was or is missing.
_BROKEN: Final = ("INVALID_PROTOBUF", "INVALID_GRAPH", "No graph was found", "External")


class OnnxRuntime:
    """An ONNX file. Runs may come from several threads at once.

    Args:
        model: The file, or its content.
        provider: What it runs on. A GPU's falls back to the CPU for single operations only.
        threads: Of the CPU, within one operation. One is right where many callers share cores.
        arena: Whether it keeps memory between runs. Without, the system's allocator does it all:
            less memory at rest, and nothing slower where arrays are small.
        options: The provider's own, by the names in onnxruntime's documentation.

    Raises:
        FileNotFoundError: There is no such file.
        RuntimeUnavailableError: This onnxruntime lacks the provider, or cannot load the graph.
    """

    def __init__(
        self,
        model: Path | bytes,
        provider: Provider = "cpu",
        *,
        threads: int = 1,
        arena: bool = True,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.name = model.stem if isinstance(model, Path) else "graph"
        if isinstance(model, Path) and not model.is_file():
            raise FileNotFoundError(
                f"{model}: expected an ONNX file, got none. Make it with: rt-avatar engines export"
            )
        chosen = _PROVIDERS[provider]
        there = onnxruntime.get_available_providers()
        if chosen not in there:
            raise RuntimeUnavailableError(
                f"{self.name}: expected onnxruntime with {chosen}; got {', '.join(there)}. "
                "A GPU needs the package onnxruntime-gpu in the place of onnxruntime"
            )
        if provider != "cpu":
            _preload()
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = threads
        settings.inter_op_num_threads = 1
        settings.enable_cpu_mem_arena = arena
        settings.log_severity_level = 3  # errors: they are raised as well
        providers: list[Any] = [(chosen, dict(options or {}))]
        if provider != "cpu":
            providers.append(_PROVIDERS["cpu"])
        try:
            self._session = onnxruntime.InferenceSession(
                str(model) if isinstance(model, Path) else model, settings, providers=providers
            )
        except Exception as error:  # onnxruntime's errors share no class below this one
            mend = ""
            if isinstance(model, Path) and any(word in str(error) for word in _BROKEN):
                mend = f". Is {model} whole? Export it again with: rt-avatar engines export"
            raise RuntimeUnavailableError(
                f"{self.name}: expected a graph that onnxruntime loads; got {first_line(error)}"
                f"{mend}"
            ) from error
        # A GPU's provider that cannot start is dropped silently.
        if chosen not in self._session.get_providers():
            raise RuntimeUnavailableError(
                f"{self.name}: expected to run on {chosen}; onnxruntime fell back to "
                f"{', '.join(self._session.get_providers())}. Are the GPU's libraries installed?"
            )
        self.inputs = tuple(_spec(entry) for entry in self._session.get_inputs())
        self.outputs = tuple(_spec(entry) for entry in self._session.get_outputs())

    def run(self, inputs: Arrays) -> dict[str, Array]:
        """Run the graph once.

        Raises:
            RuntimeInputError: A name, a type or a shape is wrong; nothing ran.
            RuntimeRunError: It began to run and failed.
        """
        check_inputs(self.name, self.inputs, inputs)
        try:
            values = self._session.run(None, dict(inputs))
        except Exception as error:  # onnxruntime's errors share no class below this one
            raise RuntimeRunError(
                f"{self.name}: onnxruntime could not run it: {first_line(error)}"
            ) from error
        return {spec.name: value for spec, value in zip(self.outputs, values, strict=True)}

    def close(self) -> None:
        """Nothing to give back before the object itself is gone."""


@cache
def _preload() -> None:
    """Load the libraries of CUDA and cuDNN that pip installed, once; the system's need no more.

    onnxruntime prints what it did not find, and its provider then says so when it starts.
    """
    onnxruntime.preload_dlls()


def _spec(entry: Any) -> TensorSpec:
    # An axis without a name has a length of its own.
    shape = tuple(
        axis if isinstance(axis, int | str) else f"{entry.name}.{index}"
        for index, axis in enumerate(entry.shape)
    )
    return TensorSpec(entry.name, np.dtype(_DTYPES[entry.type]), shape)
