"""StyleTTS 2 with very few channels, at the released rates and kernels, and checkpoints for it."""

from dataclasses import replace

import torch
from torch import Tensor

from rt_avatar.engines.networks.styletts2.config import (
    KOKORO,
    LIBRITTS,
    LJSPEECH,
    NANO,
    BertConfig,
    DiffusionConfig,
    StyleEncoderConfig,
    StyleTTS2Config,
    TrunkConfig,
    UpsamplerConfig,
    VocosConfig,
)
from rt_avatar.engines.networks.styletts2.model import StyleTTS2
from rt_avatar.engines.networks.styletts2.official import key_table

_BERT = BertConfig(embedding=4, hidden=12, heads=3, intermediate=10, layers=3)
_STYLE = StyleEncoderConfig(channels=2, max_channels=4)


def small(config: StyleTTS2Config) -> StyleTTS2Config:
    generator = config.generator
    if isinstance(generator, VocosConfig):
        generator = replace(generator, inputs=6, channels=8, layers=3, intermediate=12)
    else:
        generator = replace(generator, channels=16)
    diffusion = config.diffusion and DiffusionConfig(
        layers=2, heads=2, head_size=3, time_features=5, reference=config.diffusion.reference
    )
    return replace(
        config,
        generator=generator,
        diffusion=diffusion,
        style_encoder=config.style_encoder and _STYLE,
        hidden=8,
        style=4,
        bert=_BERT,
        trunk=TrunkConfig(channels=10, aligned=3, blocks=config.trunk.blocks),
    )


LJ, LIBRI, KOK, SMALL_NANO = (small(config) for config in (LJSPEECH, LIBRITTS, KOKORO, NANO))
assert isinstance(LJ.generator, UpsamplerConfig)


def lean(config):
    """Every kind of layer, but few of them: for what takes long."""
    kind = config.generator
    if isinstance(kind, UpsamplerConfig):
        kind = replace(kind, block_kernels=(3,), dilations=(1, 3))
    return replace(config, generator=kind)


def network(config: StyleTTS2Config, seed: int = 0) -> StyleTTS2:
    """All parameters random, those that begin as zeros and ones too; what they say is audible.

    F0 lies around 120 Hz with unvoiced frames between, and styles differ from recording to
    recording.
    """
    torch.manual_seed(seed)
    made = StyleTTS2(config)
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            if "alpha" in name:
                parameter.uniform_(0.5, 2.0)
            elif parameter.dim() == 1:
                parameter.add_(0.1 * torch.randn_like(parameter))
        made.predictor.F0_proj.weight.mul_(400.0 / config.pitch_unit_hz)
        made.predictor.F0_proj.bias.add_(120.0 / config.pitch_unit_hz)
        for encoder in ("style_encoder", "predictor_encoder"):
            if hasattr(made, encoder):
                getattr(made, encoder).unshared.weight.mul_(50.0)
    return made.eval()


def checkpoint(config: StyleTTS2Config, seed: int = 0) -> dict[str, dict[str, Tensor]]:
    """State dicts as the released files hold them, of random numbers."""
    torch.manual_seed(seed)
    return {
        part: {f"module.{key}": torch.randn(shape) for key, shape in keys.items()}
        for part, keys in key_table(config).items()
    }
