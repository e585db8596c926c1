"""Find the folders and files of users' homes: ``~/x``, ``~name/x`` → the path that is meant."""

from pathlib import Path

from rt_avatar.errors import SetupError


def expand_home(path: str | Path) -> Path:
    """Return a path whose beginning ``~`` or ``~name`` is a home folder, as the system knows it.

    Raises:
        SetupError: It knows none.
    """
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise SetupError(f"expected a place; {path} is none, for {error}") from error
