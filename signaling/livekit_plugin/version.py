"""The plug-in's version: it is released with the avatar's worker and speaks the same orders."""

from importlib.metadata import version
from typing import Final

__version__: Final = version("rt-avatar")
