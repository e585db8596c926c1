"""Numbers that a network holds and does not learn: products of its weights, and tables."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


def constant(values: Tensor) -> nn.Parameter:
    """Keep a product of weights as float32 that is not trained."""
    return nn.Parameter(values.detach().float().contiguous(), requires_grad=False)


def table(values: NDArray[np.float64]) -> Tensor:
    """Return numbers as a tensor of the default type, real also while a network has no memory."""
    return torch.from_numpy(values).to(torch.get_default_dtype())
