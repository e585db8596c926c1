"""What torch counts from shapes is what an exported graph asks for, and what is known of Vicuna."""

import numpy as np
import pytest
import torch

from rt_avatar.benchmarks.engines.counted import GPU_TASKS
from rt_avatar.benchmarks.engines.floor import CountedGraph, summed
from rt_avatar.benchmarks.engines.network_run import need_gpu
from rt_avatar.benchmarks.engines.parts import GraphRun, Part, parts
from rt_avatar.benchmarks.engines.road import road
from rt_avatar.benchmarks.engines.torch_parts import PLACES, count, find, make_graphs, room_for
from rt_avatar.engines.networks.graph import export_onnx
from rt_avatar.errors import SetupError
from rt_avatar.trt_builders.budget import shapes

pytestmark = pytest.mark.networks

# Vicuna 7B's published parameters, and 32 signal tokens' rows in its table and in its head.
VICUNA = 6_738_415_616 + 2 * 32 * 4096


@pytest.mark.parametrize(
    ("network", "run"),
    [
        ("encoders-nano", GraphRun("encoders_vision", {"pictures": 1})),
        ("styletts2-nano", GraphRun("styletts2_durations", {"tokens": 41})),  # LSTMs
        ("styletts2-nano", GraphRun("styletts2_step", {"frames": 16})),  # an inverse transform
    ],
    ids=lambda given: getattr(given, "graph", given),
)
def test_torch_and_the_exported_graph_count_the_same_operations(network, run, tmp_path):
    graphs = make_graphs(network, "cpu")
    graph = graphs[run.graph]
    export_onnx(graph, tmp_path / "graph.onnx")
    exported = CountedGraph(tmp_path / "graph.onnx")
    wanted = shapes(graph, run.sizes)
    exported.run(
        {
            name: np.ones(wanted[name], example.numpy().dtype)
            for name, example in graph.inputs.items()
        }
    )
    by_profile = summed([exported.finish()]).flops
    by_torch = count(Part("a part", network, "llm", "item", 1.0, (run,)), graphs).flops
    # The profile counts sums, norms and activations, too.
    assert by_torch <= by_profile * 1.02
    assert by_profile < 1.4 * by_torch


def test_the_large_language_model_is_counted_without_its_weights():
    found = find("count", ["official LLM step"])["official LLM step"]
    assert found.parameters == VICUNA
    assert found.weights_bytes == 4 * VICUNA
    # All but the table of embeddings is multiplied once a token; attention is little beside it.
    assert found.flops == pytest.approx(2 * (VICUNA - 32_032 * 4096), rel=0.02)


def test_every_official_part_can_be_counted():
    names = [part.name for part in parts("official") if part.network != "llm"]
    found = find("count", names)
    assert set(found) == set(names)
    assert all(each.parameters > 1e6 and each.flops > 1e6 for each in found.values())
    # HuBERT large as its authors count it, without the vector that stands for what is masked.
    assert found["official sound features"].parameters == pytest.approx(315.4e6, rel=1e-3)


def test_every_stage_of_the_road_can_be_counted():
    stages = road()
    found = find("count", [stage.name for stage in stages])
    # A stage of decoding asks for as much a token as the other.
    chain, clause = (found[f"official road, {name}"].flops for name in ("chain", "first clause"))
    assert chain / 40 == pytest.approx(clause / 10)
    assert all(found[stage.name].flops > 1e6 for stage in stages)


def test_a_gpus_tasks_are_places():
    assert set(GPU_TASKS) == {task for task, place in PLACES.items() if place.device == "cuda"}


def test_a_part_is_run_by_torch():
    (found,) = find("cpu", ["nano styles"]).values()
    assert found.ms > 0
    assert found.why_not == ""


def test_what_does_not_fit_is_not_run():
    assert room_for(1 << 50, "cpu").startswith("needs ")
    assert room_for(1 << 20, "cpu") == ""


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_told_before_anything_is_measured():
    assert room_for(1 << 20, "cuda") == "torch finds no GPU"
    with pytest.raises(SetupError, match=r"--gpu: .*torch finds no GPU"):
        need_gpu()
