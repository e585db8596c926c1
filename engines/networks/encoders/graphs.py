"""The graphs that the encoders leave torch as: one an encoder, one a projection and its length."""

import torch

from rt_avatar.engines.networks.encoders.config import HISTORY_BINS, QUERY_BINS
from rt_avatar.engines.networks.encoders.projection import FixedProjection, Projection
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.encoders.vision import VisionEncoder
from rt_avatar.engines.networks.graph import Graph

_SAMPLES = 16_000  # of the examples: one second
_FRAMES = 49  # that it gives
_PICTURES = 2


def graphs(
    speech: SpeechEncoder,
    vision: VisionEncoder,
    speech_out: Projection,
    vision_out: Projection,
    lips: SpeechEncoder | None = None,
) -> tuple[Graph, ...]:
    """List them. An utterance is encoded alone, without padding; pictures in any number.

    All are traced: nothing in them branches, and with lengths that vary it takes a tenth of the
    newer exporter's time. ``lips`` is what hears for the lips, where ``speech`` does not.
    """
    projections = (
        ("speech", speech_out, speech.config.width),
        ("vision", vision_out, vision.config.width),
    )
    size = vision.config.size
    ears = {"speech": speech} if lips is None else {"speech": speech, "lips": lips}
    return (
        *(
            Graph(
                f"encoders_{name}",
                ear,
                {"wave": torch.zeros(1, _SAMPLES)},
                ("features",),
                {"wave": {1: "samples"}},
                traced=True,
            )
            for name, ear in ears.items()
        ),
        Graph(
            "encoders_vision",
            vision,
            {"pictures": torch.zeros(_PICTURES, 3, size, size)},
            ("vectors",),
            {"pictures": {0: "pictures"}},
            traced=True,
        ),
        *(
            Graph(
                f"encoders_{name}_tokens_{bins}",
                FixedProjection(projection, bins),
                {"features": torch.zeros(1, _FRAMES, width), "mask": torch.ones(1, _FRAMES)},
                ("tokens", "token_mask"),
                {"features": {1: "frames"}, "mask": {1: "frames"}},
                traced=True,
            )
            for name, projection, width in projections
            for bins in (HISTORY_BINS, QUERY_BINS)
        ),
    )
