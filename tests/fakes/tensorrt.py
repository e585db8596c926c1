"""TensorRT and the CUDA runtime as far as we call them: plans are ONNX files, memory is the host's.

A plan of this library is JSON: an ONNX file and its profiles. Work on a stream is done at once;
while the stream is captured it is only noted, and done when what was captured is launched. What is
not defined here is not called by us; ``test_tensorrt_names`` compares the names and parameters
with those of the real bindings.
"""

import base64
import ctypes
import enum
import json
import sys
import threading
import time
import types
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnxruntime

__version__ = "10.13.0.35"


_ERRORS = {1: b"invalid argument", 2: b"out of memory", 100: b"no CUDA-capable device is detected"}


class FakeCuda:
    """``cuda.bindings.runtime``: functions that return a status and what they make."""

    cudaStreamNonBlocking = 1
    cudaStreamCaptureMode = SimpleNamespace(cudaStreamCaptureModeThreadLocal=1)
    cudaMemcpyKind = SimpleNamespace(
        cudaMemcpyHostToDevice=1, cudaMemcpyDeviceToHost=2, cudaMemcpyDeviceToDevice=3
    )

    def __init__(self, gpu="Fake GPU", generation=9):
        self.generation = generation
        self.gpu, self.memory, self.launches = gpu, {}, 0
        self._captures = {}  # by thread: work that was noted
        self.graphs, self.streams = {}, set()
        self.captures = 0  # since the beginning
        self.contexts = 0  # made since the beginning
        self.crossed = 0  # bytes between host and GPU, either way
        self.size = sys.maxsize  # of the GPU's memory, in bytes

    @property
    def captured(self):
        """Work that this thread's capture has noted; None: it captures nothing."""
        return self._captures.get(threading.get_ident())

    def do(self, work):
        """Do work on the stream, or note it."""
        if self.captured is None:
            work()
        else:
            self.captured.append(work)

    def cudaSetDevice(self, device):
        return (0,) if self.gpu else (100,)

    def cudaGetErrorString(self, error):
        return 0, _ERRORS[error]

    def cudaGetDeviceProperties(self, device):
        return 0, SimpleNamespace(name=self.gpu.encode() + b"\0\0", major=self.generation)

    def cudaStreamCreateWithFlags(self, flags):
        self.streams.add(7)
        return 0, 7

    def cudaStreamDestroy(self, stream):
        self.streams.remove(stream)
        return (0,)

    def cudaStreamSynchronize(self, stream):
        assert self.captured is None, "a captured stream cannot be waited for"
        return (0,)

    def cudaMalloc(self, size):
        assert self.captured is None
        if sum(map(len, self.memory.values())) + size > self.size:
            return 2, 0
        block = (ctypes.c_uint8 * size)()
        self.memory[ctypes.addressof(block)] = block
        return 0, ctypes.addressof(block)

    cudaMallocHost = cudaMalloc

    def cudaFree(self, devPtr):
        del self.memory[devPtr]
        return (0,)

    def cudaFreeHost(self, ptr):
        return self.cudaFree(ptr)

    def cudaMemcpyAsync(self, dst, src, count, kind, stream):
        for place in (dst, src):
            if count > len(self.memory[place]):
                return (1,)
        self.do(lambda: self._cross(dst, src, count))
        return (0,)

    def _cross(self, dst, src, count):
        self.crossed += count
        ctypes.memmove(dst, src, count)

    def cudaMemcpy2DAsync(self, dst, dpitch, src, spitch, width, height, kind, stream):
        assert kind == self.cudaMemcpyKind.cudaMemcpyDeviceToDevice
        if width > min(dpitch, spitch):
            return (1,)
        for place, pitch in ((dst, dpitch), (src, spitch)):
            if not self._holds(place, pitch * (height - 1) + width):
                return (1,)

        def copy():
            for row in range(height):
                ctypes.memmove(dst + row * dpitch, src + row * spitch, width)

        self.do(copy)
        return (0,)

    def cudaMemsetAsync(self, devPtr, value, count, stream):
        if not self._holds(devPtr, count):
            return (1,)
        self.do(lambda: ctypes.memset(devPtr, value, count))
        return (0,)

    def _holds(self, place, count):
        """Whether one block of memory holds so many bytes from there."""
        return any(
            begin <= place and place + count <= begin + len(block)
            for begin, block in self.memory.items()
        )

    def cudaStreamBeginCapture(self, stream, mode):
        assert not self._captures, "captures of several threads at once"
        self.captures += 1
        self._captures[threading.get_ident()] = []
        time.sleep(0)  # let another thread try
        return (0,)

    def cudaStreamEndCapture(self, stream):
        return 0, self._captures.pop(threading.get_ident())

    def abort_capture(self):
        """End this thread's capture; return no graph, as a device does that refuses it."""
        self._captures.pop(threading.get_ident())
        return 0

    def cudaGraphInstantiate(self, graph, flags):
        self.graphs[id(graph)] = graph
        return 0, id(graph)

    def cudaGraphDestroy(self, graph):
        return (0,)

    def cudaGraphLaunch(self, graphExec, stream):
        self.launches += 1
        for work in self.graphs[graphExec]:
            work()
        return (0,)

    def cudaGraphExecDestroy(self, graphExec):
        del self.graphs[graphExec]
        return (0,)


