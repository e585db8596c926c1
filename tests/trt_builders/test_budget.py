"""One budget gives every length of every graph; the catalogue's networks have all their rules."""

import math
from functools import cache

import numpy as np
import pytest
import torch

from rt_avatar.engines.dreamtalk.style import style_clip
from rt_avatar.engines.encoders.waveform import features_of
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.styletts2.spectrum import style_mel
from rt_avatar.perception.utterance_media import LONGEST_SAMPLES
from rt_avatar.trt_builders.budget import Budget, Range, optimization_profile, ranges, shapes
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.samples import LENGTHS, make_inputs, sample_shapes

pytestmark = pytest.mark.networks
NANO = [name for name in NETWORKS if name.endswith("-nano")]


@cache
def graphs(name) -> tuple[Graph, ...]:
    return make_graphs(NETWORKS[name])[0]


@pytest.mark.parametrize("name", NANO)
def test_every_graph_has_a_profile_and_three_lengths_of_its_own(name):
    for graph in graphs(name):
        found = optimization_profile(graph, Budget())
        assert list(found) == list(graph.inputs)
        for least, usual, most in (each[-3:] for each in found.values()):
            assert all(1 <= a <= b <= c for a, b, c in zip(least, usual, most, strict=True))
        tried = sample_shapes(graph, Budget())
        assert len(tried) == (LENGTHS if graph.dynamic else 1)
        allowed = math.prod(each.most - each.least + 1 for each in ranges(graph, Budget()).values())
        different = {tuple(given.values()) for given in tried}
        assert len(different) == min(len(tried), allowed), graph.name
        examples = {key: tuple(value.shape) for key, value in graph.inputs.items()}
        for given in tried if graph.dynamic else ():
            assert given != examples
            for key, shape in given.items():
                least, _, most = found[key][-3:]
                inside = all(a <= b <= c for a, b, c in zip(least, shape, most, strict=True))
                assert inside, (graph.name, key)


@pytest.mark.parametrize("budget", [Budget(), Budget(seconds=1)])
def test_every_reference_that_is_taken_fits_its_plan(budget):
    by_name = {graph.name: graph for name in NANO for graph in graphs(name)}
    voice = ranges(by_name["styletts2_style"], budget)["frames"]
    expressions = ranges(by_name["dreamtalk_style_encoder"], budget)["clip_frames"]
    hum = np.sin(np.arange(20 * 24_000, dtype=np.float32) / 10)
    for samples in (65 * 300, len(hum)):
        assert voice.least <= style_mel(hum[:samples]).shape[3] <= voice.most
    for frames in (1, 2000):
        clip = style_clip(np.zeros((frames, 64), np.float32))
        assert expressions.least <= clip.shape[1] <= expressions.most


@pytest.mark.parametrize("budget", [Budget(), Budget(seconds=1)])
def test_all_that_is_kept_of_a_callers_turn_fits_the_plan_that_pools_it(budget):
    pools = [graph for name in NANO for graph in graphs(name) if "speech_tokens" in graph.name]
    assert pools
    for graph in pools:
        allowed = ranges(graph, budget)["frames"]
        assert allowed.least <= 1
        assert allowed.most >= features_of(LONGEST_SAMPLES)


@pytest.mark.parametrize("name", ["styletts2-nano", "llm-nano"])
def test_the_modules_take_every_sample(name):
    for graph in graphs(name):
        for step, given in enumerate(sample_shapes(graph, Budget())[:2]):
            inputs = make_inputs(graph, given, step)
            with torch.inference_mode():
                made = graph.module(*(torch.from_numpy(inputs[key]) for key in graph.inputs))
            for tensor in made if isinstance(made, tuple) else (made,):
                assert tensor.isfinite().all(), graph.name


def test_inputs_are_those_of_their_seed():
    graph = graphs("styletts2-nano")[0]
    shape = sample_shapes(graph, Budget())[0]
    one, same, other = (make_inputs(graph, shape, seed)["tokens"] for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_a_longer_budget_allows_longer_utterances_and_no_other_chunks():
    by_name = {graph.name: graph for graph in graphs("styletts2-nano")}
    short, long = Budget(seconds=6), Budget(seconds=12)
    assert ranges(by_name["styletts2_trunk"], short)["frames"] == Range(1, 80, 240)
    assert ranges(by_name["styletts2_trunk"], long)["frames"] == Range(1, 160, 480)
    assert ranges(by_name["styletts2_text"], Budget(seconds=60))["tokens"].most == 510
    step = by_name["styletts2_step"]
    assert ranges(step, short) == ranges(step, long)


def test_lengths_that_follow_from_others_follow():
    by_name = {graph.name: graph for graph in graphs("styletts2-nano")}
    made = shapes(by_name["styletts2_trunk"], {"frames": 7})
    assert made["aligned"][2] == 7
    assert made["pitch"] == made["energy"] == (1, 14)
    step = by_name["styletts2_step"]
    lag = step.inputs["valid"].shape[1] - step.inputs["x"].shape[2]
    assert shapes(step, {"frames": 5})["valid"] == (1, 5 + lag)
    llm = {graph.name: graph for graph in graphs("llm-nano")}["llm_extend"]
    assert shapes(llm, {"batch": 1, "tokens": 2, "past": 9})["mask"] == (1, 11)


def test_a_length_without_a_rule_and_a_budget_for_nothing_are_told():
    graph = Graph("odd", torch.nn.Identity(), {"x": torch.zeros(2)}, ("y",), {"x": {0: "what"}})
    with pytest.raises(BuildError, match="expected a rule for 'what' of odd"):
        ranges(graph, Budget())
    for wrong in ({"seconds": 0.1}, {"seconds": 999}, {"context": 3}):
        with pytest.raises(BuildError, match="budget: expected"):
            Budget(**wrong)
