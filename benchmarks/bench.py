"""One benchmark, run, shown and kept: its table, its last line, its JSON file."""

import argparse
import re
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psutil
from rich.console import Console
from rich.table import Table

from rt_avatar.benchmarks.catalogue import find, missing
from rt_avatar.benchmarks.result import Result, record, save
from rt_avatar.engines.espeak import VoiceMissingError
from rt_avatar.errors import SetupError

RESULTS: Final = Path("benchmarks/results")
WIDTH: Final = 120  # columns; a table is the same in a file as in a terminal
LOOK_S: Final = 0.5  # how long the machine is looked at before measuring
BUSY_PERCENT: Final = 10.0  # of all cores: more than a desktop at rest does
UNMEASURED: Final = re.compile(r"\bnan\b")
NOT_OF_THE_RESULT: Final = ("results", "flags", "config")  # the settings are kept one by one


def run(name: str, arguments: argparse.Namespace, settings: Mapping[str, str]) -> Path:
    """Measure, print the table and the line ``bench NAME key=value …``; return the JSON file.

    Args:
        name: Of the benchmark.
        arguments: As its ``add_arguments`` declares, with ``quick``, ``flags`` and ``results``.
        settings: Those that are not the defaults, to be kept with the result.

    Raises:
        SetupError: A package of an extra is missing, or the result cannot be kept; where that is
            found out only afterwards, it is shown.
    """
    _check_folder(arguments.results)
    busy_percent = psutil.cpu_percent(LOOK_S)
    if busy_percent > BUSY_PERCENT:
        Console(stderr=True).print(
            f"! the machine is {busy_percent:.0f} % busy with something else: figures will be "
            "worse than on a machine at rest",
            style="yellow",
        )
    started, begin = datetime.now(UTC), time.perf_counter()
    try:
        result = find(name).measure(arguments)
    except ImportError as error:
        raise missing(f"benchmark {name}", error) from error
    except VoiceMissingError as error:  # of the extra espeak, which speaks for callers
        raise SetupError(f"benchmark {name}: {error}") from error
    duration_s = time.perf_counter() - begin
    run = record(result, started, duration_s, {**_given(arguments), **settings}, busy_percent)
    try:
        path = save(run, arguments.results)
    except OSError as error:
        show(result, None)
        raise SetupError(
            f"--results: expected room in {arguments.results}; got {error.strerror}. The result "
            "is shown, but not kept"
        ) from error
    show(result, path)
    return path


def show(result: Result, path: Path | None) -> None:
    """Print a result on stdout, and where it is kept; the last line is for scripts."""
    table = Table(*result.columns)
    for row in result.rows:
        table.add_row(*(shown(cell) for cell in row))
    console = Console(width=WIDTH)
    console.print(table, markup=False)
    for note in result.notes:
        console.print(f"· {note}", highlight=False, markup=False)
    if path is not None:
        console.print(f"kept in {path}", highlight=False, markup=False, soft_wrap=True)
    for line in last_lines(result):
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def last_lines(result: Result) -> list[str]:
    """Return ``bench NAME key=value …``: a line for each group of figures, one for the rest."""
    left = dict(result.figures)
    lines = []
    for group in result.groups:
        own = {key: left.pop(key) for key in result.figures if key.startswith(f"{group}_")}
        words = [f"{key.removeprefix(f'{group}_')}={value:.4g}" for key, value in own.items()]
        lines.append(" ".join((f"bench {result.name}", *words, f"of={group}")))
    rest = [f"{key}={value:.4g}" for key, value in left.items()]
    return [" ".join((f"bench {result.name}", *rest)), *lines] if rest else lines


def shown(cell: str) -> str:
    """Return a cell as people read it: what could not be measured is a dash."""
    return UNMEASURED.sub("–", cell)


def _check_folder(folder: Path) -> None:
    """Check that results can be written into a folder, before minutes are spent on one.

    Raises:
        SetupError: They cannot.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SetupError(
            f"--results: expected a folder to write to; got {folder} ({error.strerror}). Name "
            "another"
        ) from error


def _given(arguments: argparse.Namespace) -> dict[str, str]:
    """Arguments as they are kept: of a path its last name, since the rest is the machine's."""
    return {
        key: value.name if isinstance(value, Path) else str(value)
        for key, value in vars(arguments).items()
        if key not in NOT_OF_THE_RESULT and value not in (None, False, (), "")
    }
