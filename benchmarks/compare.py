"""Two results of one benchmark, figure by figure: better, worse or the same.

"Changed" is only what the spread of the samples cannot explain. Where no samples are known, it is
what differs by more than 5 %, and the table says so.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rt_avatar.benchmarks.result import BUSY, PUBLISHED, Run, load, newest
from rt_avatar.benchmarks.spread import find_source, interval
from rt_avatar.errors import BadInputError

Verdict = Literal["better", "worse", "same", "differs", "only before", "only after"]

LEAST_PERCENT: Final = 1.0  # less is no change that anybody could notice, however sure it is
UNKNOWN_PERCENT: Final = 5.0  # without samples
BUSY_PERCENT: Final = 10.0
COLOURS: Final[Mapping[str, str]] = {"better": "green", "worse": "red", "same": ""}
ADVICE: Final = (
    "In [ ] the ratio's 95 % interval from the spread within the two runs: of twenty figures that "
    "did not change, one is called changed. Runs differ among themselves, too: measure again "
    "before believing a small change."
)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one figure.

    Attributes:
        figure: Its key.
        before: NaN if it was not measured.
        after: NaN if it was not measured.
        verdict: What to think of it.
        percent: How much worse (above 0) or better (below 0); of neutral ones how much more.
        interval: 95 % interval of the ratio; None if it is not known or there is no ratio.
        is_spread_known: Whether samples stand behind the verdict.
    """

    figure: str
    before: float
    after: float
    verdict: Verdict
    percent: float = 0.0
    interval: tuple[float, float] | None = None
    is_spread_known: bool = False

    @property
    def ratio(self) -> float:
        """After ÷ before; NaN if there is none."""
        return self.after / self.before if self.before * self.after > 0 else math.nan


def compare(before: Run, after: Run) -> list[Change]:
    """Compare the figures of two runs.

    Raises:
        BadInputError: They are of different benchmarks.
    """
    first, second = before.result, after.result
    if first.name != second.name:
        raise BadInputError(
            f"expected two results of one benchmark; got {first.name} and {second.name}"
        )
    figures = [*second.figures, *(key for key in first.figures if key not in second.figures)]
    return [_change(figure, before, after) for figure in figures]


def _change(figure: str, before: Run, after: Run) -> Change:
    first, second = before.result, after.result
    old, new = (result.figures.get(figure, math.nan) for result in (first, second))
    if math.isnan(old) or math.isnan(new):
        gone: Verdict = "only before" if math.isnan(new) else "only after"
        # What could no longer be measured is as bad as can be; a figure that was given up is not.
        is_lost = gone == "only before" and figure in second.figures
        return Change(
            figure, old, new, "same" if math.isnan(old) and math.isnan(new) else gone,
            math.inf if is_lost and figure not in second.neutral else 0.0,
        )  # fmt: skip
    more = _percent_more(abs(old), abs(new))
    if figure in second.neutral:
        return Change(figure, old, new, "same" if old == new else "differs", more)
    percent = -more if figure in second.higher_is_better else more
    source = find_source(figure, (old, new), first.samples, second.samples)
    if source is None:
        is_changed, ends = abs(percent) > UNKNOWN_PERCENT, None
    else:
        ends, is_ratio = interval(source)
        excluded = 1.0 if is_ratio else 0.0
        is_changed = not ends[0] <= excluded <= ends[1] and abs(percent) >= LEAST_PERCENT
        ends = ends if is_ratio else None
    verdict: Verdict = "same"
    if is_changed:
        verdict = "worse" if percent > 0 else "better"
    return Change(figure, old, new, verdict, percent, ends, source is not None)


def _percent_more(old: float, new: float) -> float:
    if old == 0:
        return 0.0 if new == 0 else math.inf
    return 100 * (new / old - 1)


def differences(before: Run, after: Run) -> list[str]:
    """Return what besides the code differs between two runs, or makes them doubtful."""
    found = []
    for what, first, second in (
        ("machine", before.machine, after.machine),
        ("arguments", before.arguments, after.arguments),
        ("versions", before.versions, after.versions),
    ):
        differing = [
            f"{key} {first.get(key, '–')} → {second.get(key, '–')}"
            for key in dict.fromkeys([*first, *second])
            if first.get(key) != second.get(key) and key not in (BUSY, "rt-avatar")
        ]
        if differing:
            found.append(f"other {what}: {', '.join(differing)}")
    for when, run in (("earlier", before), ("later", after)):
        busy = _busy_percent(run.machine)
        if busy > BUSY_PERCENT:
            found.append(f"the machine was {busy:.0f} % busy already before the {when} run")
    return found


