"""What changes the renderer's weights: Muon for products and convolutions, AdamW for all else."""

from typing import Final

import torch
from torch import Tensor, nn

from rt_avatar.engines.training.muon import Muon

_BETAS: Final = (0.9, 0.99)
_OTHERS_SHARE: Final = 0.2  # of Muon's rate, which AdamW takes for biases


class Optimizer:
    """Both optimizers as one, with a rate that is a share of the highest.

    Muon knows matrices alone; a convolution's weight is seen as one, a row an output.

    Args:
        network: What learns.
        rate: Highest learning rate of the matrices.
    """

    def __init__(self, network: nn.Module, rate: float) -> None:
        parameters = list(network.parameters())
        self._weights = [value for value in parameters if value.dim() > 1]
        self._matrices = [nn.Parameter(_matrix(value)) for value in self._weights]
        vectors = [value for value in parameters if value.dim() <= 1]
        self._rates = {"muon": rate, "adamw": rate * _OTHERS_SHARE}
        self.parts: dict[str, torch.optim.Optimizer] = {
            "muon": Muon(self._matrices, weight_decay=0.0),
            "adamw": torch.optim.AdamW(vectors, betas=_BETAS, weight_decay=0.0),
        }

    def step(self, share: float) -> None:
        """Change the weights by their gradients, which are taken away.

        Args:
            share: Of the highest rates, 0..1.
        """
        for matrix, weight in zip(self._matrices, self._weights, strict=True):
            matrix.grad = None if weight.grad is None else weight.grad.flatten(1).contiguous()
            weight.grad = None
        for name, part in self.parts.items():
            for group in part.param_groups:
                group["lr"] = self._rates[name] * share
            part.step()
            part.zero_grad()


def _matrix(weight: Tensor) -> Tensor:
    """Return a weight as a matrix in the same memory."""
    return weight.detach().view(len(weight), -1)
