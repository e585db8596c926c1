"""Weights of a generator → those of one that is wider within its layers, and says the same.

What is new hears a mixture of what others hear, and nobody listens to it at first.
(T. Chen, I. Goodfellow, J. Shlens, "Net2Net", arXiv 1511.05641, keep the function likewise.)
"""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

_INNER: Final = (".pwconv1.weight", ".pwconv1.bias", ".pwconv2.weight")
_LIKE_ANOTHER: Final = 0.5  # of what a new unit hears is another one's
_BY_CHANCE: Final = 0.87  # of the deviation of all, so that it hears as loud as they do


def widen(state: dict[str, Tensor], own: Mapping[str, Tensor]) -> None:
    """Widen what is narrower in ``state`` than in ``own``; other shapes stay as they are."""
    chance = torch.Generator().manual_seed(0)
    for name in sorted(name for name in state if name in own and name.endswith(_INNER)):
        value, wide = state[name], torch.zeros_like(own[name])
        if name.endswith(_INNER[2]):  # of what new units say nothing is added at first
            if len(value) == len(wide) and value.shape[1] < wide.shape[1]:
                wide[:, : value.shape[1]] = value
                state[name] = wide
        elif value.shape[1:] == wide.shape[1:] and len(value) < len(wide):
            new = torch.randint(len(value), (len(wide) - len(value),), generator=chance)
            others = value[new]
            if value.ndim == 2:
                noise = torch.randn(others.shape, generator=chance) * value.std()
                others = _LIKE_ANOTHER * others + _BY_CHANCE * noise
            state[name] = torch.cat([value, others])
