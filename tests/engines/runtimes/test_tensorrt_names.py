"""What our code calls of TensorRT and CUDA is there by that name and with those parameters.

Our code runs over the fakes, which have nothing that we do not call; here the fakes are compared
with the bindings themselves. ``tensorrt_names.json`` was read off the published bindings of 10.13
and 11.4, whose libraries need no GPU to be asked for names.
"""

import enum
import inspect
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fakes import tensorrt as fake

pytestmark = pytest.mark.unit

NAMES = json.loads(Path(__file__).with_name("tensorrt_names.json").read_text())
CLASSES = {
    name: value
    for name, value in vars(fake).items()
    if isinstance(value, type) and value.__module__ == fake.__name__ and name != "FakeCuda"
}


@pytest.mark.parametrize("version", NAMES)
@pytest.mark.parametrize("name", CLASSES)
def test_the_bindings_have_what_we_call(version, name):
    real, ours = NAMES[version][name], CLASSES[name]
    if issubclass(ours, enum.Enum):
        assert set(ours.__members__) <= set(real)
        return
    assert len(vars(ours)) > 1
    for member, value in vars(ours).items():
        if member.startswith("_"):
            continue
        assert member in real, f"{name}.{member} is not in TensorRT {version}"
        if inspect.isfunction(value):
            wanted = [
                parameter.name + ("" if parameter.default is inspect.Parameter.empty else "=")
                for parameter in inspect.signature(value).parameters.values()
            ]
            assert wanted in real[member], (name, member)


def test_every_class_we_name_is_compared():
    assert {"Builder", "Runtime", "ICudaEngine", "IExecutionContext", "OnnxParser"} <= set(CLASSES)
    assert set(CLASSES) <= set(NAMES["10.13.0.35"])


@pytest.mark.skipif(not find_spec("cuda"), reason="cuda-bindings come with torch's CUDA build")
def test_cudas_bindings_have_what_we_call():
    from cuda.bindings import runtime

    for name, value in vars(fake.FakeCuda).items():
        if name.startswith("cuda") and inspect.isfunction(value):
            first = getattr(runtime, name).__doc__.splitlines()[0]
            given = [part for part in first[first.index("(") + 1 : -1].split(",") if part.strip()]
            assert len(given) == len(inspect.signature(value).parameters) - 1, (name, first)
    assert hasattr(runtime.cudaStreamCaptureMode, "cudaStreamCaptureModeThreadLocal")
    for direction in ("HostToDevice", "DeviceToHost", "DeviceToDevice"):
        assert hasattr(runtime.cudaMemcpyKind, f"cudaMemcpy{direction}")
    assert runtime.cudaStreamNonBlocking == fake.FakeCuda.cudaStreamNonBlocking
    assert {"name", "major"} <= set(dir(runtime.cudaDeviceProp()))
