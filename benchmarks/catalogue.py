"""The benchmarks by name. A benchmark is a module with a docstring and two functions.

    def add_arguments(parser: argparse.ArgumentParser) -> None
    def measure(arguments: argparse.Namespace) -> Result

``arguments`` also has ``quick`` (a form under two minutes is wanted) and ``flags`` (settings for
the server, as ``--key value`` words). The docstring's first line is the help, the whole the manual.
"""

import argparse
import ast
import importlib
import importlib.util
from pathlib import Path
from typing import Final, Protocol, cast

from rt_avatar.benchmarks.result import PUBLISHED, Result, load
from rt_avatar.errors import SetupError

OURS: Final = ("benchmarks", "rt_avatar", "engines", "signaling")
_EXTRAS: Final = {"livekit": "livekit", "torch": "train"}  # of packages that are not of bench


BENCHMARKS: Final = {
    "turn": "rt_avatar.benchmarks.turn.benchmark",
    "endpointing": "rt_avatar.benchmarks.endpointing.benchmark",
    "sync": "rt_avatar.benchmarks.sync.benchmark",
    "bargein": "rt_avatar.benchmarks.bargein.benchmark",
    "load": "rt_avatar.benchmarks.load.benchmark",
    "soak": "rt_avatar.benchmarks.soak.benchmark",
    "engines": "rt_avatar.benchmarks.engines.benchmark",
    "quality": "rt_avatar.benchmarks.quality.benchmark",
    "voice": "rt_avatar.benchmarks.voice.benchmark",
    "styles": "rt_avatar.benchmarks.voice.styles",
    "melody": "rt_avatar.benchmarks.voice.melody",
    "cloning": "rt_avatar.benchmarks.voice.cloning",
    "budget": "rt_avatar.benchmarks.budget.benchmark",
    "motion": "rt_avatar.benchmarks.motion.benchmark",
    "empathy": "rt_avatar.benchmarks.empathy.benchmark",
    "hearing": "rt_avatar.benchmarks.hearing.benchmark",
    "livekit": "rt_avatar.benchmarks.livekit.benchmark",
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
        SetupError: A package of an extra is missing.
    """
    try:
        return cast(Benchmark, importlib.import_module(BENCHMARKS[name]))
    except ImportError as error:
        raise missing(f"benchmark {name}", error) from error


def missing(what: str, error: ImportError) -> Exception:
    """Return what to raise for a package that is not installed; the same error if it is ours."""
    package = (error.name or "benchmarks").partition(".")[0]
    # An installed package has a livekit without rtc in it, by its own plug-in.
    is_lacking = isinstance(error, ModuleNotFoundError) or error.name == "livekit"
    if package in OURS or not is_lacking:
        return error
    return SetupError(
        f"{what}: expected the package {package}, found none; "
        f"install the extra: make install EXTRAS={_EXTRAS.get(package, 'bench')}"
    )


def base(name: str) -> str:
    """Return the benchmark of a result's name: ``turn`` of ``turn-peer``."""
    return name if name in BENCHMARKS else name.partition("-")[0]


def manual(name: str) -> str:
    """Return a benchmark's docstring without importing it; empty if there is none."""
    module = BENCHMARKS.get(base(name))
    spec = importlib.util.find_spec(module) if module else None
    if spec is None or spec.origin is None:
        return ""
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    return ast.get_docstring(tree) or ""


def summary(name: str) -> str:
    """Return what a benchmark is about, in one line."""
    return manual(name).partition("\n")[0]


def takes(name: str) -> str:
    """Return how long the published result took, in words; empty if there is none."""
    path = PUBLISHED / f"{name}.json"
    return f"{load(path).duration_s / 60:.0f} min" if path.is_file() else ""
