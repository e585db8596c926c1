"""Files that are their owner's alone: mode 0600, in a folder of mode 0700, each under a name."""

import os
import re
import tempfile
import time
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def name_problem(name: str) -> str:
    """Return what is wrong with a name that shall be a file's, as a sentence; "" if nothing is."""
    if _NAME.fullmatch(name):
        return ""
    return f"name: expected 1 to 32 of a-z, 0-9 and '-', a letter or digit first; got {name[:40]!r}"


def write_private(path: Path, data: bytes) -> None:
    """Write a file; one of that name is replaced when the new one is whole."""
    folder = path.parent
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
        try:  # made with mode 0600
            part.write(data)
            part.flush()
            os.fsync(part.fileno())  # or a power cut leaves the name without what it names
            part.close()
            Path(part.name).replace(path)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise


def age_s(path: Path) -> float:
    """Return how many seconds ago a file was written; 0 where there is none."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
