"""The published encoders' keys and shapes, made of our modules without memory for the numbers."""

import torch

from rt_avatar.engines.networks.encoders.config import SpeechConfig, VisionConfig
from rt_avatar.engines.networks.encoders.speech import SpeechEncoder
from rt_avatar.engines.networks.encoders.vision import VisionEncoder

LETTERS = 33
POSITIONS = "encoder.pos_conv_embed.conv.weight"


def hubert_keys(config: SpeechConfig) -> dict[str, tuple[int, ...]]:
    """Return the published file's keys and shapes, without memory for the numbers."""
    with torch.device("meta"):
        made = SpeechEncoder(config).hubert.state_dict()
    keys = {key: tuple(value.shape) for key, value in made.items()}
    shape = keys.pop(POSITIONS)
    keys["masked_spec_embed"] = (config.width,)
    return keys | {f"{POSITIONS}_g": (1, 1, shape[2]), f"{POSITIONS}_v": shape}


def wav2vec2_keys(config: SpeechConfig) -> dict[str, tuple[int, ...]]:
    """Return the published file's keys and shapes, its 33 letters among them."""
    keys = {f"wav2vec2.{key}": shape for key, shape in hubert_keys(config).items()}
    return keys | {"lm_head.weight": (LETTERS, config.width), "lm_head.bias": (LETTERS,)}


def clip_keys(config: VisionConfig) -> dict[str, tuple[int, ...]]:
    """Return the keys and shapes of the vision tower in the published file."""
    with torch.device("meta"):
        made = VisionEncoder(config).clip.state_dict()
    return {f"vision_model.{key}": tuple(value.shape) for key, value in made.items()}
