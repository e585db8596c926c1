"""Names that a library keeps private: looked up when they are used, with a clear word if they went.

Only ``aiortc_private`` and ``livekit/agents_private`` look anything up; what else is here uses what
the libraries promise. A test holds every name against the installed versions.
"""

from importlib.metadata import version
from typing import Any

from rt_avatar.errors import SetupError


class LibraryChangedError(SetupError):
    """The installed version of a library keeps something elsewhere than the one we know."""

    def __init__(self, package: str, known: str, name: str, adapt: str) -> None:
        super().__init__(
            f"{package} {version(package)}: expected {name} as in {known}; it is not there. "
            f"Install {package} {known}, or adapt {adapt}"
        )


class PrivateNames:
    """What is looked up in one library.

    Args:
        package: Name of its distribution.
        known: The version whose names we use.
        adapt: The one file that has to be adapted to another version.
    """

    def __init__(self, package: str, known: str, adapt: str) -> None:
        self._package, self._known, self._adapt = package, known, adapt

    def get(self, holder: Any, name: str) -> Any:
        """Return an attribute.

        Raises:
            LibraryChangedError: There is none of that name.
        """
        try:
            return getattr(holder, name)
        except AttributeError as error:
            raise self.changed(f"{_name_of(holder)}.{name}") from error

    def replace(self, holder: Any, name: str, value: Any) -> None:
        """Set an attribute that is there.

        Raises:
            LibraryChangedError: There is none of that name.
        """
        self.get(holder, name)
        setattr(holder, name, value)

    def changed(self, name: str) -> LibraryChangedError:
        """Return the error for something that is not there."""
        return LibraryChangedError(self._package, self._known, name, self._adapt)


def _name_of(holder: Any) -> str:
    return str(getattr(holder, "__name__", type(holder).__name__))
