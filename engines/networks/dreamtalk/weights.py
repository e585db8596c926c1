"""Loads the published denoiser: ``denoising_network.pth`` → ``DreamTalk``, key for key."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.networks.loading import load_strict

SECTION: Final = "model_state_dict"  # of the published file
PREFIX: Final = "diff_net."  # what bears another name there was needed for training only

KeyTable = dict[str, dict[str, tuple[int, ...]]]  # section → name of a tensor → its shape


def key_table() -> KeyTable:
    """Return the tensors of the published file that we use, by the names they have there."""
    with torch.device("meta"):
        state = DreamTalk(OFFICIAL).state_dict()
    return {SECTION: {PREFIX + name: tuple(value.shape) for name, value in state.items()}}


def load_denoiser(module: DreamTalk, state: Mapping[str, Tensor]) -> None:
    """Load the tensors of the file's section ``model_state_dict``, or of a bare ``diff_net``.

    Args:
        module: The network; unchanged if the state does not fit.
        state: Names to tensors. Where names begin with ``diff_net.``, only those are looked at.

    Raises:
        CheckpointError: Keys are missing or unexpected, shapes differ, or a number is not finite.
    """
    inner = {
        name.removeprefix(PREFIX): value for name, value in state.items() if name.startswith(PREFIX)
    }
    wanted = inner or dict(state)
    for name, value in wanted.items():
        if value.is_floating_point() and not value.isfinite().all():
            raise CheckpointError(f"DreamTalk: {name} holds NaN or infinity")
    load_strict(module, wanted)
