"""The report: results → one HTML page that needs nothing else, no network and no script."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rt_avatar.benchmarks.catalogue import BENCHMARKS, base
from rt_avatar.benchmarks.report import sections
from rt_avatar.benchmarks.report.promises import PROMISES, Kept, Promise, check_promises
from rt_avatar.benchmarks.report.sections import escape
from rt_avatar.benchmarks.result import BUSY, PUBLISHED, Run, load, newest
from rt_avatar.errors import BadInputError

# The last changes what the others say, for phones and paper.
STYLES: Final = tuple(
    Path(__file__).with_name(name) for name in ("page.css", "figures.css", "fitting.css")
)
FIRST_SOUND, SLOW_SOUND = PROMISES[:2]
BUSY_PERCENT: Final = 10.0


def choose(files: Sequence[Path], results: Path) -> list[Run]:
    """Return the runs of a report.

    Args:
        files: Those that are asked for; none: the newest of each benchmark, else the published.
        results: Folder of local results.

    Raises:
        BadInputError: A file is no result, or there is none.
    """
    files = files or [paths[-1] for paths in newest(results).values()]
    files = files or sorted(PUBLISHED.glob("*.json"))
    if not files:
        raise BadInputError(
            f"report: expected results in {results}, found none; measure first: "
            "rt-avatar bench all --quick"
        )
    return [load(path) for path in files]


def render(runs: Sequence[Run]) -> str:
    """Return the page, HTML.

    Args:
        runs: At least one; of several of one benchmark the last one tells of its promise.

    Raises:
        SetupError: matplotlib is missing.
    """
    order = list(BENCHMARKS)
    runs = sorted(runs, key=lambda run: _place(run.result.name, order))
    keys = _keys(runs)
    by_name = {run.result.name: run for run in runs}
    links = {run.result.name: key for key, run in zip(keys, runs, strict=True)}
    kept = check_promises(by_name)
    turn = next((run for run in by_name.values() if run.result.waterfall), None)
    body = "".join(
        sections.benchmark(run, key, with_waterfall=run is not turn and bool(run.result.waterfall))
        for key, run in zip(keys, runs, strict=True)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>rt-avatar, measured</title>
<style>
{"".join(style.read_text(encoding="utf-8") for style in STYLES)}</style>
</head>
<body>
{_header(runs, kept, keys)}
<main>
{sections.promises(kept, links) if any(each.is_measured for each in kept) else ""}
{_waterfall(turn)}
{body}
</main>
<footer><p>Made by <code>rt-avatar bench report</code>. A percentile is of the values measured in
one run; runs differ among themselves.</p></footer>
</body>
</html>
"""


def _place(name: str, order: Sequence[str]) -> tuple[int, str]:
    known = base(name)
    return (order.index(known) if known in order else len(order), name)


def _keys(runs: Sequence[Run]) -> list[str]:
    """The name of each run, numbered from the second of a benchmark on."""
    keys: list[str] = []
    for index, run in enumerate(runs):
        before = sum(other.result.name == run.result.name for other in runs[:index])
        name = re.sub(r"[^\w-]+", "-", run.result.name)
        keys.append(f"{name}-{before + 1}" if before else name)
    return keys


# --- heading ------------------------------------------------------------------------------------
def _header(runs: Sequence[Run], kept: Sequence[Kept], keys: Sequence[str]) -> str:
    measured = [each for each in kept if each.is_measured]
    lead = _verdict(len(kept), len(measured), sum(each.is_kept for each in measured))
    slow = _find(kept, SLOW_SOUND)
    if slow.is_measured:
        lead = f"Of 100 answers 95 come within {slow.value:.0f} ms. " + lead
    links = "".join(
        f'<li><a href="#{escape(key)}">{escape(key.replace("-", " "))}</a></li>' for key in keys
    )
    return f"""<header>
<p class="kicker">rt-avatar · measured {escape(_dates(runs))}</p>
<h1>{_headline(kept)}</h1>
<p class="lead">{lead}</p>
{sections.facts(_where(runs))}
{_warnings(runs)}
<nav aria-label="Benchmarks"><ul>{links}</ul></nav>
</header>"""


def _verdict(promised: int, measured: int, kept: int) -> str:
    """How many promises are kept, as one sentence."""
    if measured == 0:
        return "No promise was measured."
    which = {0: "None of the", measured: "All"}.get(kept, f"{kept} of the")
    left = f"; {promised - measured} not measured" if promised > measured else ""
    return f"{which} {measured} promises measured {'is' if kept < 2 else 'are'} kept{left}."


def _headline(kept: Sequence[Kept]) -> str:
    first = _find(kept, FIRST_SOUND)
    if not first.is_measured:
        return "What was measured"
    return f"It answers <b>{first.value:.0f} ms</b> after you stop speaking"


def _find(kept: Sequence[Kept], promise: Promise) -> Kept:
    return next(each for each in kept if each.promise is promise)


def _dates(runs: Sequence[Run]) -> str:
    days = sorted({sections.shown_time(run.started).partition(",")[0]: run.started for run in runs}
                  .items(), key=lambda item: item[1])  # fmt: skip
    first, last = days[0][0], days[-1][0]
    return first if first == last else f"{first} to {last}"


def _where(runs: Sequence[Run]) -> Mapping[str, str]:
    def of(key: str) -> str:
        return " / ".join(dict.fromkeys(str(run.machine.get(key, "–")) for run in runs))

    commits = " / ".join(dict.fromkeys(run.commit or "none" for run in runs))
    return {
        "Machine": f"{of('processor')}, {of('cores')} cores, {of('memory_gib')} GiB",
        "System": f"{of('system')}, Python {of('python')}",
        "Commit": commits,
    }


def _warnings(runs: Sequence[Run]) -> str:
    found = []
    machines = {
        tuple((key, str(value)) for key, value in sorted(run.machine.items()) if key != BUSY)
        for run in runs
    }
    if len(machines) > 1:
        found.append("The results are not all from the same machine.")
    if len({run.commit.rstrip("+") for run in runs}) > 1:
        found.append("The results are not all of the same commit.")
    if any(run.commit.endswith("+") for run in runs):
        found.append("A commit with a + had changes that were not committed.")
    quick = [run.result.name for run in runs if "quick" in run.arguments]
    if quick:
        found.append(f"Quick forms, with few turns: {', '.join(quick)}.")
    busy = [run.result.name for run in runs if _is_busy(run)]
    if busy:
        found.append(f"The machine was busy with something else before: {', '.join(busy)}.")
    items = "".join(f"<li>{escape(text)}</li>" for text in found)
    return f'<ul class="warnings">{items}</ul>' if items else ""


def _is_busy(run: Run) -> bool:
    busy = run.machine.get(BUSY, 0)
    return isinstance(busy, int | float) and busy > BUSY_PERCENT


def _waterfall(run: Run | None) -> str:
    if run is None:
        return ""
    limit = FIRST_SOUND.limit
    bars = sections.waterfall(run.result.waterfall, limit)
    if not bars:
        return ""
    return f"""<section aria-labelledby="waterfall">
<h2 id="waterfall">Where the time of a turn goes</h2>
<p class="about">Medians, in milliseconds after the caller's last voiced sample. What ends before
the turn was decided to be over is work done ahead, in the pause. The dashed line is the promise:
{limit:g} ms.</p>
{bars}</section>"""
