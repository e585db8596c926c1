"""TensorRT engines, run natively: device buffers that stay, an own stream, captured CUDA graphs."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np

from rt_avatar.engines.runtimes.cuda import CAPTURES, Buffer, Device
from rt_avatar.engines.runtimes.runtime import (
    Array,
    Arrays,
    RuntimeInputError,
    RuntimeRunError,
    RuntimeUnavailableError,
    TensorSpec,
    check_inputs,
)

_log = logging.getLogger(__name__)

Shape: TypeAlias = tuple[int, ...]
# Shapes whose graphs are kept: streams use one or two, a language model one in 128 tokens of
# context; a recording costs some MB of device memory.
KEPT_GRAPHS: Final = 24
# Shapes that come once, as prompts do, are not worth a recording.
_RUNS_TO_RECORD: Final = 2
# TensorRT's names for the types of tensors.
_DTYPES: Final[Mapping[str, type[np.generic]]] = {
    "FLOAT": np.float32,
    "HALF": np.float16,
    "INT64": np.int64,
    "INT32": np.int32,
    "INT8": np.int8,
    "UINT8": np.uint8,
    "BOOL": np.bool_,
}


def logger(trt: ModuleType) -> Any:
    """Return a TensorRT logger that speaks through ``logging``."""
    levels = {
        trt.ILogger.INTERNAL_ERROR: logging.CRITICAL,
        trt.ILogger.ERROR: logging.ERROR,
        trt.ILogger.WARNING: logging.WARNING,
    }

    class Log(trt.ILogger):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            trt.ILogger.__init__(self)

        def log(self, severity: Any, msg: str) -> None:
            _log.log(levels.get(severity, logging.DEBUG), "%s", msg)

    return Log()


@dataclass(slots=True)
class _Recording:
    """What one set of input shapes needs: a context, and the graph once it is recorded."""

    context: Any
    outputs: dict[str, Shape]
    graph: Any = None
    runs: int = 0


class TensorRtRuntime:
    """A plan. Runs may come from several threads; they follow one another on one stream.

    The first two runs of a set of shapes go through TensorRT; after the second it is recorded as a
    CUDA graph together with its copies, and the following launch that. A plan that cannot be
    recorded (one with loops cannot) is run through TensorRT for good. Each set has an execution
    context of its own, since a recording is bound to one; all share the scratch memory.

    Args:
        plan: A serialised engine.
        name: For messages.
        trt: The ``tensorrt`` package.
        device: Where it runs; not closed by this object.
        cuda_graphs: Record and launch; without, TensorRT is asked each time.
        resident: Tensors that stay on the GPU, zeros at first: neither given to ``run`` nor
            returned by it; ``address`` says where they are.

    Raises:
        RuntimeUnavailableError: TensorRT refuses the plan.
    """

    def __init__(
        self,
        plan: bytes,
        name: str,
        trt: ModuleType,
        device: Device,
        *,
        cuda_graphs: bool = True,
        resident: frozenset[str] = frozenset(),
    ) -> None:
        self.name, self.device = name, device
        self._trt, self._device, self._cuda_graphs = trt, device, cuda_graphs
        self._resident = resident
        device.use()
        self._logger = logger(trt)
        self._runtime = trt.Runtime(self._logger)
        self._engine = self._runtime.deserialize_cuda_engine(plan)
        if self._engine is None:
            raise RuntimeUnavailableError(
                f"{name}: expected a plan for {device.name} and TensorRT {trt.__version__}; "
                "TensorRT refused it. Build it anew with: rt-avatar engines build"
            )
        names = [self._engine.get_tensor_name(i) for i in range(self._engine.num_io_tensors)]
        modes = {each: self._engine.get_tensor_mode(each) for each in names}
        self._inputs, self._outputs = (
            tuple(self._spec(each) for each in names if modes[each] == mode)
            for mode in (trt.TensorIOMode.INPUT, trt.TensorIOMode.OUTPUT)
        )
        self._profiles = [
            {
                spec.name: tuple(
                    tuple(shape) for shape in self._engine.get_tensor_profile_shape(spec.name, i)
                )
                for spec in self._inputs
            }
            for i in range(self._engine.num_optimization_profiles)
        ]
        self._lock = threading.Lock()  # buffers and stream are one caller's at a time
        self._recordings: OrderedDict[tuple[Shape, ...], _Recording] = OrderedDict()
        self._scratch = Buffer(device, int(self._engine.device_memory_size_v2), host=False)
        self._buffers: dict[str, Buffer] = {}
        self._reserve()

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """What ``run`` takes, all of it."""
        return self._inputs

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """What ``run`` returns, and what stays on the GPU."""
        return self._outputs

    def spec(self, name: str) -> TensorSpec:
        """Return an input or output by its name."""
        return next(spec for spec in (*self._inputs, *self._outputs) if spec.name == name)

    def address(self, name: str) -> int:
        """Return where an input or output is on the GPU."""
        return self._buffers[name].address

    def largest(self, name: str) -> Shape:
        """Return the largest shape of an input."""
        return max(profile[name][2] for profile in self._profiles)

    def run(self, inputs: Arrays, resident: Mapping[str, Shape] | None = None) -> dict[str, Array]:
        """Run the plan once.

        Args:
            inputs: What does not stay on the GPU.
            resident: How much of each input that does.

        Raises:
            RuntimeInputError: A name, a type or a shape is wrong, or no profile holds the shapes;
                nothing ran.
            RuntimeRunError: TensorRT began to run and failed.
            CudaError: The device failed; the runtime is of no more use.
        """
        given = [spec for spec in self._inputs if spec.name not in self._resident]
        check_inputs(self.name, given, inputs)
        with self._lock:
            return self._run(inputs, resident or {})

    def _run(self, inputs: Arrays, resident: Mapping[str, Shape]) -> dict[str, Array]:
        self._device.use()
        shapes = tuple(
            resident[spec.name] if spec.name in resident else tuple(inputs[spec.name].shape)
            for spec in self._inputs
        )
        recording = self._recording(shapes)
        for spec in self._copied(self._inputs):
            value = np.ascontiguousarray(inputs[spec.name])
            self._buffers[spec.name].view(value.nbytes)[:] = value.reshape(-1).view(np.uint8)
        if recording.graph is not None:
            self._device.launch(recording.graph)
        else:
            self._enqueue(recording, shapes)
        self._device.wait()
        results = {spec.name: self._result(spec, recording) for spec in self._copied(self._outputs)}
        recording.runs += 1
        if self._cuda_graphs and recording.graph is None and recording.runs == _RUNS_TO_RECORD:
            self._record(recording, shapes)
        return results

    def close(self) -> None:
        """Free device memory and recordings. Calling it again does nothing."""
        while self._recordings:
            self._forget(self._recordings.popitem()[1])
        for buffer in (*self._buffers.values(), self._scratch):
            buffer.close()
        self._buffers = {}
        self._engine = self._runtime = None

    # --- shapes ---------------------------------------------------------------------------------
    def _spec(self, name: str) -> TensorSpec:
        shape = tuple(
            size if size >= 0 else f"{name}.{axis}"
            for axis, size in enumerate(self._engine.get_tensor_shape(name))
        )
        kind = self._engine.get_tensor_dtype(name).name
        if kind not in _DTYPES:
            raise RuntimeUnavailableError(
                f"{self.name}: expected tensors of {', '.join(_DTYPES)}; {name} is {kind}"
            )
        return TensorSpec(name, np.dtype(_DTYPES[kind]), shape)

    def _reserve(self) -> None:
        """Make buffers for the largest shapes of all profiles."""
        sizes: dict[str, int] = {}
        for profile in self._profiles:
            largest = tuple(profile[spec.name][2] for spec in self._inputs)
            recording = self._open(largest)
            given = {spec.name: shape for spec, shape in zip(self._inputs, largest, strict=True)}
            shapes = given | recording.outputs
            for spec in (*self._inputs, *self._outputs):
                size = _size(spec, shapes[spec.name])
                sizes[spec.name] = max(sizes.get(spec.name, 0), size)
        self._buffers = {
            name: Buffer(self._device, size, host=name not in self._resident)
            for name, size in sizes.items()
        }
        for name in self._resident:
            self._device.clear(self.address(name), sizes[name])

    def _profile(self, shapes: tuple[Shape, ...]) -> int:
        """Return the first profile that holds the shapes."""
        for index, profile in enumerate(self._profiles):
            limits = [profile[spec.name] for spec in self._inputs]
            if all(
                all(low <= size <= high for low, size, high in zip(least, shape, most, strict=True))
                for (least, _, most), shape in zip(limits, shapes, strict=True)
            ):
                return index
        allowed = "; or ".join(
            ", ".join(f"{name} {least} to {most}" for name, (least, _, most) in profile.items())
            for profile in self._profiles
        )
        got = ", ".join(
            f"{spec.name} {shape}" for spec, shape in zip(self._inputs, shapes, strict=True)
        )
        raise RuntimeInputError(
            f"{self.name}: expected shapes within {allowed}; got {got}. "
            "A plan for longer ones: rt-avatar engines build --seconds, --context"
        )

    def _open(self, shapes: tuple[Shape, ...]) -> _Recording:
        """Make a context for shapes."""
        strategy = self._trt.ExecutionContextAllocationStrategy.USER_MANAGED
        context = self._engine.create_execution_context(strategy)
        context.set_device_memory(self._scratch.address, self._scratch.size)
        profile = self._profile(shapes)
        if not context.set_optimization_profile_async(profile, int(self._device.stream)):
            raise RuntimeInputError(f"{self.name}: TensorRT refused its profile {profile}")
        self._device.wait()
        for spec, shape in zip(self._inputs, shapes, strict=True):
            if not context.set_input_shape(spec.name, shape):
                raise RuntimeInputError(f"{self.name}: TensorRT refused {spec.name} {shape}")
        if vague := context.infer_shapes():
            raise RuntimeInputError(
                f"{self.name}: expected shapes that follow from the inputs' shapes; "
                f"TensorRT cannot tell {', '.join(vague)}"
            )
        outputs = {spec.name: tuple(context.get_tensor_shape(spec.name)) for spec in self._outputs}
        return _Recording(context, outputs)

    def _copied(self, specs: tuple[TensorSpec, ...]) -> list[TensorSpec]:
        """Return those that cross between host and GPU."""
        return [spec for spec in specs if spec.name not in self._resident]

    # --- running --------------------------------------------------------------------------------
    def _recording(self, shapes: tuple[Shape, ...]) -> _Recording:
        found = self._recordings.get(shapes)
        if found is None:
            found = self._open(shapes)
            for spec in (*self._inputs, *self._outputs):
                found.context.set_tensor_address(spec.name, self._buffers[spec.name].address)
            self._recordings[shapes] = found
            if len(self._recordings) > KEPT_GRAPHS:
                self._forget(self._recordings.popitem(last=False)[1])
        self._recordings.move_to_end(shapes)
        return found

    def _enqueue(self, recording: _Recording, shapes: tuple[Shape, ...]) -> None:
        """Put copies and network on the stream."""
        by_name = {spec.name: shape for spec, shape in zip(self._inputs, shapes, strict=True)}
        for spec in self._copied(self._inputs):
            self._buffers[spec.name].upload(_size(spec, by_name[spec.name]))
        if not recording.context.execute_async_v3(int(self._device.stream)):
            raise RuntimeRunError(f"{self.name}: TensorRT could not run {shapes}; see its log")
        for spec in self._copied(self._outputs):
            self._buffers[spec.name].download(_size(spec, recording.outputs[spec.name]))

    def _record(self, recording: _Recording, shapes: tuple[Shape, ...]) -> None:
        """Record these shapes; where that is refused, run the plan without recordings from now on.

        What was computed before is whole either way.
        """
        with CAPTURES:
            try:
                self._device.begin_capture()
                try:
                    self._enqueue(recording, shapes)
                except BaseException:
                    self._device.forget(self._device.end_capture())
                    raise
                graph = self._device.end_capture()
            except RuntimeRunError as error:
                self._cuda_graphs = False
                _log.warning(
                    "%s: cannot be recorded as a CUDA graph and is run without: %s",
                    self.name,
                    error,
                )
            else:
                recording.graph = graph

    def _forget(self, recording: _Recording) -> None:
        if recording.graph is not None:
            self._device.forget(recording.graph)
        recording.graph = recording.context = None

    def _result(self, spec: TensorSpec, recording: _Recording) -> Array:
        shape = recording.outputs[spec.name]
        raw = self._buffers[spec.name].view(_size(spec, shape))
        return raw.view(spec.dtype).reshape(shape).copy()


def _size(spec: TensorSpec, shape: Shape) -> int:
    return prod(shape) * spec.dtype.itemsize
