"""Weights that are read one at a time give the graph that weights in memory give."""

import weakref
from dataclasses import replace

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto
from torch import nn

from rt_avatar.engines.llm.cache import HostCachedGraph
from rt_avatar.engines.networks import graph as graph_module
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.lazy_weights import lazy_noise, lazy_state
from rt_avatar.engines.networks.llm.graphs import graphs
from rt_avatar.engines.networks.llm.official import lazy_rotary, meta_llama
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.export import export_graph, parts, read_export
from rt_avatar.trt_builders.precision import HEAVY
from tests.engines.networks.llm.tiny import SHARED, VICUNA, llama

pytestmark = pytest.mark.networks
LENGTHS = ((3, 2), (1, 5), (7, 1))  # tokens, past


def both(config):
    """The same model with its weights in memory, and with weights to be read."""
    whole = llama(config)
    read = lazy_state({name: value.clone() for name, value in whole.state_dict().items()})
    return graphs(whole), graphs(meta_llama(config), {**read, **lazy_rotary(config)})


def inputs_of(graph, tokens, past, precision):
    dice = np.random.default_rng(tokens)
    if graph.name == "llm_embed":
        return {"ids": dice.integers(0, 90, (1, tokens))}
    sizes = {"batch": 1, "tokens": tokens, "past": past, "total": tokens + past}
    return {
        name: np.ones((1, tokens + past), np.float32)
        if name == "mask"
        else dice.normal(
            size=[
                sizes[graph.dynamic[name][axis]] if axis in graph.dynamic[name] else size
                for axis, size in enumerate(example.shape)
            ]
        ).astype(np.float16 if precision == "fp16" and name != "embeds" else np.float32)
        for name, example in graph.inputs.items()
    }


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("config", [VICUNA, SHARED], ids=["own head", "tied"])
def test_a_graph_written_weight_by_weight_says_the_same_to_the_bit(config, precision, tmp_path):
    for eager, lazy in zip(*both(config), strict=True):
        paths = [
            export_graph(name, graph, tmp_path, precision)
            for name, graph in (("eager", eager), ("lazy", lazy))
        ]
        made = "fp32" if eager.name == "llm_embed" else precision
        assert [read_export(path).precision for path in paths] == [made] * 2
        one, other = (OnnxRuntime(path) for path in paths)
        for tokens, past in LENGTHS:
            inputs = inputs_of(eager, tokens, past, precision)
            wanted, made = one.run(inputs), other.run(inputs)
            assert wanted.keys() == made.keys()
            for name, value in wanted.items():
                assert np.array_equal(made[name], value), (eager.name, name, tokens, past)


def lazy_extend(**changed):
    """The graph that extends a text, of random weights of which some may be given."""
    model = meta_llama(VICUNA)
    shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    weights = {**lazy_noise(shapes, 0), **lazy_rotary(VICUNA)}
    for name, value in changed.items():
        (key,) = [key for key in weights if key.endswith(name)]
        weights[key] = lambda value=value, read=weights[key]: torch.full_like(read(), value)
    return graphs(model, weights)[1]


def test_in_fp16_every_weight_of_a_product_takes_two_bytes(tmp_path):
    path = export_graph("llm", lazy_extend(), tmp_path, "fp16")
    graph = onnx.load(path, load_external_data=False).graph
    kinds = {tensor.name: tensor.data_type for tensor in graph.initializer}
    multiplied = {name for node in graph.node if node.op_type in HEAVY for name in node.input}
    matrices = multiplied & kinds.keys()
    assert len(matrices) == 7 * VICUNA.layers + 1
    assert {kinds[name] for name in matrices} == {TensorProto.FLOAT16}
    numbers = sum(int(np.prod(t.dims)) for t in graph.initializer if t.name in matrices)
    rest = sum(int(np.prod(t.dims)) for t in graph.initializer if t.name not in matrices)
    assert parts(path)[1].stat().st_size == 2 * numbers + 4 * rest


