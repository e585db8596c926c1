"""Inputs for a graph, of a seed: a mask has a gap, factors stay one, ids are ids, rest is noise.

Noise of the right kind, that is: a pitch is positive, a variance too.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from torch import nn

from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.runtimes.runtime import Array
from rt_avatar.engines.styletts2.symbols import SYMBOLS
from rt_avatar.trt_builders.budget import Budget, Shape, example_size, ranges, shapes

_PITCH_HZ: Final = 200.0
LENGTHS: Final = 3


def make_inputs(graph: Graph, of: Mapping[str, Shape], seed: int) -> dict[str, Array]:
    """Return inputs of the given shapes."""
    random = np.random.default_rng(seed)
    return {name: _make(graph, name, shape, random) for name, shape in of.items()}


def sample_shapes(graph: Graph, budget: Budget) -> list[dict[str, Shape]]:
    """Return the shapes at three lengths, none of them the examples'; one where nothing varies."""
    found = ranges(graph, budget)
    if not found:
        return [shapes(graph, {})]
    picked = []
    for step in range(LENGTHS):
        sizes = {}
        for name, each in found.items():
            example = example_size(graph, name)
            shorter = example * 2 // 3 or example + 1
            wanted = (shorter, example + 3, max(example + 5, 2 * example + 1))[step]
            most = max(each.least, each.most - (LENGTHS - 1 - step))  # room for the longer ones
            sizes[name] = min(max(wanted, each.least + step), most)
        picked.append(shapes(graph, sizes))
    return picked


def _make(graph: Graph, name: str, shape: Shape, random: np.random.Generator) -> Array:
    example = graph.inputs[name]
    dtype = example.numpy().dtype
    if not example.is_floating_point():
        return random.integers(0, _ids(graph, name), shape).astype(dtype)
    if bool((example == 1).all()):  # masks, and factors that do nothing
        ones = np.ones(shape, dtype)
        if ones.ndim == 2:
            ones[:, 1 : 1 + shape[1] // 3] = 0  # as in calls: memory has places of no token
        return ones
    if name == "pitch":
        return (_PITCH_HZ * random.random(shape)).astype(dtype)
    noise = random.standard_normal(shape).astype(dtype)
    return np.abs(noise) + dtype.type(0.1) if name == "moments" else noise


def _ids(graph: Graph, name: str) -> int:
    """Return how many ids an input may have."""
    if name == "tokens":
        return len(SYMBOLS)
    modules = graph.module.modules()
    return min(int(each.num_embeddings) for each in modules if isinstance(each, nn.Embedding))
