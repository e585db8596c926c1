"""A network that learns: one step of its optimizer, and the running mean of its weights."""

from typing import Any

import torch
from torch import Tensor, nn


class Learner:
    """A network, its optimizer, and the mean of its weights, which is steadier and what is kept.

    Args:
        model: That is trained.
        optimizer: Of its weights.
        decay: Of the mean, a step.
        limit: Norm that all gradients together are cut to.
    """

    def __init__(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, decay: float, limit: float = 1.0
    ) -> None:
        self.model, self.optimizer, self._limit = model, optimizer, limit
        self.mean = torch.optim.swa_utils.AveragedModel(
            model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(decay)
        )
        # What a checkpoint keeps.
        self.parts: dict[str, Any] = {"model": model, "mean": self.mean, "optimizer": optimizer}

    def step(self, loss: Tensor, rate: float) -> None:
        """Follow the gradients of a loss at a learning rate, and take the weights into the mean."""
        set_rate(self.optimizer, rate)
        self.follow(loss)
        self.keep_mean()

    def follow(self, loss: Tensor) -> None:
        """Follow the gradients of a loss."""
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self._limit)
        self.optimizer.step()

    def keep_mean(self) -> None:
        """Take the weights into their running mean."""
        self.mean.update_parameters(self.model)


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the learning rate; one that lies on a device stays there, where recordings read it."""
    for group in optimizer.param_groups:
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate
