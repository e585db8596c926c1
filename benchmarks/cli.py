"""``rt-avatar bench``: measure one promise or all, compare two results, make a report.

Only the benchmark asked for is imported. Words ``--section.key VALUE`` are settings of the server
that is measured; they are checked here, before anything starts.
"""

import argparse
import difflib
import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.bench import RESULTS, run
from benchmarks.catalogue import BENCHMARKS, Benchmark, find, summary
from rt_avatar.config_loader import all_keys, as_dict, load_settings
from rt_avatar.errors import SetupError

OTHERS = {
    "all": "All of them, one after the other.",
}


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar bench`` with these words; return the exit status.

    Raises:
        SetupError: There is no such benchmark or setting, or a package is missing.
        BadInputError: A file is no result.
    """
    name, *rest = words or [""]
    if name in ("", "-h", "--help"):
        list_benchmarks()
    elif name in BENCHMARKS:
        _measure(name, rest)
    else:
        known = [*BENCHMARKS, *OTHERS]
        raise SetupError(
            f"bench: expected one of {', '.join(known)}; got {name!r}{_nearest(name, known)}"
        )
    return 0


def list_benchmarks() -> None:
    """Print what can be measured."""
    table = Table("name", "what it measures", "takes", "--quick", title="rt-avatar bench NAME")
    for name, entry in BENCHMARKS.items():
        table.add_row(name, summary(name), entry.takes, entry.takes_quick)
    table.add_section()
    for name, text in OTHERS.items():
        table.add_row(name, text)
    console = Console()
    console.print(table)
    console.print("The manual of one: rt-avatar bench NAME --help", highlight=False)


# --- one ----------------------------------------------------------------------------------------
def _measure(name: str, words: Sequence[str]) -> None:
    left, flags = split_settings(words)
    parser = benchmark_parser(name, find(name))
    arguments, unknown = parser.parse_known_args(left)
    if unknown:
        parser.error(f"unrecognized argument: {unknown[0]}{_nearest(unknown[0], _options(parser))}")
    settings = as_dict(load_settings(arguments.config, flags=flags))
    changed = {
        path: str(value)
        for path, key in all_keys().items()
        for section, leaf in [path.split(".")]
        if (value := settings[section][leaf]) != key.default
    }
    if arguments.config is not None:
        arguments.flags = ("--config", str(arguments.config))
    else:
        arguments.flags = ()
    arguments.flags += tuple(word for key in flags for word in (f"--{key}", flags[key]))
    run(name, arguments, changed)


def benchmark_parser(name: str, benchmark: Benchmark) -> argparse.ArgumentParser:
    """Return the parser of a benchmark's own options; its manual is the docstring."""
    parser = argparse.ArgumentParser(
        prog=f"rt-avatar bench {name}",
        description=inspect.cleandoc(benchmark.__doc__ or ""),
        epilog="Settings of the server that is measured: --section.key VALUE; "
        "rt-avatar config --keys lists them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_common(parser)
    benchmark.add_arguments(parser)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="a form under two minutes")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FOLDER", help=f"keep it there [{RESULTS}]"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="YAML file with settings")


def split_settings(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the words that are no settings, and the settings ``section.key`` → text."""
    left: list[str] = []
    flags: dict[str, str] = {}
    remaining = iter(words)
    for word in remaining:
        name, has_value, value = word.removeprefix("--").partition("=")
        if word.startswith("--") and "." in name:
            flags[name] = value if has_value else next(remaining, "")
        else:
            left.append(word)
    return left, flags


# --- words --------------------------------------------------------------------------------------
def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings]


def _nearest(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""
