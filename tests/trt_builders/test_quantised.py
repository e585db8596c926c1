"""8-bit weights: how much they cost, and that a token is the same however a prompt is cut."""

import numpy as np
import onnx
import pytest
import torch

from rt_avatar.engines.networks.encoders.config import SpeechConfig, VisionConfig
from rt_avatar.engines.networks.encoders.graphs import graphs as encoder_graphs
from rt_avatar.engines.networks.encoders.projection import Projection
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.encoders.vision import VisionEncoder
from rt_avatar.engines.networks.llm.graphs import cache_names
from rt_avatar.engines.networks.llm.graphs import graphs as llm_graphs
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.trt_builders.budget import Budget
from rt_avatar.trt_builders.catalogue import NETWORKS
from rt_avatar.trt_builders.export import export_graph, read_export
from rt_avatar.trt_builders.quantised import INT8_GRAPHS
from rt_avatar.trt_builders.verify import verify
from tests.engines.networks.llm.tiny import SHARED, narrower
from tests.trt_builders.tiny import tiny

pytestmark = pytest.mark.networks

WIDE = narrower(SHARED, width=128, intermediate=256, vocabulary=1024)
TOKENS = 40


def language():
    """A small language model, as it begins to learn."""
    torch.manual_seed(0)
    return llm_graphs(Llama(WIDE).eval())


def encoders():
    """Small ears and eyes; lips hear as the ears do."""
    torch.manual_seed(0)
    ears = SpeechConfig("tiny", 64, 2, 2, 128, convolutions=(8,) * 7, positions=16)
    eyes = VisionConfig("tiny", 64, 2, 2, 128, 32, 16)
    hearing, seeing = SpeechEncoder(ears).eval(), VisionEncoder(eyes).eval()
    out = Projection(64, 32).eval()
    return encoder_graphs(hearing, seeing, out, out, lips=hearing)


ROUNDED = {graph.name: graph for graph in (*language(), *encoders()) if graph.name in INT8_GRAPHS}


def test_every_graph_that_is_rounded_is_proved_here():
    assert set(ROUNDED) == set(INT8_GRAPHS)


@pytest.mark.parametrize("name", INT8_GRAPHS)
def test_rounding_costs_less_than_is_allowed_and_the_file_is_smaller(name, tmp_path):
    exact = export_graph("exact", ROUNDED[name], tmp_path)
    path = export_graph("rounded", ROUNDED[name], tmp_path, "int8")
    assert read_export(path).precision == "int8"
    assert path.stat().st_size < 0.7 * exact.stat().st_size
    compared = list(verify(ROUNDED[name], OnnxRuntime(path), "int8", Budget()))
    assert not [each for each in compared if each.wrong]
    assert max(each.error for each in compared) > 1e-4  # it is not the exact graph


def test_a_prompt_that_is_read_in_parts_is_the_same(tmp_path):
    run = OnnxRuntime(export_graph("llm", ROUNDED["llm_extend"], tmp_path, "int8")).run
    names = cache_names(WIDE.layers)
    embeds = np.random.default_rng(0).normal(0, 1, (1, TOKENS, WIDE.width)).astype(np.float32)
    nothing = np.zeros((1, WIDE.key_heads, 1, WIDE.width // WIDE.heads), np.float32)  # masked

    def read(ends):
        past, hidden, begin = dict.fromkeys(names, nothing), [], 0
        for end in ends:
            mask = np.ones((1, 1 + end), np.float32)
            mask[:, 0] = 0
            made = run({"embeds": embeds[:, begin:end], "mask": mask, **past})
            past = {
                name: np.concatenate((past[name], made[f"{name}_added"]), axis=2) for name in names
            }
            hidden.append(made["hidden"])
            begin = end
        return np.concatenate(hidden, 1), made["logits"]

    whole, logits = read([TOKENS])
    for ends in ([1, TOKENS], [7, 8, 31, TOKENS], range(1, TOKENS + 1)):
        in_parts, last = read(ends)
        # fp32's sums differ by 1e-7, which may move an activation by one of its 255 steps.
        np.testing.assert_allclose(in_parts, whole, atol=2e-3)
        np.testing.assert_allclose(last, logits, atol=2e-3)


def test_what_gains_nothing_stays_exact(tmp_path):
    path = export_graph("t", tiny(), tmp_path, "int8")
    assert read_export(path).precision == "fp32"
    assert {node.domain for node in onnx.load(path).graph.node} <= {"", "ai.onnx"}


def test_nano_is_rounded_unless_another_precision_is_asked_for():
    rounded = {name for name, network in NETWORKS.items() if network.precision == "int8"}
    assert rounded == {"llm-nano", "encoders-nano"}
