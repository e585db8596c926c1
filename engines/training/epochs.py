"""The checkpoint of a training that goes by epochs: written after each, and gone on from."""

import logging
from pathlib import Path

import torch

_log = logging.getLogger(__name__)


def resume(checkpoint: Path, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Load the checkpoint if there is one; return the epoch to go on with."""
    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    _log.info("going on after epoch %d of %s", state["epoch"], checkpoint)
    return int(state["epoch"])


def save_epoch(
    checkpoint: Path, epoch: int, model: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    """Write what ``resume`` loads; there is all of it or the one before."""
    temporary = checkpoint.with_suffix(".part")
    parts = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save({"epoch": epoch, **parts}, temporary)
    temporary.replace(checkpoint)
