"""Kokoro's published style tables: ``voices/*.pt`` → tensors beside the network's → arrays.

Imported, they lie in one file with the network that they belong to.
"""

from pathlib import Path
from typing import Final

import numpy as np
import safetensors
from numpy.typing import NDArray
from torch import nn

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.files import read_tensor
from rt_avatar.engines.networks.loading import State, load_strict
from rt_avatar.engines.styletts2.tables import check_tables

FOLDER: Final = "voices"
_PREFIX: Final = "voices."  # of their keys among imported tensors
_MEND: Final = (
    "Let all of it be fetched: rt-avatar models fetch kokoro-82m; or lay the published folder "
    "voices beside the file."
)


def read_published_tables(checkpoint: Path) -> tuple[State, list[Path]]:
    """Return the tables beside a published checkpoint by their keys, and the files they are of.

    Raises:
        CheckpointError: There is none, or one is no table.
    """
    files = sorted((checkpoint.parent / FOLDER).glob("*.pt"))
    if not files:
        raise CheckpointError(
            f"{checkpoint.parent}: expected the style tables {FOLDER}/*.pt beside "
            f"{checkpoint.name}, got none",
            mend=_MEND,
        )
    state = {f"{_PREFIX}{file.stem}": read_tensor(file).float() for file in files}
    try:
        check_tables({key.removeprefix(_PREFIX): table.numpy() for key, table in state.items()})
    except ValueError as error:
        raise CheckpointError(f"{checkpoint.parent / FOLDER}: {error}", mend=_MEND) from error
    return state, files


def load_without_tables(network: nn.Module, state: State) -> None:
    """Fill a network with imported tensors, of which the style tables are not its own.

    Raises:
        CheckpointError: The others do not fit.
    """
    load_strict(network, {key: state[key] for key in state if not key.startswith(_PREFIX)})


def imported_tables(weights: Path) -> dict[str, NDArray[np.float32]]:
    """Return the style tables of an import, by voice.

    Raises:
        CheckpointError: It has none: it was imported without them.
    """
    with safetensors.safe_open(weights, framework="numpy") as file:
        tables = {
            key.removeprefix(_PREFIX): file.get_tensor(key)
            for key in file.keys()  # noqa: SIM118 (it is no mapping)
            if key.startswith(_PREFIX)
        }
    if not tables:
        raise CheckpointError(f"{weights}: expected style tables, got none", mend=_MEND)
    return tables
