"""The folders that ``rt-avatar train`` reads and writes: checked first, and one run in each.

Knows nothing of what lies in them.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rt_avatar.errors import SetupError

if sys.platform != "win32":
    import fcntl


def check_folder(path: Path, option: str) -> None:
    """Check that a folder to learn from is one.

    Raises:
        SetupError: It is missing or no folder.
    """
    if not path.is_dir():
        got = "a file" if path.exists() else "none"
        raise SetupError(f"{path}: expected a folder; got {got}. Name another with {option}")


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make a folder to write to, and keep other runs out of it; a dead one holds nothing.

    Raises:
        SetupError: It cannot be made or written to, or another run writes there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("ab")
    except OSError as error:
        raise SetupError(
            f"{folder}: expected a folder to write to; {reason(error)}. Name another with --out"
        ) from error
    with lock:
        _take(lock, folder)
        yield


def reason(error: OSError) -> str:
    """Return what the system or whoever raised it says."""
    if error.strerror is None:
        return str(error)
    return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"


def _take(lock: IO[bytes], folder: Path) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise SetupError(
            f"{folder}: expected no other training there; got one that runs. Wait for its end, or "
            "name another folder with --out"
        ) from error
    except OSError:  # some network file systems have no locks
        return
