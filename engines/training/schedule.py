"""What the small networks' trainings share: the learning rate's course, and checkpoints."""

import logging
from collections.abc import Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

import numpy as np
import torch

_log = logging.getLogger(__name__)
# What torch raises on other files and on parts of its own; errors of the disk are not among them.
_DAMAGED: Final = (
    AttributeError,
    EOFError,
    LookupError,
    RuntimeError,
    TypeError,
    UnpicklingError,
    ValueError,
)


def share_of_rate(step: int, steps: int, warmup_steps: int) -> float:
    """Return the share of the highest learning rate: a rise, half a cosine to a hundredth."""
    rise = min(1.0, (step + 1) / warmup_steps)
    return float(rise * (0.01 + 0.99 * (0.5 + 0.5 * np.cos(np.pi * step / steps))))


def write_state(path: Path, state: Mapping[str, Any]) -> None:
    """Write what ``torch.load`` reads, whole or not at all.

    Raises:
        OSError: It cannot be written; what was there before stays.
    """
    temporary = path.with_suffix(".part")
    try:
        torch.save(state, temporary)
        temporary.replace(path)
    except (OSError, RuntimeError) as error:  # torch's writer raises RuntimeError on a full disk
        temporary.unlink(missing_ok=True)
        raise OSError(f"{path}: expected room for a checkpoint; got {error}") from error


def save_checkpoint(path: Path, step: int, parts: Mapping[str, Any], course: str = "") -> None:
    """Write the state of all parts, whole or not at all.

    Args:
        path: Replaced.
        step: To go on with.
        parts: By name: modules, optimizers.
        course: What is learnt from, so that nothing else goes on from it; "" tells nothing.

    Raises:
        OSError: It cannot be written; the one before stays.
    """
    state = {name: part.state_dict() for name, part in parts.items()}
    write_state(path, {"step": step, "course": course, **state})


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Return what ``save_checkpoint`` wrote.

    Raises:
        ValueError: It is no checkpoint, or a part of one.
    """
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except _DAMAGED as error:
        reason = (str(error).splitlines() or [""])[0] or type(error).__name__
    else:
        if isinstance(state, dict) and "step" in state:
            return state
        reason = "something else"
    raise ValueError(
        f"{path}: expected a whole checkpoint; got {reason}. Put back a copy of it, or remove it "
        "and begin anew without --resume"
    )


def load_checkpoint(path: Path, parts: Mapping[str, Any], course: str = "") -> int:
    """Load the parts' state if there is a checkpoint; return the step to go on with.

    Raises:
        ValueError: It is damaged, lacks one of the parts, or is of another course.
    """
    if not path.exists():
        return 0
    state = read_checkpoint(path)
    if state.get("course", course) != course:  # older versions kept none
        raise ValueError(
            f"{path}: expected a training of the same examples and first weights to go on with; "
            "got another one's. Remove it, or begin anew in another folder"
        )
    if missing := sorted(set(parts) - set(state)):
        raise ValueError(
            f"{path}: expected the state of {', '.join(parts)}; got none of {', '.join(missing)}: "
            "another version wrote it. Go on with that one, or begin anew in another folder"
        )
    for name, part in parts.items():
        part.load_state_dict(state[name])
    _log.info("going on from step %d of %s", state["step"], path)
    return int(state["step"])