def test_in_fp16_the_cache_takes_two_bytes_and_no_more_is_lost_of_it(tmp_path):
    """What is multiplied in fp16 need not be kept wider; nothing is widened on the way."""
    graph = graphs(llama(SHARED))[1]
    model = onnx.load(export_graph("llm", graph, tmp_path, "fp16"))
    ends = {each.name: each.type.tensor_type.elem_type for each in
            (*model.graph.input, *model.graph.output)}  # fmt: skip
    cache = [name for name in ends if name.startswith(("key_", "value_"))]
    assert len(cache) == 4 * SHARED.layers
    assert {ends[name] for name in cache} == {TensorProto.FLOAT16}
    assert {ends[name] for name in {*ends} - {*cache}} == {TensorProto.FLOAT}
    (joined,) = [node for node in model.graph.node if "key_0" in node.input]
    assert joined.op_type == "Concat"

    exact = OnnxRuntime(export_graph("wide", graph, tmp_path))
    narrow = OnnxRuntime(tmp_path / "llm" / "llm_extend.onnx")
    embeds = inputs_of(graph, 40, 1, "fp32")["embeds"]
    sizes = SHARED.layers, SHARED.key_heads, SHARED.width // SHARED.heads
    wanted, made = [], []
    for run, dtype, heard in ((exact.run, np.float32, wanted), (narrow.run, np.float16, made)):
        cached = HostCachedGraph(run, *sizes, dtype=dtype)
        handle = cached.empty()
        for token in range(40):
            outputs, (handle,) = cached.extend(embeds[:, token : token + 1], [handle])
            heard.append(outputs["logits"])
        assert handle.memory.values.dtype == dtype
    error = np.abs(np.array(made) - np.array(wanted)).max() / np.abs(wanted).max()
    assert 0 < error < 0.01


@pytest.mark.parametrize("value", [5000.0, float("nan")])
def test_a_weight_too_large_for_fp16_stays_fp32(value, tmp_path):
    graph = lazy_extend(**{"layers.1.mlp.down_proj.weight": value})
    model = onnx.load(export_graph("llm", graph, tmp_path, "fp16"), load_external_data=False)
    wide = [
        tensor.name
        for tensor in model.graph.initializer
        if len(tensor.dims) == 2 and tensor.data_type == TensorProto.FLOAT
    ]
    assert len(wide) == 1
    assert "layers.1.mlp.down_proj" in wide[0]


def test_no_weight_is_held_when_the_next_is_read(tmp_path):
    graph, held, most = lazy_extend(), 0, 0

    class Read(torch.Tensor):
        pass

    def counted(read):
        def read_counted():
            nonlocal held, most
            tensor = read().as_subclass(Read)
            held, most = held + 1, max(most, held + 1)
            weakref.finalize(tensor, lost)
            return tensor

        return read_counted

    def lost():
        nonlocal held
        held -= 1

    graph = replace(graph, weights={name: counted(read) for name, read in graph.weights.items()})
    export_graph("llm", graph, tmp_path, "fp16")
    assert (held, most) == (0, 1)


@pytest.mark.parametrize(
    ("precision", "message"),
    [
        ("int8", r"expected fp16 or fp32 for .* GB of weights; got int8.* Take --precision fp16"),
        ("fp16", r"for fp16; got .* GB of weights in memory\. Take --precision fp32"),
    ],
)
def test_what_cannot_be_made_is_refused_before_it_is_begun(
    precision, message, tmp_path, monkeypatch
):
    monkeypatch.setattr(graph_module, "ONE_FILE_BYTES", 100)
    module = nn.Linear(300, 20).eval()
    large = Graph("llm_extend", module, {"x": torch.zeros(2, 300)}, ("y",))
    with pytest.raises(BuildError, match=message):
        export_graph("large", large, tmp_path, precision)
    assert list(tmp_path.iterdir()) == []


def test_eight_bits_of_weights_that_are_read_one_at_a_time_are_refused(tmp_path):
    with pytest.raises(BuildError, match=r"llm_extend: expected fp16 or fp32 .* got int8"):
        export_graph("llm", lazy_extend(), tmp_path, "int8")
    assert list(tmp_path.iterdir()) == []
