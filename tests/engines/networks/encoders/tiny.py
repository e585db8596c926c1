"""Encoders with every kind of layer and few numbers."""

import torch

from rt_avatar.engines.networks.encoders.config import SpeechConfig, VisionConfig
from rt_avatar.engines.networks.encoders.projection import Projection
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.encoders.vision import VisionEncoder

SPEECH = SpeechConfig(
    "tiny", 32, 2, 4, 64, convolutions=(16,) * 7, positions=8, position_groups=4
)  # fmt: skip
GROUP = SpeechConfig(
    "tiny-base", 32, 2, 4, 64, convolutions=(16,) * 7, norm="group", positions=8,
    position_groups=4,
)  # fmt: skip
VISION = VisionConfig("tiny", 24, 2, 3, 48, 32, 8)
LLM_WIDTH = 20


def speech(config=SPEECH):
    torch.manual_seed(1)
    return SpeechEncoder(config).eval()


def vision():
    torch.manual_seed(2)
    return VisionEncoder(VISION).eval()


def projections():
    torch.manual_seed(3)
    return Projection(SPEECH.width, LLM_WIDTH), Projection(VISION.width, LLM_WIDTH)
