"""What a renderer sees in portraits stays on the GPU: the same pictures, and bytes counted."""

import base64
import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from rt_avatar.engines.pirender.portraits import HostPortraits
from rt_avatar.engines.runtimes import OnnxRuntime, RuntimeInputError
from rt_avatar.engines.runtimes.cuda import Device
from rt_avatar.engines.runtimes.device_portraits import DevicePortraits
from rt_avatar.engines.runtimes.native import TensorRtRuntime
from tests.fakes import tensorrt as fake

pytestmark = pytest.mark.unit

MAPS = {"half": (2, 8, 8), "small": (3, 4, 4)}
WINDOW, PICTURE = (5, 3), (2, 8, 8)


def model() -> bytes:
    """A renderer whose pictures weigh every number of its maps and of the motion."""

    def floats(name, *shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ("frames", *shape))

    nodes = [
        helper.make_node("ReduceMean", ["window"], ["moved"], axes=[1, 2], keepdims=0),
        helper.make_node("ReduceMean", ["small"], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("Mul", ["moved", "mean"], ["gain"]),
        helper.make_node("Reshape", ["gain", "rows"], ["gains"]),
        helper.make_node("Add", ["half", "gains"], ["frame"]),
    ]
    rows = helper.make_tensor("rows", TensorProto.INT64, [4], [-1, 1, 1, 1])
    inputs = [floats(name, *shape) for name, shape in (*MAPS.items(), ("window", WINDOW))]
    graph = helper.make_graph(nodes, "frame", inputs, [floats("frame", *PICTURE)], [rows])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    onnx.checker.check_model(made)
    return made.SerializeToString()


PROFILE = {
    name: [(frames, *shape) for frames in (1, 1, 4)]
    for name, shape in (*MAPS.items(), ("window", WINDOW))
}
PLAN = json.dumps({"onnx": base64.b64encode(model()).decode(), "profiles": [PROFILE]}).encode()


@pytest.fixture
def on_device(cuda):
    runtime = TensorRtRuntime(PLAN, "frame", fake, Device(cuda), resident=frozenset(MAPS))
    yield DevicePortraits(runtime, tuple(MAPS))
    runtime.close()


@pytest.fixture
def on_host():
    return HostPortraits(OnnxRuntime(model()).run)


def maps(seed: int) -> dict[str, np.ndarray]:
    dice = np.random.default_rng(seed)
    return {
        name: dice.standard_normal((1, *shape)).astype(np.float32) for name, shape in MAPS.items()
    }


def windows(frames: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((frames, *WINDOW)).astype(np.float32)


def test_no_byte_of_the_maps_crosses_for_a_frame_whoever_is_drawn(on_device, on_host, cuda):
    here = [on_device.keep(maps(who)) for who in range(3)]
    there = [on_host.keep(maps(who)) for who in range(3)]
    before = cuda.crossed
    for frame in range(30):
        who = frame * 7 % 3
        window = windows(1, frame)
        made, wanted = on_device.draw(window, [here[who]]), on_host.draw(window, [there[who]])
        np.testing.assert_array_equal(made, wanted)
    assert cuda.crossed - before == 30 * 4 * (np.prod(WINDOW) + np.prod(PICTURE))
    assert cuda.captures == 1


def test_portraits_share_a_batch_in_any_order(on_device, on_host):
    here = [on_device.keep(maps(who)) for who in range(4)]
    there = [on_host.keep(maps(who)) for who in range(4)]
    for turn, order in enumerate([(0,), (1, 0), (0, 1, 2, 3), (3, 3, 1), (2, 3), (0,)]):
        given = windows(len(order), turn)
        made = on_device.draw(given, [here[who] for who in order])
        alone = [on_host.draw(given[row : row + 1], [there[who]]) for row, who in enumerate(order)]
        np.testing.assert_allclose(made, np.concatenate(alone), atol=1e-6)
        np.testing.assert_allclose(
            on_host.draw(given, [there[who] for who in order]), made, atol=1e-6
        )


def test_memory_of_a_portrait_that_nobody_shows_is_given_back(on_device, cuda):
    before = len(cuda.memory)
    portrait = on_device.keep(maps(0))
    on_device.draw(windows(1, 0), [portrait])
    assert len(cuda.memory) == before + 1  # on the GPU alone
    del portrait
    assert len(cuda.memory) == before
    other = on_device.keep(maps(1))  # perhaps where the first one was
    np.testing.assert_array_equal(
        on_device.draw(windows(1, 1), [other]),
        HostPortraits(OnnxRuntime(model()).run).draw(windows(1, 1), [maps(1)]),
    )


def test_a_run_that_the_plan_refuses_leaves_portraits_as_they_are(on_device, on_host):
    portraits = [on_device.keep(maps(who)) for who in range(5)]
    with pytest.raises(RuntimeInputError, match=r"at most 4 portraits.*got 5"):
        on_device.draw(windows(5, 0), portraits)
    np.testing.assert_array_equal(
        on_device.draw(windows(1, 0), portraits[4:]), on_host.draw(windows(1, 0), [maps(4)])
    )
