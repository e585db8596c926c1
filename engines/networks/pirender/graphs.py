"""The graphs that both renderers leave torch as: one for the portrait, one for its frames."""

from collections.abc import Mapping

import torch
from torch import Tensor

from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.pirender.folded import FoldedGenerator, PortraitFold
from rt_avatar.engines.networks.pirender.generator import FaceGenerator
from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid

_FRAMES = 5  # of the examples: one chunk
PYRAMID = ("crisp", "quarter", "eighth", "smallest")


def graphs(plain: FaceGenerator, size: int = 256) -> tuple[Graph, ...]:
    """Split the published network: ``pirender_portrait`` once, ``pirender_frame`` for frames.

    Args:
        plain: The network, loaded or trained.
        size: Of the picture; see ``FoldedGenerator``.

    Raises:
        ValueError: The size does not fit the network.
    """
    config, fold = plain.config, PortraitFold(plain)
    source = torch.zeros(1, 3, size, size)
    inputs = {
        "source": torch.zeros(_FRAMES, 3, size, size),
        "warp": torch.zeros(_FRAMES, config.warp_channels(0), size, size),
        "edit": torch.zeros(_FRAMES, config.edit_channels(0), size, size),
        "window": torch.zeros(_FRAMES, config.mapping.coefficients, config.mapping.window),
    }
    return (
        Graph("pirender_portrait", fold, {"source": source}, ("warp", "edit"), traced=True),
        Graph(
            "pirender_frame",
            FoldedGenerator(plain, size),
            inputs,
            ("frame",),
            _each(inputs),
            traced=True,
        ),
    )


def nano_graphs(
    pyramid: PortraitPyramid, renderer: NanoRenderer, size: int = 256
) -> tuple[Graph, ...]:
    """Split the small network: ``pirender_nano_portrait`` once, ``pirender_nano_frame`` for frames.

    Args:
        pyramid: What encodes portraits.
        renderer: What renders frames.
        size: Of the picture, a multiple of 32 from 64 on.

    Raises:
        ValueError: It is none.
    """
    if size % 32 or size < 64:
        raise ValueError(f"pirender: expected a multiple of 32 pixels from 64 on; got {size}")
    config = renderer.config
    maps = {
        name: torch.zeros(_FRAMES, channels, size >> level, size >> level)
        for level, (name, channels) in enumerate(
            zip(PYRAMID[1:], config.channels[1:], strict=True), 3
        )
    }
    window = torch.zeros(_FRAMES, config.mapping.coefficients, config.mapping.window)
    source = torch.zeros(_FRAMES, 3, size, size)
    inputs = {PYRAMID[0]: source, **maps, "window": window}
    return (
        Graph("pirender_nano_portrait", pyramid, {"source": source[:1]}, PYRAMID, traced=True),
        Graph("pirender_nano_frame", renderer, inputs, ("frame",), _each(inputs), traced=True),
    )


def _each(inputs: Mapping[str, Tensor]) -> dict[str, dict[int, str]]:
    """Let every frame be of a portrait of its own."""
    return {name: {0: "frames"} for name in inputs}
