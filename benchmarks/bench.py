"""One benchmark, run, shown and kept: its table, its last line, its JSON file."""

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.catalogue import find
from benchmarks.result import Result, record, save

RESULTS: Final = Path("benchmarks/results")


def run(name: str, arguments: argparse.Namespace) -> Path:
    """Measure, print the table and the line ``bench NAME key=value …``; return the JSON file.

    Args:
        name: Of the benchmark.
        arguments: As its ``add_arguments`` declares, with ``quick``, ``flags`` and ``results``.
    """
    started, begin = datetime.now(UTC), time.perf_counter()
    result = find(name).measure(arguments)
    duration_s = time.perf_counter() - begin
    given = {key: value for key, value in vars(arguments).items() if value not in (None, (), "")}
    path = save(record(result, started, duration_s, given), arguments.results)
    show(result, path)
    return path


def show(result: Result, path: Path) -> None:
    """Print a result on stdout; the last line is for scripts."""
    table = Table(*result.columns)
    for row in result.rows:
        table.add_row(*row)
    console = Console(width=120)
    console.print(table)
    for note in result.notes:
        console.print(f"· {note}", highlight=False, markup=False)
    console.print(f"kept in {path}", highlight=False, markup=False)
    line = " ".join(f"{key}={value:.4g}" for key, value in result.figures.items())
    console.print(f"bench {result.name} {line}", soft_wrap=True, highlight=False, markup=False)
