"""The settings of the server that a benchmark measures, from the flags it was given."""

from collections.abc import Sequence
from pathlib import Path

from rt_avatar.config.loader import load_settings
from rt_avatar.config.settings import Settings


def settings_of(flags: Sequence[str]) -> Settings:
    """Return what a server started with ``--section.key VALUE …`` has.

    Raises:
        SetupError: A key or value is wrong.
    """
    given = dict(zip(flags[::2], flags[1::2], strict=True))
    config = given.pop("--config", None)
    named = {name.removeprefix("--"): value for name, value in given.items()}
    return load_settings(None if config is None else Path(config), flags=named)
