"""``rt-avatar bench``: measure one promise or all, compare two results, make a report.

Only the benchmark asked for is imported. Words ``--section.key VALUE`` are settings of the server
that is measured; they are checked here, before anything starts.
"""

import argparse
import difflib
import inspect
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NoReturn

from rich.console import Console
from rich.table import Table

from rt_avatar.benchmarks.bench import RESULTS, WIDTH, run
from rt_avatar.benchmarks.bench_all import run_all, spawn
from rt_avatar.benchmarks.catalogue import BENCHMARKS, Benchmark, find, summary, takes
from rt_avatar.benchmarks.compare import compare, pairs, show
from rt_avatar.config.loader import all_keys, as_dict, load_settings
from rt_avatar.errors import SetupError

OTHERS: Final = {
    "all": "All of them, one after the other.",
    "compare": "Two results: what became better or worse, and what only looks so.",
    "report": "One HTML page of the newest results.",
}
EPILOG: Final = (
    "Settings of the server that is measured: --section.key VALUE; rt-avatar config --keys lists "
    "them."
)


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar bench`` with these words; return the exit status.

    Raises:
        SetupError: There is no such benchmark or setting, or a package is missing.
        BadInputError: A file is no result.
    """
    name, *rest = words or [""]
    with _ended_as_by_ctrl_c():
        if name in ("", "-h", "--help"):
            return list_benchmarks()
        if name in BENCHMARKS:
            return _measure(name, rest)
        if name == "all":
            return _measure_all(rest)
        if name == "compare":
            return _compare(rest)
        if name == "report":
            return _report(rest)
    known = [*BENCHMARKS, *OTHERS]
    raise SetupError(
        f"bench: expected one of {', '.join(known)}; got {name!r}{_nearest(name, known)}"
    )


@contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """Who ends this process politely ends the server that is measured, too."""
    signals = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, signal.default_int_handler) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def list_benchmarks() -> int:
    """Print what can be measured."""
    table = Table("name", "what it measures", "in full", title="rt-avatar bench NAME")
    for name in BENCHMARKS:
        table.add_row(name, summary(name), takes(name))
    table.add_section()
    for name, text in OTHERS.items():
        table.add_row(name, text)
    console = Console()
    console.print(table)
    console.print(
        "--quick takes under two minutes each. The manual of one: rt-avatar bench NAME --help",
        highlight=False,
    )
    return 0


# --- one ----------------------------------------------------------------------------------------
def _measure(name: str, words: Sequence[str]) -> int:
    left, flags = split_settings(words)
    parser = benchmark_parser(name, find(name))
    arguments, unknown = parser.parse_known_args(left)
    if unknown:
        _refuse(parser, unknown[0], _options(parser))
    kept = _changed_settings(arguments.config, flags)
    if arguments.config is not None:  # what runs in this process knows flags, but no files
        flags = {**_changed_settings(arguments.config, flags, hide_secrets=False), **flags}
    arguments.flags = tuple(_as_words(flags))
    run(name, arguments, kept)
    return 0


def _changed_settings(
    config: Path | None, flags: Mapping[str, str], *, hide_secrets: bool = True
) -> dict[str, str]:
    """Check the settings; return those that are not the defaults, wherever they come from."""
    tree = as_dict(load_settings(config, flags=flags), hide_secrets=hide_secrets)
    changed = {}
    for path, key in all_keys().items():
        section, name = path.split(".")
        value = tree[section][name]
        if value != key.default:
            changed[path] = ",".join(value) if isinstance(value, tuple | list) else str(value)
    return changed


def benchmark_parser(name: str, benchmark: Benchmark) -> argparse.ArgumentParser:
    """Return the parser of a benchmark's own options; its manual is the docstring."""
    parser = argparse.ArgumentParser(
        prog=f"rt-avatar bench {name}",
        description=inspect.cleandoc(benchmark.__doc__ or ""),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_common(parser)
    benchmark.add_arguments(parser)
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="a form under two minutes")
    _add_results(parser)
    parser.add_argument("--config", type=Path, metavar="FILE", help="YAML file with settings")


def _add_results(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--results",
        type=Path,
        default=RESULTS,
        metavar="FOLDER",
        help=f"where results are kept [{RESULTS}]",
    )


