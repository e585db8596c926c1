"""A settings file → plain data. Every key is there once: PyYAML would keep the last alone."""

from pathlib import Path
from typing import Any, Final, cast

import yaml

from rt_avatar.config.secrets import shown_name
from rt_avatar.errors import SetupError

_MERGE: Final = "tag:yaml.org,2002:merge"  # <<, which may be there several times


def read_yaml(file: Path) -> object:
    """Return what a file holds; None where that is nothing.

    Raises:
        SetupError: It cannot be read, is no YAML, or says something twice.
    """
    try:
        return yaml.load(file.read_text(encoding="utf-8"), _OnceLoader)
    except OSError as error:
        raise SetupError(f"config file {file}: cannot be read ({error.strerror})") from error
    except _RepeatedKeyError as error:
        raise SetupError(
            f"config file {file}: expected every key once; got {shown_name(error.key)!r} again"
            f"{_place(error)}; put together what belongs together"
        ) from None
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date of no calendar, 0x_
        # Not in the error's words: they quote the file, and what is secret in it.
        raise SetupError(
            f"config file {file}: expected YAML, got something else{_place(error)}"
        ) from None


def _place(error: Exception) -> str:
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    return f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""


class _RepeatedKeyError(yaml.MarkedYAMLError):
    """A key is there twice."""

    def __init__(self, key: str, mark: yaml.Mark) -> None:
        super().__init__(problem_mark=mark)
        self.key = key


class _OnceLoader(yaml.SafeLoader):
    """Plain data alone, as ``yaml.SafeLoader``."""

    def compose_mapping_node(self, anchor: object) -> yaml.MappingNode:
        """Return a mapping's nodes, before merges add others' keys to them."""
        node = super().compose_mapping_node(cast("dict[Any, yaml.Node]", anchor))
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                continue
            if key.value in seen:
                raise _RepeatedKeyError(key.value, key.start_mark)
            seen.add(key.value)
        return node
