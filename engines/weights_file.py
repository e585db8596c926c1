"""Read the npz files of the small networks, and refuse those that hold something else.

Tables of bytes that are stored without compression are mapped into memory: only the rows that are
used are loaded, and processes share them. Who writes such a file anew replaces it, never in place.

Each network names its arrays and their shapes; what is wrong with a file is said in one sentence,
with the command that makes a right one.
"""

import struct
import zipfile
import zlib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, np.ndarray]
Shape = tuple[int, ...]
# Of a member of a zip file (PKWARE's APPNOTE, 4.3.7): the lengths of its name and extra field.
_LOCAL_HEADER: Final = struct.Struct("<26xHH")
_MAPPED_BYTES: Final = 2**16  # from which a table is worth a mapping
_CHECKED_BYTES: Final = 2**16  # read at once to compare the sum of a mapped table


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
            mapped = _map_tables(source, file) if isinstance(source, Path) else {}
            return {key: mapped[key] if key in mapped else stored[key] for key in stored.files}
    except FileNotFoundError:
        raise FileNotFoundError(f"{name}: expected {source}; got no file. {make}") from None
    except (OSError, ValueError, TypeError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise ValueError(
            f"{name}: expected an npz at {source}; got a damaged or another kind of file. {make}"
        ) from error


def _map_tables(path: Path, file: IO[bytes]) -> Arrays:
    """Return the large tables of an npz that can be mapped: of bytes, and not compressed.

    Numbers of several bytes begin anywhere in the file, which makes them slow where they lie.
    """
    found: Arrays = {}
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            if entry.compress_type != zipfile.ZIP_STORED or entry.file_size < _MAPPED_BYTES:
                continue
            with archive.open(entry) as member:
                while member.read(_CHECKED_BYTES):
                    pass  # the sum is compared at the end
            file.seek(entry.header_offset)
            file.seek(sum(_LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))), 1)
            if np.lib.format.read_magic(file) != (1, 0):
                continue
            shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
            if dtype.itemsize == 1 and not is_fortran:
                table = np.memmap(path, dtype, "r", file.tell(), shape)
                found[entry.filename.removesuffix(".npy")] = table.view(np.ndarray)
    return found


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
        if np.issubdtype(array.dtype, np.inexact) and not np.isfinite(array).all():
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
