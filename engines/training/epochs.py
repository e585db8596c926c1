"""The checkpoint of a training that goes by epochs: written after each, and gone on from."""

import logging
from pathlib import Path

import torch

from rt_avatar.engines.training.schedule import write_state

_log = logging.getLogger(__name__)


def resume(
    checkpoint: Path, model: torch.nn.Module, optimizer: torch.optim.Optimizer, course: str = ""
) -> int:
    """Load the checkpoint if there is one; return the epoch to go on with.

    Raises:
        ValueError: It is of another course.
    """
    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    if state.get("course", course) != course:  # older versions kept none
        raise ValueError(
            f"{checkpoint}: expected a training of the same texts and options to go on with; got "
            "another one's. Remove it, or name another with --checkpoint"
        )
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    _log.info("going on after epoch %d of %s", state["epoch"], checkpoint)
    return int(state["epoch"])


def save_epoch(
    checkpoint: Path,
    epoch: int,
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    course: str = "",
) -> None:
    """Write what ``resume`` loads; there is all of it or the one before.

    Raises:
        OSError: It cannot be written.
    """
    parts = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    write_state(checkpoint, {"epoch": epoch, "course": course, **parts})
