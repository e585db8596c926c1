"""Loads published renderers (``net_G_ema``) → ``FaceGenerator``, key for key."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.pirender.config import OFFICIAL
from rt_avatar.engines.networks.pirender.generator import FaceGenerator

SECTION: Final = "net_G_ema"  # of the published files

KeyTable = dict[str, dict[str, tuple[int, ...]]]  # section → name of a tensor → its shape


def key_table() -> KeyTable:
    """Return the tensors of the published files that we use, by the names they have there."""
    with torch.device("meta"):
        state = FaceGenerator(OFFICIAL).state_dict()
    return {SECTION: {name: tuple(value.shape) for name, value in state.items()}}


def load_renderer(module: FaceGenerator, state: Mapping[str, Tensor]) -> None:
    """Load the tensors of the file's section ``net_G_ema``, those that nothing uses included.

    Raises:
        CheckpointError: Keys are missing or unexpected, shapes differ, or a number is not finite.
    """
    for name, value in state.items():
        if value.is_floating_point() and not value.isfinite().all():
            raise CheckpointError(f"FaceGenerator: {name} holds NaN or infinity")
    load_strict(module, state)