CUDA = FakeCuda()


def install(cuda, monkeypatch):
    """Let ``import tensorrt`` and ``import cuda.bindings.runtime`` find this, with a GPU."""
    bindings = types.ModuleType("cuda.bindings")
    bindings.runtime = types.ModuleType("cuda.bindings.runtime")
    for name in dir(cuda):
        if name.startswith("cuda"):
            setattr(bindings.runtime, name, getattr(cuda, name))
    monkeypatch.setattr(sys.modules[__name__], "CUDA", cuda)
    monkeypatch.setitem(sys.modules, "cuda.bindings", bindings)
    monkeypatch.setitem(sys.modules, "tensorrt", sys.modules[__name__])


class ILogger:
    INTERNAL_ERROR, ERROR, WARNING, INFO, VERBOSE = range(5)

    def __init__(self):
        pass

    def log(self, severity, msg):
        raise NotImplementedError


class TensorIOMode(enum.Enum):
    NONE, INPUT, OUTPUT = range(3)


class NetworkDefinitionCreationFlag(enum.IntEnum):
    STRONGLY_TYPED = 1


class MemoryPoolType(enum.Enum):
    WORKSPACE = 0


class ExecutionContextAllocationStrategy(enum.Enum):
    USER_MANAGED = 2


class HardwareCompatibilityLevel(enum.Enum):
    NONE, AMPERE_PLUS = range(2)


class BuilderFlag(enum.Enum):
    TF32 = 0


class DataType(enum.Enum):
    FLOAT, HALF, INT64, BF16 = range(4)


_TYPES = {
    "tensor(float)": DataType.FLOAT,
    "tensor(float16)": DataType.HALF,
    "tensor(int64)": DataType.INT64,
}
_NUMPY = {DataType.FLOAT: np.float32, DataType.HALF: np.float16, DataType.INT64: np.int64}


def _shape(entry):
    return tuple(axis if isinstance(axis, int) else -1 for axis in entry.shape)


class Runtime:
    def __init__(self, logger):
        assert isinstance(logger, ILogger)
        self._logger = logger

    def deserialize_cuda_engine(self, serialized_engine):
        try:
            plan = json.loads(serialized_engine)
        except ValueError:
            self._logger.log(ILogger.ERROR, "magicTag mismatch")
            return None
        return ICudaEngine(base64.b64decode(plan["onnx"]), plan["profiles"])


class ICudaEngine:
    def __init__(self, model, profiles):
        self._session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        self._in = {entry.name: entry for entry in self._session.get_inputs()}
        self._out = {entry.name: entry for entry in self._session.get_outputs()}
        self._profiles, self._known = profiles, {}
        self.num_io_tensors = len(self._in) + len(self._out)
        self.num_optimization_profiles = len(profiles)
        self.device_memory_size_v2 = 1024

    def _shapes_of(self, inputs):
        if inputs not in self._known:
            feeds = {key: np.zeros(shape, _NUMPY[self.get_tensor_dtype(key)])
                     for key, shape in inputs}  # fmt: skip
            made = self._session.run(None, feeds)
            self._known[inputs] = dict(zip(self._out, (each.shape for each in made), strict=True))
        return self._known[inputs]

    def get_tensor_name(self, index):
        return [*self._in, *self._out][index]

    def get_tensor_mode(self, name):
        return TensorIOMode.INPUT if name in self._in else TensorIOMode.OUTPUT

    def get_tensor_shape(self, name):
        return _shape((self._in | self._out)[name])

    def get_tensor_dtype(self, name):
        return _TYPES[(self._in | self._out)[name].type]

    def get_tensor_profile_shape(self, name, profile_index):
        return [list(shape) for shape in self._profiles[profile_index][name]]

    def create_execution_context(self, strategy=ExecutionContextAllocationStrategy.USER_MANAGED):
        CUDA.contexts += 1
        return IExecutionContext(self)


