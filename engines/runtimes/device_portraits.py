"""What a renderer sees in portraits, on the GPU: a plan of frames with the maps of its portraits.

The maps cross once a portrait. Runs read them in the plan's own input buffers, to which a recorded
run is bound: who was drawn in the same row of the batch before is there already, others are copied
within the GPU. What crosses for a frame is a window of motion and the picture.
"""

import threading
import weakref
from collections.abc import Sequence

import numpy as np

from rt_avatar.engines.pirender.portraits import Floats, Maps
from rt_avatar.engines.runtimes.cuda import Buffer
from rt_avatar.engines.runtimes.native import TensorRtRuntime
from rt_avatar.engines.runtimes.runtime import RuntimeInputError


class DevicePortrait:
    """A handle of one portrait's maps, one behind the other on the GPU; frees them with itself."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer

    def __del__(self) -> None:
        self.buffer.close()


class DevicePortraits:
    """The graph of frames as a plan. Safe from any thread.

    Args:
        runtime: The plan, with ``names`` resident.
        names: Of the maps.
    """

    def __init__(self, runtime: TensorRtRuntime, names: Sequence[str]) -> None:
        self._runtime = runtime
        self._shapes = {name: runtime.largest(name)[1:] for name in names}
        self._most = runtime.largest(next(iter(names)))[0]
        self._bytes = {
            name: int(np.prod(shape)) * runtime.spec(name).dtype.itemsize
            for name, shape in self._shapes.items()
        }
        # Whose maps lie in each row of the plan's buffers.
        self._rows: list[weakref.ref[DevicePortrait] | None] = [None] * self._most
        self._lock = threading.Lock()  # the stream is one caller's at a time

    def keep(self, maps: Maps) -> DevicePortrait:
        """Bring a portrait's maps to the GPU.

        Raises:
            CudaError: There is no memory left.
        """
        device, size = self._runtime.device, sum(self._bytes.values())
        arrays = (
            np.ascontiguousarray(maps[name], self._runtime.spec(name).dtype) for name in self._bytes
        )
        packed = np.concatenate([array.reshape(-1).view(np.uint8) for array in arrays])
        with self._lock:
            device.use()
            buffer = Buffer(device, size, host=True)
            portrait = DevicePortrait(buffer)
            buffer.view(size)[:] = packed
            buffer.upload(size)
            device.wait()
            buffer.close_host()
        return portrait

    def draw(self, windows: Floats, portraits: Sequence[DevicePortrait]) -> Floats:
        """Draw frames.

        Args:
            windows: (B, 73, 27) of motion.
            portraits: Whose frame each is.

        Returns:
            (B, 3, H, W) in -1..1.

        Raises:
            RuntimeInputError: The plan takes fewer at once.
            RuntimeRunError: TensorRT or the device failed.
        """
        if len(portraits) > self._most:
            raise RuntimeInputError(
                f"{self._runtime.name}: expected at most {self._most} portraits in a run; "
                f"got {len(portraits)}"
            )
        shapes = {name: (len(portraits), *shape) for name, shape in self._shapes.items()}
        with self._lock:
            self._runtime.device.use()
            for row, portrait in enumerate(portraits):
                self._bring(row, portrait)
            return self._runtime.run({"window": windows}, resident=shapes)["frame"]

    def _bring(self, row: int, portrait: DevicePortrait) -> None:
        """Have a portrait's maps in a row of the plan's buffers."""
        there = self._rows[row]
        if there is not None and there() is portrait:
            return
        self._rows[row] = None  # what is there while it is copied is nobody's
        source = portrait.buffer.address
        for name, size in self._bytes.items():
            target = self._runtime.address(name) + row * size
            self._runtime.device.copy_rows(target, size, source, size, size, 1)
            source += size
        self._rows[row] = weakref.ref(portrait)
