"""Read the npz files of the small networks, and refuse those that hold something else.

Each network names its arrays and their shapes; what is wrong with a file is said in one sentence,
with the command that makes a right one.
"""

import zipfile
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, np.ndarray]
Shape = tuple[int, ...]


def read_arrays(source: Path | Traversable, name: str, make: str) -> Arrays:
    """Return the arrays of an npz file as they are stored.

    Args:
        source: The file; of the package (``importlib.resources.files``) or anywhere.
        name: Of the network or table, for errors.
        make: Sentence for errors that says how such a file is made.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is no npz, a damaged one, or one of Python objects.
    """
    try:
        with source.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return {key: stored[key] for key in stored.files}
    except FileNotFoundError:
        raise FileNotFoundError(f"{name}: expected {source}; got no file. {make}") from None
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"{name}: expected an npz at {source}; got a damaged or another kind of file. {make}"
        ) from error


def find_wrong(found: Arrays, expected: Mapping[str, tuple[type, Shape]]) -> str:
    """Return what is wrong with the arrays of a file; empty if nothing is.

    Args:
        found: What the file holds.
        expected: By name its kind of number (``np.int8``, ``np.floating`` …) and its shape.
    """
    if missing := expected.keys() - found.keys():
        return f"no {', '.join(sorted(missing))}"
    if unknown := found.keys() - expected.keys():
        return f"{', '.join(sorted(unknown))} besides"
    for name, (kind, shape) in expected.items():
        array = found[name]
        if array.shape != shape or not np.issubdtype(array.dtype, kind):
            return f"{name} of {array.dtype} {array.shape} in the place of {shape}"
        if np.issubdtype(kind, np.number) and not np.isfinite(array).all():
            return f"numbers in {name} that are not finite"
    return ""


def load_weights(
    source: Path | Traversable, shapes: Mapping[str, Shape], name: str, make: str
) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a network, as float32.

    Args:
        source: As for ``read_arrays``.
        shapes: Of every array of numbers; the file holds these and nothing else.
        name: Of the network, for errors.
        make: Sentence for errors that says how such a file is made.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold finite weights of these shapes.
    """
    found = read_arrays(source, name, make)
    wrong = find_wrong(found, {key: (np.number, shape) for key, shape in shapes.items()})
    if wrong:
        raise ValueError(f"{name}: expected finite weights in {source}; got {wrong}. {make}")
    return {key: array.astype(np.float32) for key, array in found.items()}
