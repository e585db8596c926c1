"""Nano with random weights, run by torch; its pictures are small, so that tests are quick."""

from dataclasses import replace

import numpy as np
import torch

from rt_avatar.engines.empatheia.dialogue import Dialogue, Utterance
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.networks.export_files import (
    Beside,
    constants_of,
    makeshift_tokens,
    manifest_of,
)
from rt_avatar.engines.networks.pirender.config import NANO
from rt_avatar.engines.networks.pirender.graphs import nano_graphs
from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.networks.sizes import NANO as SIZES
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs

PICTURE_PX = 64
# Untrained, a sound lasts half a second: few words, said fast.
SHORT = EmpatheiaOptions(chain_tokens=4, reply_tokens=3, speed=2.0, temperature=1.0)


def make_parts():
    graphs = {}
    for name in SIZES.networks.values():
        graphs |= {graph.name: graph for graph in make_graphs(NETWORKS[name])[0]}
    torch.manual_seed(0)
    small = nano_graphs(PortraitPyramid(NANO), NanoRenderer(NANO), PICTURE_PX)
    return graphs | {graph.name: graph for graph in small}


def by_torch(graph):
    return TorchRuntime(graph).run


def make_engines(graphs, run=by_torch):
    manifest = replace(manifest_of(SIZES, "random"), face_px=PICTURE_PX)
    runs = {name: run(graphs[name]) for name in manifest.graphs}
    constants = constants_of(SIZES, graphs, Beside())
    return EmpatheiaEngines(runs, manifest, constants, makeshift_tokens(SIZES.llm))


def sound(seconds: float, seed: int = 0, rate_hz: int = 16_000) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return dice.normal(0, 0.1, int(seconds * rate_hz)).astype(np.float32)


def picture(seed: int = 0, size: int = 96) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (size, size, 3), dtype=np.uint8)


def dialogue(**more) -> Dialogue:
    return Dialogue(
        (
            Utterance("user", "My dog ran away.", sound(0.6)),
            Utterance("avatar", "Oh no! Since when?"),
            Utterance("user", "This morning.", sound(2.4, 1), (picture(1), picture(2))),
        ),
        portrait=picture(3, PICTURE_PX),
        **more,
    )
