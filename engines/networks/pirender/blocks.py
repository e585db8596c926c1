"""Blocks of PIRenderer: the descriptor of motion, and norms that it steers."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.networks.pirender.config import MappingConfig

SLOPE = 0.1  # of the leaky ReLU, wherever there is one


class Mapping(nn.Module):  # type: ignore[misc]
    """A window of motion → a descriptor. Nothing is padded, so that it runs over sequences too."""

    def __init__(self, config: MappingConfig) -> None:
        super().__init__()
        self.layers = config.layers
        self.first = nn.Sequential(nn.Conv1d(config.coefficients, config.width, 7))
        for layer in range(config.layers):
            step = nn.Conv1d(config.width, config.width, 3, dilation=3)
            self.add_module(f"encoder{layer}", nn.Sequential(nn.LeakyReLU(SLOPE), step))

    def forward(self, window: Tensor) -> Tensor:
        """Map (B, coefficients, window) to (B, width)."""
        x = self.first(window)  # (B, width, window - 6), 6 fewer places behind each layer
        for layer in range(self.layers):
            x = getattr(self, f"encoder{layer}")(x) + x[..., 3:-3]
        return x.mean(-1)


class LayerNorm2d(nn.Module):  # type: ignore[misc]
    """Normalises over channels and places together: a group norm of one group."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels, 1, 1))
        self.bias = nn.Parameter(torch.zeros(channels, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Take and return (B, C, H, W)."""
        return functional.group_norm(x, 1, self.weight.flatten(), self.bias.flatten())


class AdaIN(nn.Module):  # type: ignore[misc]
    """Instance norm whose gain and shift the descriptor sets."""

    def __init__(self, channels: int, descriptor: int, hidden: int) -> None:
        super().__init__()
        self.mlp_shared = nn.Sequential(nn.Linear(descriptor, hidden), nn.ReLU())
        self.mlp_gamma = nn.Linear(hidden, channels)
        self.mlp_beta = nn.Linear(hidden, channels)

    def forward(self, x: Tensor, descriptor: Tensor) -> Tensor:
        """Take and return (B, C, H, W); descriptor (B, width)."""
        hidden = self.mlp_shared(descriptor)
        gain = 1 + self.mlp_gamma(hidden)[..., None, None]
        return functional.instance_norm(x) * gain + self.mlp_beta(hidden)[..., None, None]
