"""The few calls of the CUDA runtime that a plan needs: memory, one stream, captured graphs.

A thin layer over NVIDIA's ``cuda-bindings``: each call is checked, each thing frees itself once.
Whoever owns a ``Device`` uses it from one thread at a time.
"""

import ctypes
import threading
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.runtimes.runtime import RuntimeRunError, RuntimeUnavailableError

# Held while a graph is captured: captures of two threads at once have broken in others' engines.
CAPTURES: Final = threading.Lock()


class CudaError(RuntimeRunError):
    """The device refused a call; whatever runs on it is of no more use."""


def load_cuda() -> ModuleType:
    """Return ``cuda.bindings.runtime``.

    Raises:
        RuntimeUnavailableError: It is not installed.
    """
    try:
        from cuda.bindings import runtime
    except ImportError as error:
        raise RuntimeUnavailableError(
            "tensorrt: expected the package cuda-bindings, got none; pip install cuda-bindings"
        ) from error
    assert isinstance(runtime, ModuleType)
    return runtime


class Device:
    """One GPU with a stream of its own.

    Args:
        cuda: The bindings.
        index: Which GPU.

    Attributes:
        name: As the driver tells it.
        generation: Major number of its compute capability: 8 is Ampere.

    Raises:
        RuntimeUnavailableError: There is no such GPU, or no driver.
    """

    def __init__(self, cuda: ModuleType, index: int = 0) -> None:
        self._cuda = cuda
        self.index = index
        try:
            self.call("cudaSetDevice", index)
            properties = self.call("cudaGetDeviceProperties", index)
            self.name, self.generation = _text(properties.name), int(properties.major)
            self.stream = self.call("cudaStreamCreateWithFlags", cuda.cudaStreamNonBlocking)
        except CudaError as error:
            raise RuntimeUnavailableError(
                f"tensorrt: expected an NVIDIA GPU number {index} with its driver; got: {error}"
            ) from error

    def call(self, name: str, *arguments: object) -> Any:
        """Call a function of the runtime; return what it gives beside its status.

        Raises:
            CudaError: The status is not success.
        """
        status, *rest = getattr(self._cuda, name)(*arguments)
        if int(status) != 0:
            _, text = self._cuda.cudaGetErrorString(status)
            raise CudaError(f"{name}: {_text(text)}")
        return rest[0] if rest else None

    def use(self) -> None:
        """Make this the device of the calling thread."""
        self.call("cudaSetDevice", self.index)

    def wait(self) -> None:
        """Wait for all work on the stream."""
        self.call("cudaStreamSynchronize", self.stream)

    def begin_capture(self) -> None:
        """Record what comes next on the stream in place of running it."""
        mode = self._cuda.cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal
        self.call("cudaStreamBeginCapture", self.stream, mode)

    def end_capture(self) -> Any:
        """Return what was recorded, ready to be launched."""
        graph = self.call("cudaStreamEndCapture", self.stream)
        try:
            return self.call("cudaGraphInstantiate", graph, 0)
        finally:
            self.call("cudaGraphDestroy", graph)

    def launch(self, graph: Any) -> None:
        """Run what was recorded."""
        self.call("cudaGraphLaunch", graph, self.stream)

    def forget(self, graph: Any) -> None:
        """Free what was recorded."""
        self.call("cudaGraphExecDestroy", graph)

    def copy(self, target: int, source: int, size: int, kind: str) -> None:
        """Copy bytes on the stream; ``kind`` is ``HostToDevice`` or ``DeviceToHost``."""
        direction = getattr(self._cuda.cudaMemcpyKind, f"cudaMemcpy{kind}")
        self.call("cudaMemcpyAsync", target, source, size, direction, self.stream)

    def copy_rows(
        self, target: int, target_pitch: int, source: int, source_pitch: int, size: int, rows: int
    ) -> None:
        """Copy rows of ``size`` bytes within the GPU, on the stream; they begin a pitch apart."""
        self.call(
            "cudaMemcpy2DAsync",
            *(target, target_pitch, source, source_pitch, size, rows),
            self._cuda.cudaMemcpyKind.cudaMemcpyDeviceToDevice,
            self.stream,
        )

    def clear(self, address: int, size: int) -> None:
        """Write zeros, on the stream."""
        self.call("cudaMemsetAsync", address, 0, size, self.stream)

    def close(self) -> None:
        """Give back the stream."""
        self.call("cudaStreamDestroy", self.stream)


class Buffer:
    """Memory on the GPU, with as much locked memory on the host where ``host`` is asked for.

    Attributes:
        size: In bytes.
        address: On the GPU, aligned to 256 bytes.
    """

    def __init__(self, device: Device, size: int, *, host: bool) -> None:
        self._device = device
        self.size = size
        self.address = int(device.call("cudaMalloc", max(size, 1)))
        self._host = int(device.call("cudaMallocHost", max(size, 1))) if host else 0

    def view(self, size: int) -> NDArray[np.uint8]:
        """Return the first bytes of the host's side, as they are."""
        memory = (ctypes.c_uint8 * size).from_address(self._host)
        return np.ctypeslib.as_array(memory)

    def upload(self, size: int) -> None:
        """Copy the first bytes to the GPU, on the stream."""
        self._device.copy(self.address, self._host, size, "HostToDevice")

    def download(self, size: int) -> None:
        """Copy the first bytes from the GPU, on the stream."""
        self._device.copy(self._host, self.address, size, "DeviceToHost")

    def close_host(self) -> None:
        """Free the host's side; once."""
        if self._host:
            self._device.call("cudaFreeHost", self._host)
        self._host = 0

    def close(self) -> None:
        """Free both sides; once."""
        if self.address:
            self._device.call("cudaFree", self.address)
        self.address = 0
        self.close_host()


def _text(value: bytes | str) -> str:
    return value.decode(errors="replace").rstrip("\0") if isinstance(value, bytes) else value
