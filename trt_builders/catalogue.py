"""Every network that can be exported: its size, its graphs, and the weights that fill it.

A network is made only when it is asked for, from imported weights or, without them, from random
ones with a seed. Random ones are enough to prove parity and to measure; they say nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import torch
from torch import nn

from engines.networks.graph import Graph
from engines.networks.importing import load_imported
from engines.networks.loading import State, load_strict

Load = Callable[[Any, State], None]  # puts imported tensors into a network


class Fill(Protocol):
    """Fills a network with the published weights of a name, or with random ones."""

    def __call__(self, module: nn.Module, name: str, load: Load = load_strict) -> None:
        """``load`` is for weights that were not imported in the network's own names."""
        ...


Make = Callable[[Fill], tuple[Graph, ...]]


@dataclass(frozen=True, slots=True)
class Network:
    """What can be exported.

    Attributes:
        name: As commands name it: what and which size.
        what: What its graphs do.
        make: Makes its graphs, filling each part with the weights it names.
        weights: Published weights that it can be filled with; none: only random or our own.
    """

    name: str
    what: str
    make: Make
    weights: tuple[str, ...] = ()


def make_graphs(
    network: Network, models: Path | None = None, seed: int = 0
) -> tuple[tuple[Graph, ...], dict[str, Path]]:
    """Return a network's graphs, and by name the weights' files that filled them.

    Args:
        network: Which.
        models: Folder of imported weights; None: random ones.
        seed: Of random ones. The caller's generator is left as it was.

    Raises:
        CheckpointError: Weights are missing or do not fit.
    """
    used: dict[str, Path] = {}

    def fill(module: nn.Module, name: str, load: Load = load_strict) -> None:
        if models is not None and name:
            used[name] = load_imported(module, name, models, load)
        elif models is None:
            _unsettle(module)

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return network.make(fill), used


def _unsettle(module: nn.Module) -> None:
    """Move what begins as zeros and ones: a part that does nothing would hide a wrong graph."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() <= 1:
                parameter.add_(0.1 * torch.randn_like(parameter))


# --- networks -----------------------------------------------------------------------------------
def _styletts2(size: str, weights: str = "") -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from engines.networks.styletts2.config import CONFIGS
        from engines.networks.styletts2.graphs import graphs
        from engines.networks.styletts2.model import StyleTTS2

        network = StyleTTS2(CONFIGS[size]).eval()
        fill(network, weights)
        return graphs(network)

    return make


def _dreamtalk(size: str, weights: str = "") -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from engines.dreamtalk.schedule import Schedule
        from engines.networks.dreamtalk.config import NANO, OFFICIAL
        from engines.networks.dreamtalk.denoiser import DreamTalk
        from engines.networks.dreamtalk.graphs import graphs

        network = DreamTalk(NANO if size == "nano" else OFFICIAL).eval()
        fill(network, weights)
        return graphs(network.net, Schedule.of(_FEW_STEPS))

    return make


def _pirenderer(fill: Fill) -> tuple[Graph, ...]:
    from engines.networks.pirender.config import OFFICIAL
    from engines.networks.pirender.generator import FaceGenerator
    from engines.networks.pirender.graphs import graphs

    network = FaceGenerator(OFFICIAL).eval()
    fill(network, "pirenderer")
    return graphs(network)


def _pirenderer_nano(fill: Fill) -> tuple[Graph, ...]:
    from engines.networks.pirender.config import NANO
    from engines.networks.pirender.graphs import nano_graphs
    from engines.networks.pirender.nano import NanoRenderer, PortraitPyramid

    pyramid, renderer = PortraitPyramid(NANO).eval(), NanoRenderer(NANO).eval()
    fill(pyramid, "")
    fill(renderer, "")
    return nano_graphs(pyramid, renderer)


def _encoders(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from engines.networks.encoders import config
        from engines.networks.encoders.graphs import graphs
        from engines.networks.encoders.projection import Projection
        from engines.networks.encoders.speech import SpeechEncoder
        from engines.networks.encoders.vision import VisionEncoder
        from engines.networks.llm.config import NANO, VICUNA_7B

        nano = size == "nano"
        speech = SpeechEncoder(config.HUBERT_NANO if nano else config.HUBERT_LARGE).eval()
        vision = VisionEncoder(config.CLIP_NANO if nano else config.CLIP_LARGE).eval()
        fill(speech, "" if nano else "hubert-large")
        fill(vision, "" if nano else "clip-large")
        width = (NANO if nano else VICUNA_7B).width
        outs = [Projection(each.config.width, width).eval() for each in (speech, vision)]
        return graphs(speech, vision, *outs)

    return make


def _llm(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from engines.networks.llm.config import NANO, VICUNA_7B
        from engines.networks.llm.graphs import graphs
        from engines.networks.llm.llama import Llama
        from engines.networks.llm.official import load_llama

        network = Llama(NANO if size == "nano" else VICUNA_7B).eval()
        fill(network, "" if size == "nano" else "vicuna-7b", load_llama)
        return graphs(network)

    return make


def _fusion(size: str) -> Make:
    def make(fill: Fill) -> tuple[Graph, ...]:
        from engines.networks.fusion import config
        from engines.networks.fusion.disentangler import StyleDisentangler
        from engines.networks.fusion.graphs import graphs
        from engines.networks.fusion.synchronizer import ContentSynchronizer

        nano = size == "nano"
        parts = (
            ContentSynchronizer(
                config.NANO_SYNCHRONIZER if nano else config.EMPATHEIA_SYNCHRONIZER
            ).eval(),
            StyleDisentangler(
                config.NANO_DISENTANGLER if nano else config.EMPATHEIA_DISENTANGLER
            ).eval(),
        )
        for part in parts:
            fill(part, "")
        return graphs(*parts)

    return make


# Distilled students are made for two steps; the loop over more stays outside of any graph.
_FEW_STEPS: Final = (901, 401)
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
        Network("kokoro", "voice", _styletts2("kokoro", "kokoro-82m"), ("kokoro-82m",)),
        Network("dreamtalk-nano", "motion", _dreamtalk("nano")),
        Network("dreamtalk", "motion", _dreamtalk("official", "dreamtalk"), ("dreamtalk",)),
        Network("pirenderer-nano", "face", _pirenderer_nano),
        Network("pirenderer", "face", _pirenderer, ("pirenderer",)),
        Network("encoders-nano", "hearing and sight", _encoders("nano")),
        Network(
            "encoders", "hearing and sight", _encoders("official"), ("hubert-large", "clip-large")
        ),
        Network("llm-nano", "language", _llm("nano")),
        Network("llm", "language; needs 60 GB of memory", _llm("official"), ("vicuna-7b",)),
        Network("fusion-nano", "styles and contents", _fusion("nano")),
        Network("fusion", "styles and contents", _fusion("official")),
    )
}


def pick(graphs: tuple[Graph, ...], names: tuple[str, ...]) -> tuple[Graph, ...]:
    """Return the graphs of those names; all, where there are none."""
    return tuple(graph for graph in graphs if not names or graph.name in names)
