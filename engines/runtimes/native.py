"""TensorRT engines, run natively: device buffers that stay, an own stream, captured CUDA graphs."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from types import ModuleType
from typing import Any, Final

import numpy as np

from rt_avatar.engines.runtimes.cuda import CAPTURES, Buffer, Device
from rt_avatar.engines.runtimes.profiles import Profiles, Shape
from rt_avatar.engines.runtimes.runtime import (
    Array,
    Arrays,
    RuntimeInputError,
    RuntimeRunError,
    RuntimeUnavailableError,
    TensorSpec,
    check_inputs,
)
from rt_avatar.engines.runtimes.tensorrt_log import logger

_log = logging.getLogger(__name__)

# Shapes whose graphs are kept: streams use one or two, a language model one in 128 tokens of
# context; a recording costs some MB of device memory.
KEPT_GRAPHS: Final = 24
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


@dataclass(slots=True)
class _Context:
    """An execution context set to shapes, and what was recorded of it.

    Attributes:
        context: TensorRT's.
        profile: It was made for.
        shapes: Of the inputs; empty: none that it could be run with.
        outputs: Shapes of the outputs.
        graph: What was recorded; None: nothing.
    """

    context: Any
    profile: int
    shapes: tuple[Shape, ...] = ()
    outputs: dict[str, Shape] = field(default_factory=dict)
    graph: Any = None


class TensorRtRuntime:
    """A plan. Runs may come from several threads; they follow one another on one stream.

    The first two runs of a set of shapes go through TensorRT; after the second it is recorded as a
    CUDA graph together with its copies, and the following launch that. A plan that cannot be
    recorded (one with loops cannot) is run through TensorRT for good. A recording is bound to an
    execution context of its own; shapes that come once share one for each profile, which changes
    its shapes. All share the scratch memory.

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
        self.inputs, self.outputs = (
            tuple(self._spec(each) for each in names if modes[each] == mode)
            for mode in (trt.TensorIOMode.INPUT, trt.TensorIOMode.OUTPUT)
        )
        self._profiles = Profiles(name, self.inputs, self._engine)
        self._lock = threading.Lock()  # buffers and stream are one caller's at a time
        self._recordings: OrderedDict[tuple[Shape, ...], _Context] = OrderedDict()
        self._seen: OrderedDict[tuple[Shape, ...], None] = OrderedDict()  # shapes that came once
        self._shared: dict[int, _Context] = {}  # by profile
        self._scratch = Buffer(device, int(self._engine.device_memory_size_v2), host=False)
        self._buffers: dict[str, Buffer] = {}
        self._reserve()

    def spec(self, name: str) -> TensorSpec:
        """Return an input or output by its name."""
        return next(spec for spec in (*self.inputs, *self.outputs) if spec.name == name)

    def address(self, name: str) -> int:
        """Return where an input or output is on the GPU."""
        return self._buffers[name].address

    def largest(self, name: str) -> Shape:
        """Return the largest shape of an input."""
        return self._profiles.largest(name)

    def run(
        self,
        inputs: Arrays,
        resident: Mapping[str, Shape] | None = None,
        *,
        is_recorded: bool = True,
    ) -> dict[str, Array]:
        """Run the plan once.

        Args:
            inputs: What does not stay on the GPU.
            resident: How much of each input that does.
            is_recorded: Whether such shapes come often enough to be recorded when they come again.

        Raises:
            RuntimeInputError: A name, a type or a shape is wrong, or no profile holds the shapes;
                nothing ran.
            RuntimeRunError: TensorRT began to run and failed.
            CudaError: The device failed; the runtime is of no more use.
        """
        given = [spec for spec in self.inputs if spec.name not in self._resident]
        check_inputs(self.name, given, inputs)
        with self._lock:
            return self._run(inputs, resident or {}, is_recorded=is_recorded)

    def _run(
        self, inputs: Arrays, resident: Mapping[str, Shape], *, is_recorded: bool
    ) -> dict[str, Array]:
        self._device.use()
        shapes = tuple(
            resident[spec.name] if spec.name in resident else tuple(inputs[spec.name].shape)
            for spec in self.inputs
        )
        is_recorded = is_recorded and self._cuda_graphs
        context = self._context(shapes, is_recorded=is_recorded)
        for spec in self._copied(self.inputs):
            value = np.ascontiguousarray(inputs[spec.name])
            self._buffers[spec.name].view(value.nbytes)[:] = value.reshape(-1).view(np.uint8)
        if context.graph is not None:
            self._device.launch(context.graph)
        else:
            self._enqueue(context)
        self._device.wait()
        results = {spec.name: self._result(spec, context) for spec in self._copied(self.outputs)}
        if is_recorded and context.graph is None:
            if context is self._shared[context.profile]:
                self._seen[shapes] = None
                if len(self._seen) > KEPT_GRAPHS:
                    self._seen.popitem(last=False)
            else:
                self._record(context)
        return results

    def close(self) -> None:
        """Free device memory and recordings. Calling it again does nothing."""
        while self._recordings:
            self._forget(self._recordings.popitem()[1])
        for buffer in (*self._buffers.values(), self._scratch):
            buffer.close()
        self._buffers = {}
        self._shared.clear()
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
        for index, largest in enumerate(self._profiles.all_largest()):
            self._shared[index] = context = self._open(index)
            self._shape(context, largest)
            given = {spec.name: shape for spec, shape in zip(self.inputs, largest, strict=True)}
            shapes = given | context.outputs
            for spec in (*self.inputs, *self.outputs):
                size = _size(spec, shapes[spec.name])
                sizes[spec.name] = max(sizes.get(spec.name, 0), size)
        self._buffers = {
            name: Buffer(self._device, size, host=name not in self._resident)
            for name, size in sizes.items()
        }
        for name in self._resident:
            self._device.clear(self.address(name), sizes[name])
        for context in self._shared.values():
            self._bind(context)

    def _open(self, profile: int) -> _Context:
        """Make a context for shapes of a profile."""
        strategy = self._trt.ExecutionContextAllocationStrategy.USER_MANAGED
        context = self._engine.create_execution_context(strategy)
        context.set_device_memory(self._scratch.address, self._scratch.size)
        if not context.set_optimization_profile_async(profile, int(self._device.stream)):
            raise RuntimeInputError(f"{self.name}: TensorRT refused its profile {profile}")
        self._device.wait()
        return _Context(context, profile)

    def _bind(self, context: _Context) -> None:
        """Let a context read and write the plan's buffers."""
        for spec in (*self.inputs, *self.outputs):
            context.context.set_tensor_address(spec.name, self._buffers[spec.name].address)

    def _shape(self, context: _Context, shapes: tuple[Shape, ...]) -> None:
        """Set a context to shapes."""
        if context.shapes == shapes:
            return
        context.shapes = ()  # until it has them all
        for spec, shape in zip(self.inputs, shapes, strict=True):
            if not context.context.set_input_shape(spec.name, shape):
                raise RuntimeInputError(f"{self.name}: TensorRT refused {spec.name} {shape}")
        if vague := context.context.infer_shapes():
            raise RuntimeInputError(
                f"{self.name}: expected shapes that follow from the inputs' shapes; "
                f"TensorRT cannot tell {', '.join(vague)}"
            )
        context.outputs = {
            spec.name: tuple(context.context.get_tensor_shape(spec.name)) for spec in self.outputs
        }
        context.shapes = shapes

    def _copied(self, specs: tuple[TensorSpec, ...]) -> list[TensorSpec]:
        """Return those that cross between host and GPU."""
        return [spec for spec in specs if spec.name not in self._resident]

    # --- running --------------------------------------------------------------------------------
    def _context(self, shapes: tuple[Shape, ...], *, is_recorded: bool) -> _Context:
        """Return a context set to shapes: one of their own when they come again to be recorded."""
        if shapes in self._recordings:
            self._recordings.move_to_end(shapes)
            return self._recordings[shapes]
        context = self._shared[self._profiles.index(shapes)]
        if is_recorded and shapes in self._seen:
            context = self._open(context.profile)
            self._bind(context)
        self._shape(context, shapes)
        return context

    def _enqueue(self, context: _Context) -> None:
        """Put copies and network on the stream."""
        by_name = {
            spec.name: shape for spec, shape in zip(self.inputs, context.shapes, strict=True)
        }
        for spec in self._copied(self.inputs):
            self._buffers[spec.name].upload(_size(spec, by_name[spec.name]))
        if not context.context.execute_async_v3(int(self._device.stream)):
            raise RuntimeRunError(
                f"{self.name}: TensorRT could not run {context.shapes}; see its log"
            )
        for spec in self._copied(self.outputs):
            self._buffers[spec.name].download(_size(spec, context.outputs[spec.name]))

    def _record(self, context: _Context) -> None:
        """Record a context's shapes; where that is refused, run the plan without from now on.

        What was computed before is whole either way.
        """
        with CAPTURES:
            try:
                self._device.begin_capture()
                try:
                    self._enqueue(context)
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
                context.graph = graph
                self._seen.pop(context.shapes)
                self._recordings[context.shapes] = context
                if len(self._recordings) > KEPT_GRAPHS:
                    self._forget(self._recordings.popitem(last=False)[1])

    def _forget(self, context: _Context) -> None:
        self._device.forget(context.graph)
        context.graph = context.context = None

    def _result(self, spec: TensorSpec, context: _Context) -> Array:
        shape = context.outputs[spec.name]
        raw = self._buffers[spec.name].view(_size(spec, shape))
        return raw.view(spec.dtype).reshape(shape).copy()


def _size(spec: TensorSpec, shape: Shape) -> int:
    return prod(shape) * spec.dtype.itemsize
