"""Read published files safely: tensors and plain containers of them, nothing that runs.

A ``.pth`` or ``.bin`` is a pickle, which could run any program when it is read. torch's restricted
reader is used and no other: what is more than tensors, numbers, text and containers is refused.
One thing is passed over: what numpy or torch left there when the training was saved, such as a loss
as a numpy number. In its place stands an object that can do nothing.
"""

import contextlib
import pickle
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from rt_avatar.engines.checkpoints import WEIGHTS
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.lazy_weights import LazyWeights, lazy_file, lazy_state
from rt_avatar.engines.networks.loading import State

Tree = Mapping[str, Any]  # a state dict, or a dictionary of them

_INCOMPLETE: Final = "Is the file complete, and is it the one of that name?"
# What torch's reader raises over files that are damaged, found by damaging some.
_DAMAGE: Final = (
    RuntimeError, OSError, EOFError, LookupError, ValueError, TypeError, AttributeError,
    AssertionError, zipfile.BadZipFile, struct.error,
)  # fmt: skip
_ASKED: Final = re.compile(r"unsupported global:?(?: global)? (\S+)", re.IGNORECASE)
# Beside its weights a training may save its schedule and its losses, which name these.
_LEFT_OVERS: Final = re.compile(r"(numpy|torch\.optim)\..+|builtins\.(getattr|dict)")
_FILLED_DICT: Final = "collections.defaultdict"


class LeftOver:
    """Stands for an object that is not made: takes whatever it is given and keeps nothing."""

    def __new__(cls, *given: object) -> "LeftOver":
        """Ignore what it would be made of."""
        return super().__new__(cls)

    def __init__(self, *given: object) -> None:
        """Ignore it once more."""

    def __setstate__(self, state: object) -> None:
        """Ignore what it would hold."""


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


def lazy_tensors(path: Path) -> LazyWeights:
    """Return the tensors of a published file by key; each read opens the file and lets go of it.

    So no more of it stays mapped than the one tensor. Pickles from before torch wrote zip files
    are held whole: they cannot be mapped.

    Raises:
        CheckpointError: As ``read_tree``.
    """
    tree = only_tensors(read_tree(path), str(path))
    if path.suffix == WEIGHTS:
        return lazy_file(path, tree)
    if not zipfile.is_zipfile(path):
        return lazy_state(tree)

    def reader(key: str) -> Callable[[], Tensor]:
        def read() -> Tensor:
            tensor: Tensor = read_tree(path)[key]
            return tensor

        return read

    return {key: reader(key) for key in tree}


def read_tensor(path: Path) -> Tensor:
    """Return the one tensor that a published file holds.

    Raises:
        CheckpointError: It is missing, cut short, or holds something else. That was not run.
    """
    if not path.is_file():
        raise CheckpointError(f"{path}: expected a file, got none")
    value = _read_pickle(path)
    if (kind := _not_plain(value)) or not isinstance(value, Tensor):
        raise CheckpointError(f"{path}: expected a tensor, got {kind}", mend=_INCOMPLETE)
    return value


def only_tensors(tree: Tree, what: str) -> State:
    """Return the tree as a state dict.

    Raises:
        CheckpointError: Something in it is no tensor, or one without plain numbers: sparse,
            quantised, or empty of memory.
    """
    others = [f"{key} ({kind})" for key, value in tree.items() if (kind := _not_plain(value))]
    if others:
        raise CheckpointError(f"{what}: expected tensors only", unexpected=others)
    return dict(tree)


def _not_plain(value: object) -> str:
    """Return what a value is if it is no tensor of plain numbers, else ""."""
    if not isinstance(value, Tensor):
        return type(value).__name__
    if value.layout is not torch.strided:
        return str(value.layout)
    if value.is_quantized or value.is_meta or value.is_complex():
        return f"{value.dtype} on {value.device}"
    return ""


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
    damaged = CheckpointError(
        f"{path}: expected a checkpoint, got something else or a part of one", mend=_INCOMPLETE
    )
    try:
        with _passed_over(path):
            return torch.load(
                path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path)
            )
    except pickle.UnpicklingError as error:
        if found := _ASKED.search(str(error)):
            raise CheckpointError(
                f"{path}: expected tensors only; it also asks for {found[1]}, which was not run",
                mend="Take the file from its own authors.",
            ) from error
        raise damaged from error
    except PermissionError as error:
        raise CheckpointError(f"{path}: expected a file to read, got: {error}") from error
    except _DAMAGE as error:
        raise damaged from error


@contextlib.contextmanager
def _passed_over(path: Path) -> Iterator[None]:
    """Let what a training left in the file be read as ``LeftOver``, and silence warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pickles that it does not know; they are refused
        asked = []
        if zipfile.is_zipfile(path):  # of others torch cannot tell
            asked = torch.serialization.get_unsafe_globals_in_checkpoint(path)
        known = [(LeftOver, name) for name in asked if _LEFT_OVERS.fullmatch(name)]
        filled = [(_new_dict, name) for name in asked if name == _FILLED_DICT]
        with torch.serialization.safe_globals([*known, *filled]):
            yield


def _new_dict(*given: object) -> dict[object, object]:
    """Stand for a dictionary that makes its values itself; this one does not."""
    return {}
