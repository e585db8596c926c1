"""Read published files safely: tensors and plain containers of them, nothing that runs.

A ``.pth`` or ``.bin`` is a pickle, which could run any program when it is read. torch's restricted
reader is used and no other: what is more than tensors, numbers, text and containers is refused.
"""

import pickle
import re
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from engines.checkpoints import WEIGHTS
from engines.checkpoints_errors import CheckpointError
from engines.networks.loading import State

Tree = Mapping[str, Any]  # a state dict, or a dictionary of them

_INCOMPLETE: Final = "Is the file complete, and is it the one of that name?"


def read_tree(path: Path) -> Tree:
    """Return what a published file holds: tensors by name, or dictionaries of them.

    Raises:
        CheckpointError: It is missing, cut short, no checkpoint, or holds more than tensors. The
            more was not run.
    """
    if not path.is_file():
        raise CheckpointError(f"{path}: expected a file, got none")
    tree = _read_safetensors(path) if path.suffix == WEIGHTS else _read_pickle(path)
    if not isinstance(tree, Mapping) or not all(isinstance(key, str) for key in tree):
        raise CheckpointError(
            f"{path}: expected tensors by name, got {type(tree).__name__}", mend=_INCOMPLETE
        )
    return tree


def only_tensors(tree: Tree, what: str) -> State:
    """Return the tree as a state dict.

    Raises:
        CheckpointError: Something in it is no tensor.
    """
    others = [f"{key} ({type(value).__name__})" for key, value in tree.items()
              if not isinstance(value, Tensor)]  # fmt: skip
    if others:
        raise CheckpointError(f"{what}: expected tensors only", unexpected=others)
    return dict(tree)


def section(tree: Tree, name: str, what: str) -> Tree:
    """Return the dictionary under ``name``.

    Raises:
        CheckpointError: There is none.
    """
    found = tree.get(name)
    if not isinstance(found, Mapping):
        raise CheckpointError(
            f"{what}: expected a file with the section {name!r}; got {', '.join(list(tree)[:5])}",
            missing=[name],
            mend=_INCOMPLETE,
        )
    return found


def _read_safetensors(path: Path) -> Any:
    try:
        return safetensors.torch.load_file(path)
    except (safetensors.SafetensorError, OSError) as error:
        raise CheckpointError(
            f"{path}: expected a safetensors file, got: {error}", mend=_INCOMPLETE
        ) from error


def _read_pickle(path: Path) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pickles that it does not know; they are refused
            return torch.load(
                path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path)
            )
    except pickle.UnpicklingError as error:
        if found := re.search(r"unsupported GLOBAL (\S+)", str(error)):
            raise CheckpointError(
                f"{path}: expected tensors only; it also asks for {found[1]}, which was not run",
                mend="Take the file from its own authors.",
            ) from error
        raise CheckpointError(
            f"{path}: expected a checkpoint, got something else or a part of one",
            mend=_INCOMPLETE,
        ) from error
    except (RuntimeError, OSError, EOFError, ValueError, KeyError, AttributeError) as error:
        raise CheckpointError(
            f"{path}: expected a checkpoint, got something else or a part of one",
            mend=_INCOMPLETE,
        ) from error
