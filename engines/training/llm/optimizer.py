"""What changes weights: Muon for matrices, AdamW for embeddings, norms and whatever is a table.

Updates of a published model (LoRA) are AdamW's alone, as is usual.

Muon (K. Jordan et al. 2024; scaled as in J. Liu et al. 2025, "Muon is scalable for LLM training")
makes each step of a matrix nearly orthogonal. At nano's size and a few million tokens it learns as
much from half of the tokens (docs/LOG.md), for an eighth more arithmetic.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.training.muon import Muon

_BETAS: Final = (0.9, 0.95)
_DECAY: Final = 0.1
_EMBEDDING_SHARE: Final = 0.4  # of the matrices' rate, which AdamW takes for all else
_UPDATES_DECAY: Final = 1e-3  # as of the published text baseline


def embeddings_of(model: Llama) -> tuple[Tensor, Tensor]:
    """Return a language model's tables: its embedding, which may be its head, and its head."""
    return model.model.get_input_embeddings().weight, model.model.get_output_embeddings().weight


class Optimizer:
    """Optimizers as one, with a rate that is a share of the highest.

    Args:
        parts: By name.
        rates: The highest of each.
    """

    def __init__(
        self, parts: Mapping[str, torch.optim.Optimizer], rates: Mapping[str, float]
    ) -> None:
        self.parts, self._rates = parts, rates

    def step(self, share: float) -> None:
        """Change the weights by their gradients, which are taken away.

        Args:
            share: Of the highest rates, 0..1.
        """
        for name, part in self.parts.items():
            for group in part.param_groups:
                group["lr"] = self._rates[name] * share
            part.step()
            part.zero_grad()


def muon_and_adamw(network: nn.Module, rate: float, known_tables: Sequence[Tensor]) -> Optimizer:
    """Return what changes a whole network.

    Args:
        network: Whose weights; what needs no gradient is left.
        rate: Highest learning rate of the matrices.
        known_tables: What has two axes and is no matrix: a row stands for itself.
    """
    embeddings = {id(table) for table in known_tables}
    matrices: list[Tensor] = []
    tables: list[Tensor] = []
    vectors: list[Tensor] = []
    for value in learnt_of(network):
        if value.dim() < 2:
            vectors.append(value)  # norms, which are not drawn to zero
        else:
            (tables if id(value) in embeddings else matrices).append(value)
    others = [{"params": tables, "weight_decay": _DECAY}, {"params": vectors, "weight_decay": 0.0}]
    muon = Muon(matrices, weight_decay=_DECAY)
    return Optimizer(
        {"muon": muon, "adamw": torch.optim.AdamW(others, betas=_BETAS)},
        {"muon": rate, "adamw": rate * _EMBEDDING_SHARE},
    )


def adamw(network: nn.Module, rate: float) -> Optimizer:
    """Return what changes a network's updates, which are all that needs a gradient, at a rate."""
    part = torch.optim.AdamW(learnt_of(network), betas=_BETAS, weight_decay=_UPDATES_DECAY)
    return Optimizer({"adamw": part}, {"adamw": rate})


def learnt_of(network: nn.Module) -> list[Tensor]:
    """Return the weights that need a gradient."""
    return [value for value in network.parameters() if value.requires_grad]
