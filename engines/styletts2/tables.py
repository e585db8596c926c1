"""The file beside an exported Kokoro: style tables, and what no graph holds of its generator."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.styletts2.speaker import WindowShape
from rt_avatar.engines.styletts2.windows import SourceLayout

Tables: TypeAlias = Mapping[str, NDArray[np.float32]]  # by voice: (510, 1, S)

TABLES: Final = "voices.npz"
ROWS: Final = 510  # by the number of phonemes, less one
_TABLE: Final = "table."


def write_tables(path: Path, shape: WindowShape, tables: Tables) -> None:
    """Write the file; it is there only when it is whole.

    Args:
        path: Of the file.
        shape: Of the generator.
        tables: (510, 1, S) by the name of the voice.
    """
    arrays: dict[str, Any] = {f"{_TABLE}{name}": table for name, table in tables.items()}
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        np.savez(file, **arrays, **window_arrays(shape))
    part.replace(path)


def read_tables(path: Path) -> tuple[WindowShape, dict[str, NDArray[np.float32]]]:
    """Return what ``write_tables`` wrote.

    Raises:
        ValueError, KeyError, EOFError, BadZipFile: It is something else.
    """
    with np.load(path, allow_pickle=False) as stored:
        tables = {
            name.removeprefix(_TABLE): stored[name].astype(np.float32)
            for name in stored.files
            if name.startswith(_TABLE)
        }
        shape = window_shape(stored)
    check_tables(tables)
    return shape, tables


def check_tables(tables: Tables) -> None:
    """Check that tables are a voice's.

    Raises:
        ValueError: There is none, or one has another shape or numbers that are none.
    """
    if not tables:
        raise ValueError("style tables: expected one at least, got none")
    size = next(iter(tables.values())).shape[-1]
    for name, table in tables.items():
        if table.shape != (ROWS, 1, size) or not np.isfinite(table).all():
            raise ValueError(
                f"style table {name}: expected ({ROWS}, 1, {size}) finite numbers; "
                f"got {table.shape}"
            )


def window_arrays(shape: WindowShape) -> dict[str, Any]:
    """Return the shape as arrays by name."""
    return {
        "window.columns": np.int64(shape.layout.columns),
        "window.extra": np.int64(shape.layout.extra),
        "window.moment_channels": np.int64(shape.moment_channels),
        "window.weight": shape.weight,
        "window.bias": np.float64(shape.bias),
    }


def window_shape(arrays: Mapping[str, NDArray[Any]]) -> WindowShape:
    """Return the shape of such arrays.

    Raises:
        KeyError: One is missing.
    """
    return WindowShape(
        SourceLayout(int(arrays["window.columns"]), int(arrays["window.extra"])),
        int(arrays["window.moment_channels"]),
        arrays["window.weight"].astype(np.float32),
        float(arrays["window.bias"]),
    )
