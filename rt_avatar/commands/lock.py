"""One process at a time for what several cannot do at once, on one machine."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rt_avatar.errors import SetupError


@contextmanager
def locked(path: Path, refusal: str) -> Iterator[None]:
    """Hold a lock while inside; ``path`` is there meanwhile. It ends with the process, too.

    Raises:
        SetupError: Another process holds it; says ``refusal``.
        OSError: ``path`` cannot be written.
    """
    if sys.platform == "win32":  # no such lock
        yield
        return
    import fcntl

    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it may just have removed it: then it is nobody's lock any more.
            is_lost = not path.exists() or not os.path.samestat(os.fstat(file), path.stat())
        except BlockingIOError:
            is_lost = True
        if is_lost:
            raise SetupError(refusal)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(file)
