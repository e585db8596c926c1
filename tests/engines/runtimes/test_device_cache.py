"""A language model's keys and values stay on the GPU: the same answers, and bytes counted."""

import base64
import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from rt_avatar.engines.llm.cache import HostCachedGraph
from rt_avatar.engines.runtimes import OnnxRuntime, RuntimeInputError
from rt_avatar.engines.runtimes.cuda import Device
from rt_avatar.engines.runtimes.device_cache import DeviceCachedGraph, resident
from rt_avatar.engines.runtimes.native import TensorRtRuntime
from tests.fakes import tensorrt as fake

pytestmark = pytest.mark.unit

LAYERS, HEADS, SIZE = 1, 2, 4
WIDTH, CONTEXT = HEADS * SIZE, 600


def model(kind: int = TensorProto.FLOAT) -> bytes:
    """``llm_extend`` that adds what it reads to its cache; its logits weigh all places seen."""
    ints = {"from": [0], "one": [1], "heads": [0, 0, HEADS, SIZE], "at": [1, 2], "sums": [0, 1, 2]}
    nodes = [
        helper.make_node("Reshape", ["embeds", "heads"], ["parts"]),
        helper.make_node("Cast", ["parts"], ["split"], to=kind),
        helper.make_node("Transpose", ["split"], ["key_0_added"], perm=[0, 2, 1, 3]),
        helper.make_node("Neg", ["key_0_added"], ["value_0_added"]),
        helper.make_node("Shape", ["key_0"], ["places"], start=2, end=3),
        helper.make_node("Slice", ["mask", "from", "places", "one"], ["seen"]),
        helper.make_node("Unsqueeze", ["seen", "at"], ["weights"]),
        helper.make_node("Sub", ["key_0", "value_0"], ["differences"]),
        helper.make_node("Cast", ["differences"], ["both"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["weights", "both"], ["sum"]),
        helper.make_node("ReduceSum", ["sum", "sums"], ["logits"], keepdims=0),
        helper.make_node("Identity", ["embeds"], ["hidden"]),
    ]

    def floats(name, *shape, kind=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, kind, shape)

    cache, added = (
        [floats(f"{part}_0{end}", 1, HEADS, axis, SIZE, kind=kind) for part in ("key", "value")]
        for end, axis in (("", "past"), ("_added", "tokens"))
    )
    graph = helper.make_graph(
        nodes,
        "llm_extend",
        [floats("embeds", 1, "tokens", WIDTH), floats("mask", 1, "total"), *cache],
        [floats("hidden", 1, "tokens", WIDTH), floats("logits", SIZE), *added],
        [numpy_helper.from_array(np.array(value, np.int64), name) for name, value in ints.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(made)
    return made.SerializeToString()


def profile(tokens: int) -> dict[str, list[tuple[int, ...]]]:
    past = [(1, HEADS, places, SIZE) for places in (1, 256, CONTEXT)]
    return {
        "embeds": [(1, 1, WIDTH), (1, 1, WIDTH), (1, tokens, WIDTH)],
        "mask": [(1, 2), (1, 300), (1, CONTEXT + tokens)],
        "key_0": past,
        "value_0": past,
    }


def plan(kind: int) -> bytes:
    profiles = [profile(1), profile(CONTEXT)]
    return json.dumps(
        {"onnx": base64.b64encode(model(kind)).decode(), "profiles": profiles}
    ).encode()


@pytest.fixture(params=[TensorProto.FLOAT, TensorProto.FLOAT16], ids=["fp32", "fp16"])
def kind(request):
    return request.param


@pytest.fixture
def cached(cuda, kind):
    runtime = TensorRtRuntime(
        plan(kind), "llm_extend", fake, Device(cuda), resident=resident(LAYERS)
    )
    yield DeviceCachedGraph(runtime, LAYERS, HEADS, SIZE)
    runtime.close()


@pytest.fixture
def on_host():
    return HostCachedGraph(OnnxRuntime(model()).run, LAYERS, HEADS, SIZE)


def tokens(count: int, seed: int) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return dice.integers(-9, 9, (1, count, WIDTH)).astype(np.float32)  # sums are exact


def test_no_byte_of_the_cache_crosses_and_a_graph_a_bucket_is_captured(cached, cuda):
    _, (handle,) = cached.extend(tokens(100, 0), [cached.empty()])
    crossed = []
    for step in range(400):  # through the buckets of 128, 256, 384 and 512 places
        before = cuda.crossed
        _, (handle,) = cached.extend(tokens(1, step), [handle])
        crossed.append(cuda.crossed - before)
    # Embeddings, states and logits; a mask of the places and the token. Nothing else.
    wanted = {4 * (WIDTH + WIDTH + SIZE + places + 1) for places in (128, 256, 384, 512)}
    assert set(crossed) == wanted
    assert cuda.captures == len(wanted)
    assert cuda.launches == 400 - 2 * len(wanted)


def test_prompts_of_any_length_make_no_context_and_leave_what_is_captured(cached, cuda):
    """What a call reads between tokens: windows of sound, words, older prompts, again and again."""
    _, (handle,) = cached.extend(tokens(100, 0), [cached.empty()])
    for step in range(3):
        _, (handle,) = cached.extend(tokens(1, step), [handle])
    contexts, captures = cuda.contexts, cuda.captures
    for count in (*range(2, 40), *range(2, 40)):
        cached.extend(tokens(count, count), [handle.truncated(60)])
    assert (cuda.contexts, cuda.captures) == (contexts, captures)
    launches = cuda.launches
    cached.extend(tokens(1, 9), [handle])
    assert cuda.launches == launches + 1
    assert (cuda.contexts, cuda.captures) == (contexts, captures)


def test_a_parked_cache_takes_as_many_bytes_as_its_numbers(cached, cuda, kind):
    _, (prompt,) = cached.extend(tokens(50, 0), [cached.empty()])
    before = {*cuda.memory}
    cached.extend(tokens(1, 0), [cached.empty()])  # of somebody else
    (parked,) = {*cuda.memory} - before
    each = 2 if kind == TensorProto.FLOAT16 else 4
    assert len(cuda.memory[parked]) == 2 * LAYERS * HEADS * SIZE * prompt.length * each


def test_any_order_of_going_on_says_what_the_host_says(cached, on_host):
    """Long and short, from the end, from the middle, from a handle that is elsewhere by now."""
    dice = np.random.default_rng(5)
    pairs = [(cached.empty(), on_host.empty())]
    for step in range(150):
        here, there = pairs[dice.integers(max(0, len(pairs) - 6), len(pairs))]
        if here.length > 1 and dice.random() < 0.3:
            length = int(dice.integers(1, here.length))
            here, there = here.truncated(length), there.truncated(length)
        count = int(dice.choice([1, 1, 1, 32, 100]))
        if here.length + count > CONTEXT:
            continue
        given = tokens(count, step)
        made, (longer,) = cached.extend(given, [here])
        wanted, (other,) = on_host.extend(given, [there])
        np.testing.assert_array_equal(made["logits"], wanted["logits"])
        assert longer.length == other.length
        pairs.append((longer, other))
    assert max(here.length for here, _ in pairs) > 300


def test_memory_of_lines_that_nobody_goes_on_from_is_given_back(cached, cuda):
    _, (prompt,) = cached.extend(tokens(50, 0), [cached.empty()])
    before = len(cuda.memory)
    for step in range(20):  # thoughts that are dropped
        _, (thought,) = cached.extend(tokens(3, step), [prompt])
    assert len(cuda.memory) <= before + 2
    del thought, prompt
    cached.extend(tokens(1, 0), [cached.empty()])
    assert len(cuda.memory) == before


def test_more_than_the_plan_holds_is_told_and_the_handle_stays(cached, on_host):
    given = tokens(CONTEXT - 1, 1)
    _, (handle,) = cached.extend(given, [cached.empty()])
    with pytest.raises(RuntimeInputError, match=r"at most 600 tokens; got 604.*build --context"):
        cached.extend(tokens(5, 2), [handle])
    made, _ = cached.extend(tokens(1, 3), [handle])
    _, (there,) = on_host.extend(given, [on_host.empty()])
    np.testing.assert_array_equal(
        made["logits"], on_host.extend(tokens(1, 3), [there])[0]["logits"]
    )
