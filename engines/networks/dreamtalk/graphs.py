"""The graphs that DreamTalk leaves torch as; the loop over the steps stays outside of them.

``dreamtalk_content`` once a frame, or ``dreamtalk_given`` where the content comes from elsewhere;
``dreamtalk_style`` once a style, ``dreamtalk_step`` once a step. ``dreamtalk_style_encoder`` turns
a clip into a style; styles are also made beforehand.
"""

import torch

from rt_avatar.engines.networks.dreamtalk.denoiser import Denoiser
from rt_avatar.engines.networks.dreamtalk.folded import (
    ContentFold,
    FoldedDenoiser,
    StyleFold,
)
from rt_avatar.engines.networks.graph import Graph

_FRAMES = 5  # of the examples: one chunk


def graphs(plain: Denoiser) -> tuple[Graph, ...]:
    """Split the denoiser.

    Args:
        plain: The network, loaded or trained.
    """
    config = plain.config
    folded = FoldedDenoiser(plain)
    content = torch.zeros(_FRAMES, config.window, config.model_size)
    style = torch.zeros(_FRAMES, 2, config.window, config.model_size)
    conditions = {"content": content, "state": style, "query": style.clone()}
    x = torch.zeros(_FRAMES, config.expression_size)
    frames = {0: "frames"}
    each = {name: frames for name in ("x", *conditions)}
    return (
        Graph(
            "dreamtalk_content",
            ContentFold(plain),
            {"audio": torch.zeros(_FRAMES, config.window, config.audio_size)},
            ("content",),
            {"audio": frames},
            traced=True,
        ),
        Graph(
            "dreamtalk_style",
            StyleFold(plain),
            {"style": torch.zeros(_FRAMES, config.model_size)},
            ("state", "query"),
            {"style": {0: "styles"}},
            traced=True,
        ),
        Graph(
            "dreamtalk_step",
            folded,
            {"x": x, **conditions, "time": folded.time_table((1,))[0]},
            ("clean",),
            each,
            traced=True,
        ),
        Graph(
            "dreamtalk_style_encoder",
            plain.style_encoder,
            {"clip": torch.zeros(1, config.style_frames // 2, config.expression_size)},
            ("style",),
            {"clip": {1: "clip_frames"}},
            traced=True,
        ),
        Graph(
            "dreamtalk_given",
            ContentFold(plain).first,
            {"audio": torch.zeros(_FRAMES, config.window, config.model_size)},
            ("content",),
            {"audio": frames},
            traced=True,
        ),
    )
