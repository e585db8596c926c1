"""The benchmarks by name. A benchmark is a module with a docstring and two functions.

    def add_arguments(parser: argparse.ArgumentParser) -> None
    def measure(arguments: argparse.Namespace) -> Result

``arguments`` also has ``quick`` (a form under two minutes is wanted) and ``flags`` (settings for
the server, as ``--key value`` words). The docstring's first line is the help, the whole the manual.
"""

import argparse
import importlib
from typing import Final, Protocol, cast

from benchmarks.result import Result
from rt_avatar.errors import SetupError

MODULES: Final = {
    "turn": "benchmarks.turn",
    "sync": "benchmarks.sync",
    "bargein": "benchmarks.bargein",
    "load": "benchmarks.load",
    "soak": "benchmarks.soak",
    "engines": "benchmarks.engines",
    "quality": "benchmarks.quality",
    "budget": "benchmarks.budget",
}


class Benchmark(Protocol):
    """What a module of a benchmark must have."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what can be chosen."""
        ...

    def measure(self, arguments: argparse.Namespace) -> Result:
        """Measure; show progress on stderr, print nothing else."""
        ...


def find(name: str) -> Benchmark:
    """Import a benchmark.

    Raises:
        SetupError: A package of the extra ``bench`` is missing.
    """
    try:
        return cast(Benchmark, importlib.import_module(MODULES[name]))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("benchmarks", "rt_avatar", "engines"):
            raise
        raise SetupError(
            f"benchmark {name}: expected the package {error.name}, found none; "
            "install the extra: pip install 'rt-avatar[bench]'"
        ) from error
