"""Read recorded motion, .npy or .csv → expressions (frames, 64), or poses (frames, 9), at 25 fps.

``.npy`` as numpy writes it, or ``.csv`` with a frame a line and commas between its numbers; a first
line of names is allowed. Expressions are the first 64 numbers of a frame of motion, poses the rest.
"""

import csv
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.dreamtalk.style import STYLE_FRAMES
from rt_avatar.engines.types import EXPRESSION_SIZE, FPS, POSE_SIZE
from rt_avatar.errors import SetupError

_LONGEST_BYTES: Final = 64 << 20  # some ten hours as .npy: nobody means that


def read_style_clip(path: Path) -> NDArray[np.float32]:
    """Return (frames, 64) expressions, the first 10 s of a longer file.

    Raises:
        SetupError: The file is missing, no file of expressions, or has another shape.
    """
    return _read(path, "expressions", EXPRESSION_SIZE)[:STYLE_FRAMES]


def read_pose_template(path: Path) -> NDArray[np.float32]:
    """Return (frames, 9) poses: angles, translations, and the crop's scale, x and y in pixels.

    Raises:
        SetupError: The file is missing, no file of poses, or has another shape.
    """
    rows = _read(path, "poses", POSE_SIZE)
    scale = rows[:, POSE_SIZE - 3]
    if (scale <= 0).any():
        raise SetupError(
            f"{path}: expected the crop's scale in the seventh number of each frame, above 0; "
            f"got {scale.min():.3g}"
        )
    return rows


def _read(path: Path, what: str, size: int) -> NDArray[np.float32]:
    if path.suffix.lower() not in _READERS:
        raise SetupError(f"{path}: expected {what} in a file ending in {' or '.join(_READERS)}")
    try:
        if path.stat().st_size > _LONGEST_BYTES:
            raise SetupError(f"{path}: expected {what}, got a file above 64 MB")
        rows = _READERS[path.suffix.lower()](path)
    except OSError as error:
        raise SetupError(f"{path}: expected {what}; {error.strerror or error}") from error
    except (ValueError, EOFError, csv.Error) as error:
        raise SetupError(f"{path}: expected numbers; got {error}") from error
    if rows.ndim != 2 or rows.shape[1] != size or not len(rows):
        raise SetupError(
            f"{path}: expected (frames, {size}) numbers, {FPS} frames a second; got {rows.shape}"
        )
    with np.errstate(over="ignore"):  # what is too large is told as infinity
        numbers = rows.astype(np.float32)
    if not np.isfinite(numbers).all():
        raise SetupError(f"{path}: expected finite numbers; got NaN or infinity")
    return numbers


def _npy(path: Path) -> NDArray[np.generic]:
    found = np.load(path, allow_pickle=False)
    if not isinstance(found, np.ndarray) or not np.issubdtype(found.dtype, np.number):
        raise ValueError(f"{getattr(found, 'dtype', type(found).__name__)}")
    if np.issubdtype(found.dtype, np.complexfloating):
        raise ValueError(str(found.dtype))
    return found


def _csv(path: Path) -> NDArray[np.generic]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = [line for line in csv.reader(file) if line]
    if lines and not _is_number(lines[0][0]):
        lines = lines[1:]
    if len({len(line) for line in lines}) > 1:
        raise ValueError("lines of different lengths")
    return np.array([[float(cell) for cell in line] for line in lines], np.float64)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


_READERS: Final = {".npy": _npy, ".csv": _csv}
