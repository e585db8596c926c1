"""Half precision where it is safe: convolutions in float16, everything between them in float32.

Runtimes with typed graphs compute in the types that the graph says. Sums over a picture overflow
float16 (a norm adds four million squares), and so do small differences of places: at 256 pixels
its coordinates step by 0.06 pixels. So norms, flow, grid and gains stay in float32.
"""

import copy
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn

KEPT: Final = ("flow_out",)  # convolutions, by a part of their name, whose output is a place


class HalfConvolution(nn.Module):  # type: ignore[misc]
    """A convolution in float16 between tensors of float32."""

    def __init__(self, plain: nn.Module) -> None:
        super().__init__()
        self.inner = plain.half()

    def forward(self, x: Tensor) -> Tensor:
        """Take and return float32."""
        return self.inner(x.half()).float()


def with_half_convolutions(module: nn.Module, keep: Sequence[str] = KEPT) -> nn.Module:
    """Return a copy whose two-dimensional convolutions compute in float16.

    Args:
        module: A renderer's graph; unchanged.
        keep: Parts of names; what bears one stays in float32.
    """
    made = copy.deepcopy(module)
    for name, part in list(made.named_modules()):
        if isinstance(part, nn.Conv2d | nn.ConvTranspose2d) and not any(
            kept in name for kept in keep
        ):
            _check_range(name, part.weight)
            parent, _, own = name.rpartition(".")
            setattr(made.get_submodule(parent), own, HalfConvolution(part))
    return made


def _check_range(name: str, weight: Tensor) -> None:
    largest = torch.finfo(torch.float16).max
    if weight.abs().max() > largest:
        raise ValueError(
            f"pirender: expected weights of {name} up to {largest:.0f} for float16; "
            f"got {weight.abs().max():.0f}"
        )