def _busy_percent(machine: Mapping[str, Any]) -> float:
    busy = machine.get(BUSY, 0.0)
    return float(busy) if isinstance(busy, int | float) else 0.0


# --- which two ----------------------------------------------------------------------------------
def pairs(words: Sequence[str], results: Path) -> list[tuple[Run, Run]]:
    """Return the runs to compare, earlier and later.

    Args:
        words: Two files or names; one (against the run before it, or the published one); or none:
            every benchmark that was measured twice, or once and published.
        results: Folder of local results.

    Raises:
        BadInputError: There is nothing to compare.
    """
    found = newest(results)
    if len(words) > 2:
        raise BadInputError(f"compare: expected at most two results, got {len(words)}")
    if len(words) == 2:
        return [(load(_resolve(words[0], found)), load(_resolve(words[1], found)))]
    if words and words[0].endswith(".json"):
        after = load(Path(words[0]))
        return [(load(_published(after.result.name)), after)]
    if words:
        _resolve(words[0], found)
        return [_last_two(words[0], found[words[0]])]
    two = [
        _last_two(name, paths)
        for name, paths in found.items()
        if len(paths) > 1 or _published(name).is_file()
    ]
    if not two:
        raise BadInputError(
            f"compare: expected two results of a benchmark in {results}, found none; measure twice "
            "(rt-avatar bench NAME), or name two files"
        )
    return two


def _last_two(name: str, paths: Sequence[Path]) -> tuple[Run, Run]:
    if len(paths) == 1 and not _published(name).is_file():
        raise BadInputError(
            f"compare: expected two results of {name}, found {paths[0]} alone; measure once more: "
            f"rt-avatar bench {name}"
        )
    return load(paths[-2] if len(paths) > 1 else _published(name)), load(paths[-1])


def _resolve(word: str, found: Mapping[str, Sequence[Path]]) -> Path:
    """A file, or the newest result of a name."""
    if word.endswith(".json"):
        return Path(word)
    if word not in found:
        raise BadInputError(
            f"compare: expected a file or the name of a benchmark with results "
            f"({', '.join(found) or 'there is none'}); got {word!r}"
        )
    return found[word][-1]


def _published(name: str) -> Path:
    return PUBLISHED / f"{name}.json"


# --- shown --------------------------------------------------------------------------------------
def show(before: Run, after: Run, changes: Sequence[Change], console: Console) -> None:
    """Print the comparison; the last line is for scripts."""
    for text in differences(before, after):
        console.print(f"! {text}", style="yellow", markup=False, highlight=False)
    table = Table("figure", title=f"{after.result.name}: {_when(before)} → {_when(after)}")
    for column in ("before", "after", "ratio"):
        table.add_column(column, justify="right")
    table.add_column("verdict")
    for change in changes:
        table.add_row(
            change.figure,
            shown_number(change.before),
            shown_number(change.after),
            _shown_ratio(change),
            Text(_shown_verdict(change), COLOURS.get(change.verdict, "yellow")),
        )
    console.print(table)
    if any(change.interval for change in changes):
        console.print(ADVICE, markup=False, highlight=False)
    counts = {
        verdict: sum(change.verdict == verdict for change in changes)
        for verdict in ("better", "worse", "same")
    }
    line = " ".join(f"{verdict}={count}" for verdict, count in counts.items())
    console.print(f"compare {after.result.name} {line}", highlight=False)


def shown_number(value: float) -> str:
    """Return a figure as people read it: four digits, no more; a dash if it is none."""
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _when(run: Run) -> str:
    return f"{run.started[:16].replace('T', ' ')} ({run.commit or 'no commit'})"


def _shown_ratio(change: Change) -> str:
    if math.isnan(change.ratio):
        return "–"
    if change.interval is None:
        return f"{change.ratio:.2f}"
    low, high = change.interval
    return f"{change.ratio:.2f} [{low:.2f}, {high:.2f}]"


def _shown_verdict(change: Change) -> str:
    is_judged = change.verdict in ("better", "worse", "same")
    is_plain = change.before == change.after or change.is_spread_known or not is_judged
    return change.verdict if is_plain else f"{change.verdict} (no spread known)"