class IExecutionContext:
    def __init__(self, engine):
        self._engine, self._shapes, self._places, self._scratch = engine, {}, {}, 0
        self._profile = None

    def set_device_memory(self, memory, size):
        assert size >= self._engine.device_memory_size_v2
        self._scratch = memory

    def set_optimization_profile_async(self, profile_index, stream_handle):
        assert stream_handle in CUDA.streams
        self._profile = self._engine._profiles[profile_index]
        return True

    def set_input_shape(self, name, shape):
        least, _, most = self._profile[name]
        fits = all(a <= b <= c for a, b, c in zip(least, shape, most, strict=True))
        self._shapes[name] = tuple(shape)
        return fits

    def infer_shapes(self):
        return [name for name in self._engine._in if name not in self._shapes]

    def get_tensor_shape(self, name):
        if name in self._shapes:
            return self._shapes[name]
        return self._engine._shapes_of(tuple(sorted(self._shapes.items())))[name]

    def set_tensor_address(self, name, memory):
        self._places[name] = memory
        return True

    def execute_async_v3(self, stream_handle):
        assert stream_handle in CUDA.streams
        assert self._scratch in CUDA.memory
        CUDA.do(self._work)
        return True

    def _array(self, name, shape):
        dtype = np.dtype(_NUMPY[self._engine.get_tensor_dtype(name)])
        size = int(np.prod(shape)) * dtype.itemsize
        raw = np.frombuffer(CUDA.memory[self._places[name]], np.uint8)[:size]
        return raw.view(dtype).reshape(shape)

    def _work(self):
        feeds = {name: self._array(name, shape) for name, shape in self._shapes.items()}
        made = self._engine._session.run(None, feeds)
        for name, value in zip(self._engine._out, made, strict=True):
            self._array(name, value.shape)[...] = value


# --- building -----------------------------------------------------------------------------------
class ITensor:
    def __init__(self, name, shape, dtype):
        self.name, self.shape, self.dtype = name, shape, dtype


class INetworkDefinition:
    def __init__(self, flags):
        self._flags, self._inputs, self._model = flags, [], b""

    @property
    def num_inputs(self):
        return len(self._inputs)

    def get_input(self, index):
        return self._inputs[index]


class IOptimizationProfile:
    def __init__(self):
        self._shapes = {}

    def set_shape(self, input, min, opt, max):
        assert all(a <= b <= c for a, b, c in zip(min, opt, max, strict=True))
        self._shapes[input] = (min, opt, max)


class ITimingCache:
    def __init__(self, content):
        self._content = content

    def serialize(self):
        return self._content + b"+"


class IBuilderConfig:
    def __init__(self):
        self._profiles, self._cache, self._limits, self._unset = [], None, {}, []
        self.builder_optimization_level = 3
        self.hardware_compatibility_level = HardwareCompatibilityLevel.NONE

    def add_optimization_profile(self, profile):
        self._profiles.append(profile)
        return len(self._profiles) - 1

    def set_memory_pool_limit(self, pool, pool_size):
        self._limits[pool] = pool_size

    def clear_flag(self, flag):
        self._unset.append(flag)

    def create_timing_cache(self, serialized_timing_cache):
        is_readable = not serialized_timing_cache.strip(b"+o")
        return ITimingCache(serialized_timing_cache) if is_readable else None

    def set_timing_cache(self, cache, ignore_mismatch):
        if b"o" in cache._content and not ignore_mismatch:  # of another GPU
            return False
        self._cache = cache
        return True

    def get_timing_cache(self):
        return self._cache


class ParserError:
    def __init__(self, text):
        self._text = text

    def desc(self):
        return self._text

    def node_name(self):
        return "node"


def _with_weights(path):
    """The bytes of a graph; a plan holds the weights that lie beside one, too."""
    if not path.with_name(f"{path.name}.data").exists():
        return path.read_bytes()
    import onnx  # which only those have who make graphs

    return onnx.load(path).SerializeToString()


class OnnxParser:
    def __init__(self, network, logger):
        assert isinstance(logger, ILogger)
        self._network, self._errors = network, []

    @property
    def num_errors(self):
        return len(self._errors)

    def get_error(self, index):
        return self._errors[index]

    def parse_from_file(self, model):
        try:
            session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        except Exception as error:
            self._errors.append(ParserError(str(error)))
            return False
        self._network._model = _with_weights(Path(model))
        self._network._inputs = [
            ITensor(entry.name, _shape(entry), _TYPES[entry.type]) for entry in session.get_inputs()
        ]
        return True


class Builder:
    def __init__(self, logger):
        assert isinstance(logger, ILogger)

    def create_network(self, flags=0):
        assert flags == 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
        return INetworkDefinition(flags)

    def create_builder_config(self):
        return IBuilderConfig()

    def create_optimization_profile(self):
        return IOptimizationProfile()

    def build_serialized_network(self, network, config):
        wanted = {tensor.name for tensor in network._inputs}
        if not config._profiles or any(set(p._shapes) != wanted for p in config._profiles):
            return None
        plan = {
            "onnx": base64.b64encode(network._model).decode(),
            "profiles": [profile._shapes for profile in config._profiles],
        }
        return json.dumps(plan).encode()