# --- all ----------------------------------------------------------------------------------------
def _measure_all(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="rt-avatar bench all",
        description="All benchmarks, one after the other. One that fails does not stop the others; "
        "the exit status is 1 then. Options of a benchmark go to those that have them.",
        epilog=EPILOG,
        allow_abbrev=False,
    )
    _add_common(parser)
    left, flags = split_settings(words)
    arguments, own = parser.parse_known_args(left)
    _changed_settings(arguments.config, flags)
    common = ["--results", str(arguments.results), *_as_words(flags)]
    if arguments.quick:
        common.append("--quick")
    if arguments.config is not None:
        common += ["--config", str(arguments.config)]
    shared = share_out(_grouped(own, parser), parser) if own else {}
    return run_all({name: [*common, *shared.get(name, ())] for name in BENCHMARKS}, spawn)


def share_out(
    groups: Sequence[Sequence[str]], parser: argparse.ArgumentParser
) -> dict[str, list[str]]:
    """Return name → those options that the benchmark has; ends if no benchmark has one.

    Args:
        groups: An option with its values each.
        parser: To complain with.
    """
    parsers = {}
    for name in BENCHMARKS:
        with suppress(SetupError):  # a package is missing; it will tell when its turn comes
            parsers[name] = benchmark_parser(name, find(name))
    shared: dict[str, list[str]] = {name: [] for name in BENCHMARKS}
    for group in groups:
        option = group[0].partition("=")[0]
        takers = [name for name in parsers if option in _options(parsers[name])]
        if not takers:
            known = {option for one in parsers.values() for option in _options(one)}
            _refuse(parser, group[0], known)
        for name in takers:
            shared[name] += group
    return shared


def _grouped(words: Sequence[str], parser: argparse.ArgumentParser) -> list[list[str]]:
    groups: list[list[str]] = []
    for word in words:
        if word.startswith("--"):
            groups.append([word])
        elif groups:
            groups[-1].append(word)
        else:
            _refuse(parser, word, ())
    return groups


# --- results ------------------------------------------------------------------------------------
def _compare(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="rt-avatar bench compare",
        description=f"{OTHERS['compare']} Two files; or a name: the newest against the one before, "
        "or against the published one; or nothing: every benchmark with two results.",
        allow_abbrev=False,
    )
    parser.add_argument("results_to_compare", nargs="*", metavar="FILE|NAME")
    _add_results(parser)
    parser.add_argument(
        "--fail-worse",
        type=float,
        metavar="PERCENT",
        help="status 1 if a figure is worse by more, or can no longer be measured",
    )
    arguments = parser.parse_args(words)
    console = Console(width=WIDTH) if not sys.stdout.isatty() else Console()
    worst = 0.0
    for before, after in pairs(arguments.results_to_compare, arguments.results):
        changes = compare(before, after)
        show(before, after, changes, console)
        bad = [each for each in changes if each.verdict in ("worse", "only before")]
        worst = max([worst, *(each.percent for each in bad)])
    return 1 if arguments.fail_worse is not None and worst > arguments.fail_worse else 0


def _report(words: Sequence[str]) -> int:
    from rt_avatar.benchmarks.report.page import choose, render  # loaded only when it is asked for

    parser = argparse.ArgumentParser(
        prog="rt-avatar bench report",
        description=f"{OTHERS['report']} It needs nothing else: no network and no script. Without "
        "local results it shows the published ones.",
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="results to show")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("report.html"), help="file to write [report.html]"
    )
    _add_results(parser)
    arguments = parser.parse_args(words)
    runs = choose(arguments.files, arguments.results)
    text = render(runs)
    try:
        arguments.output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SetupError(
            f"{arguments.output}: expected a file to write, got an error ({error.strerror})"
        ) from error
    names = ", ".join(run.result.name for run in runs)
    Console(soft_wrap=True).print(f"{arguments.output}: {names}", markup=False, highlight=False)
    return 0


# --- words --------------------------------------------------------------------------------------
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


def _as_words(flags: Mapping[str, str]) -> list[str]:
    return [word for key, value in flags.items() for word in (f"--{key}", value)]


def _refuse(parser: argparse.ArgumentParser, word: str, known: Iterable[str]) -> NoReturn:
    parser.error(f"unrecognized argument: {word}{_nearest(word, known)}")


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings]


def _nearest(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""
