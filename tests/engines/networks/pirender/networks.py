"""A PIRenderer so narrow that it runs in no time, with weights that use every part of it."""

from dataclasses import replace

import torch

from rt_avatar.engines.networks.pirender.config import OFFICIAL, MappingConfig, PIRendererConfig
from rt_avatar.engines.networks.pirender.generator import FaceGenerator

NARROW = replace(
    OFFICIAL,
    mapping=MappingConfig(width=8),
    modulation=4,
    widest=16,
    warp_width=4,
    edit_width=8,
)
# One of each kind of part: the export grows with their number.
FEWER = replace(NARROW, warp_encoders=3, warp_decoders=2, edit_layers=2, edit_blocks=1)
SIZE = 64  # of a picture that five halvings leave two pixels of


def generator(config: PIRendererConfig = NARROW) -> FaceGenerator:
    """A network whose biases and norms are not zeros and ones, as fresh ones would be."""
    torch.manual_seed(0)
    made = FaceGenerator(config).eval()
    for name, parameter in made.named_parameters():
        if parameter.dim() < 2 or "mlp" in name or "1.weight" in name:
            parameter.data += 0.1 * torch.randn_like(parameter)
    return made.requires_grad_(False)


def portrait(count: int = 1, size: int = SIZE) -> torch.Tensor:
    """Smooth pictures: (count, 3, size, size) in -1..1."""
    coarse = torch.rand(count, 3, 8, 8) * 2 - 1
    return torch.nn.functional.interpolate(coarse, (size, size), mode="bilinear")


def motion(count: int = 1, frames: int = 27) -> torch.Tensor:
    """(count, 73, frames)."""
    return 0.5 * torch.randn(count, 73, frames)
