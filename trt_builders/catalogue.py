"""Every network that can be exported: its size, its graphs, and the weights that fill it.

A network is made only when it is asked for, from imported weights, from what was trained here, or,
without either, from random ones with a seed. Random ones are enough to prove parity and to measure;
they say nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from rt_avatar.engines.checkpoints import WEIGHTS
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.lazy_weights import LazyWeights
from rt_avatar.engines.published_files import RELEASES
from rt_avatar.trt_builders.export import Precision
from rt_avatar.trt_builders.weights import AT_RANDOM, Fill, Origin

Make = Callable[[Fill], tuple[Graph, ...]]
# Writes what a runtime needs beside the graphs: folder, graphs, origin of the weights.
WriteBeside = Callable[[Path, tuple[Graph, ...], Origin], Path]


@dataclass(frozen=True, slots=True)
class Network:
    """What can be exported.

    Attributes:
        name: As commands name it: what and which size.
        what: What its graphs do.
        make: Makes its graphs, filling each part with the weights it names.
        weights: Published weights that it can be filled with; none: only random or our own.
        precision: Of its exports, unless another is asked for.
        write_beside: For a network that is used alone; others are written with their size.
    """

    name: str
    what: str
    make: Make
    weights: tuple[str, ...] = ()
    precision: Precision = "fp32"
    write_beside: WriteBeside | None = None


def make_graphs(network: Network, origin: Origin = AT_RANDOM) -> tuple[tuple[Graph, ...], Fill]:
    """Return a network's graphs, and what filled them.

    Args:
        network: Which.
        origin: Of the weights. The caller's generator of random numbers is left as it was.

    Raises:
        CheckpointError: Weights are missing or do not fit.
    """
    fill = Fill(origin)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(origin.seed)
        return network.make(fill), fill


# --- networks -----------------------------------------------------------------------------------
def _styletts2(name: str, weights: str = "") -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from rt_avatar.engines.networks.sizes import SIZES
        from rt_avatar.engines.networks.styletts2.config import CONFIGS
        from rt_avatar.engines.networks.styletts2.graphs import graphs
        from rt_avatar.engines.networks.styletts2.model import StyleTTS2
        from rt_avatar.engines.networks.styletts2.published_tables import load_without_tables

        voices = {sizes.voice.name: sizes.voice for sizes in SIZES.values()}
        config = voices.get(name, CONFIGS[name])
        network = StyleTTS2(config).eval()
        if name == "kokoro":  # untrained, it is voiced: else its first window takes in 5 s
            nn.init.constant_(network.predictor.F0_proj.bias, 120.0 / config.pitch_unit_hz)
        fill(network, weights, load_without_tables, part="voice")
        return graphs(network)

    return make


def _kokoro_tables(place: Path, graphs: tuple[Graph, ...], origin: Origin) -> Path:
    """Write the style tables of an import, or random ones of the same names."""
    from rt_avatar.engines.networks.styletts2.config import CONFIGS
    from rt_avatar.engines.networks.styletts2.graphs import shape_of
    from rt_avatar.engines.networks.styletts2.published_tables import imported_tables
    from rt_avatar.engines.styletts2.speaker import WindowShape
    from rt_avatar.engines.styletts2.tables import ROWS, TABLES, write_tables

    config = CONFIGS["kokoro"]
    window = next(graph for graph in graphs if graph.name == "styletts2_window")
    shape = shape_of(config.generator, window.module.network)
    assert isinstance(shape, WindowShape), "Kokoro's generator goes by windows"
    if origin.models is None:
        dice = np.random.default_rng(origin.seed)
        files = [file.path for file in RELEASES["kokoro-82m"].files if file.path.endswith(".pt")]
        tables = {
            Path(file).stem: np.tile(
                dice.normal(0, 0.15, (1, 1, 2 * config.style)).astype(np.float32), (ROWS, 1, 1)
            )
            for file in files
        }
    else:
        tables = imported_tables(origin.models / f"kokoro-82m{WEIGHTS}")
    write_tables(place / TABLES, shape, tables)
    return place / TABLES


def _dreamtalk(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
        from rt_avatar.engines.networks.dreamtalk.graphs import graphs
        from rt_avatar.engines.networks.sizes import SIZES

        sizes = SIZES[size]
        network = DreamTalk(sizes.motion).eval()
        fill(network, sizes.weights.get("motion", ""), part="motion")
        return graphs(network.net)

    return make


def _pirenderer(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from rt_avatar.engines.networks.pirender.config import NanoRendererConfig
        from rt_avatar.engines.networks.pirender.generator import FaceGenerator
        from rt_avatar.engines.networks.pirender.graphs import graphs, nano_graphs
        from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid
        from rt_avatar.engines.networks.sizes import SIZES

        sizes = SIZES[size]
        if isinstance(sizes.face, NanoRendererConfig):
            pyramid, renderer = PortraitPyramid(sizes.face).eval(), NanoRenderer(sizes.face).eval()
            fill(pyramid, part="pyramid")
            fill(renderer, part="face")
            return nano_graphs(pyramid, renderer, sizes.face_px)
        network = FaceGenerator(sizes.face).eval()
        fill(network, sizes.weights.get("face", ""), part="face")
        return graphs(network, sizes.face_px)

    return make


def _encoders(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from rt_avatar.engines.networks.encoders.graphs import graphs
        from rt_avatar.engines.networks.encoders.projection import Projection
        from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
        from rt_avatar.engines.networks.encoders.vision import VisionEncoder
        from rt_avatar.engines.networks.sizes import SIZES

        sizes = SIZES[size]
        parts = {
            "speech": SpeechEncoder(sizes.speech).eval(),
            "vision": VisionEncoder(sizes.vision).eval(),
            "speech_projection": Projection(sizes.speech.width, sizes.llm.width).eval(),
            "vision_projection": Projection(sizes.vision.width, sizes.llm.width).eval(),
        }
        if sizes.lips is not None:
            parts["lips"] = SpeechEncoder(sizes.lips).eval()
        for part, module in parts.items():
            fill(module, sizes.weights.get(part, ""), part=part)
        return graphs(
            parts["speech"],
            parts["vision"],
            parts["speech_projection"],
            parts["vision_projection"],
            parts.get("lips"),
        )

    return make


def _llm(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from rt_avatar.engines.networks.llm.graphs import graphs
        from rt_avatar.engines.networks.llm.llama import Llama
        from rt_avatar.engines.networks.llm.official import (
            lazy_llama,
            lazy_rotary,
            llama_keys,
            meta_llama,
        )
        from rt_avatar.engines.networks.llm.published import adapter_keys
        from rt_avatar.engines.networks.sizes import SIZES

        sizes = SIZES[size]
        config, name = sizes.llm, sizes.weights.get("llm", "")
        if not name:
            network = Llama(config).eval()
            fill(network, part="llm")
            return graphs(network)

        def convert(published: LazyWeights) -> LazyWeights:
            wanted = partial(adapter_keys, config=config)
            adapter = fill.adapter(sizes.weights["adapter"], wanted, onto=name)
            return lazy_llama(config, published, adapter)

        network = meta_llama(config)
        weights = fill.lazily(network, llama_keys(config), name, part="llm", convert=convert)
        return graphs(network, {**weights, **lazy_rotary(config)})

    return make


def _fusion(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
        from rt_avatar.engines.networks.fusion.graphs import graphs, nano_voice_graph
        from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
        from rt_avatar.engines.networks.sizes import SIZES

        sizes = SIZES[size]
        synchronizer = ContentSynchronizer(sizes.synchronizer).eval()
        disentangler = StyleDisentangler(sizes.disentangler).eval()
        fill(synchronizer, part="synchronizer")
        fill(disentangler, part="disentangler")
        built = graphs(synchronizer, disentangler)
        if sizes.name != "nano" or fill.random:
            return built
        from rt_avatar.engines.training.voice.export import load_acoustic

        return (*built, nano_voice_graph(synchronizer, load_acoustic()))

    return make


NETWORKS: Final[Mapping[str, Network]] = {
    each.name: each
    for each in (
        Network("styletts2-nano", "voice", _styletts2("nano")),
        Network(
            "styletts2-ljspeech",
            "voice",
            _styletts2("ljspeech", "styletts2-ljspeech"),
            ("styletts2-ljspeech",),
        ),
        Network(
            "styletts2-libritts",
            "voice",
            _styletts2("libritts", "styletts2-libritts"),
            ("styletts2-libritts",),
        ),
        Network(
            "kokoro",
            "voice",
            _styletts2("kokoro", "kokoro-82m"),
            ("kokoro-82m",),
            write_beside=_kokoro_tables,
        ),
        Network("dreamtalk-nano", "motion", _dreamtalk("nano")),
        Network("dreamtalk", "motion", _dreamtalk("empatheia"), ("dreamtalk",)),
        Network("pirenderer-nano", "face", _pirenderer("nano")),
        Network("pirenderer", "face", _pirenderer("empatheia"), ("pirenderer",)),
        Network("encoders-nano", "speech and vision encoders", _encoders("nano"), precision="int8"),
        Network(
            "encoders",
            "speech and vision encoders",
            _encoders("empatheia"),
            ("hubert-large", "wav2vec2-large", "clip-large"),
        ),
        Network("llm-nano", "language", _llm("nano"), precision="int8"),
        Network(
            "llm",
            "language",
            _llm("empatheia"),
            ("vicuna-7b", "vicuna-7b-lora"),
        ),
        Network("fusion-nano", "styles and contents", _fusion("nano")),
        Network("fusion", "styles and contents", _fusion("empatheia")),
    )
}


def pick(graphs: tuple[Graph, ...], names: tuple[str, ...]) -> tuple[Graph, ...]:
    """Return the graphs of those names; all, where there are none."""
    return tuple(graph for graph in graphs if not names or graph.name in names)
