"""Parts of the report: promises, the waterfall of a turn, and a section for each benchmark."""

import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from rt_avatar.benchmarks.bench import shown
from rt_avatar.benchmarks.catalogue import manual
from rt_avatar.benchmarks.compare import shown_number
from rt_avatar.benchmarks.report.plots import Drawing, draw_distributions, draw_plot
from rt_avatar.benchmarks.report.promises import Kept
from rt_avatar.benchmarks.result import BUSY, Run

NUMBER: Final = re.compile(r"–|[−+-]?\d[\d.,]*(?:(?: of |–)\d+)?(?: ?[%µa-zA-Z/]{1,5})?")
FULL_SHARE: Final = 0.75  # of a gauge: where the limit stands
TICKS: Final = (10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000)
MOST_TICKS: Final = 8


def escape(text: object) -> str:
    """Make text safe between tags and in quotes."""
    return html.escape(str(text), quote=True)


# --- promises -----------------------------------------------------------------------------------
def promises(kept: Sequence[Kept], keys: Mapping[str, str]) -> str:
    """Return the table of promises.

    Args:
        kept: Each promise with what was measured.
        keys: Name of a benchmark → the key of the section to link to.
    """
    rows = "".join(_promise(each, keys.get(each.benchmark, "")) for each in kept)
    return f"""<section aria-labelledby="promises">
<h2 id="promises">Promises</h2>
<table class="promises">
<caption class="unseen">What is promised, what was measured, and whether it was kept</caption>
<thead><tr><th scope="col">What</th><th scope="col" class="number">Promised</th>
<th scope="col" class="number">Measured</th><th scope="col" class="gauge-cell" aria-hidden="true">
</th><th scope="col"><span class="unseen">Verdict</span></th></tr></thead>
<tbody>{rows}</tbody></table></section>"""


def _promise(kept: Kept, key: str) -> str:
    promise = kept.promise
    look, verdict = ("unknown", "not measured")
    measured = "–"
    gauge = ""
    if kept.is_measured:
        look, verdict = ("kept", "✓ kept") if kept.is_kept else ("missed", "✗ missed")
        measured = f"{_rounded(kept.value)} {promise.unit}"
        share = min(100.0, max(0.0, 100 * FULL_SHARE * kept.value / promise.limit))
        gauge = f'<span class="gauge"><i style="width:{share:.1f}%"></i></span>'
    text = escape(promise.text)
    if key:
        text = f'<a href="#{escape(key)}">{text}</a>'
    return f"""<tr class="{look}"><th scope="row">{text}</th>
<td class="number">≤ {promise.limit:g} {promise.unit}</td>
<td class="number measured">{measured}</td>
<td class="gauge-cell" aria-hidden="true">{gauge}</td>
<td class="verdict">{verdict}</td></tr>"""


def _rounded(value: float) -> str:
    """Three digits: no machine repeats more of them."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


# --- waterfall ----------------------------------------------------------------------------------
def waterfall(stages: Mapping[str, tuple[float, float]], limit_ms: float | None = None) -> str:
    """Return bars of the stages of a turn.

    Args:
        stages: Name → begin and end, ms after the last voiced sample.
        limit_ms: A promise to mark.
    """
    stages = {name: ends for name, ends in stages.items() if all(map(math.isfinite, ends))}
    if not stages:
        return ""
    first = min(0.0, *(begin for begin, _ in stages.values()))
    last = max(1.0, limit_ms or 0.0, *(end for _, end in stages.values()))
    step = next((tick for tick in TICKS if (last - first) / tick <= MOST_TICKS), TICKS[-1])
    first, last = step * math.floor(first / step), step * math.ceil(last / step)

    def place(ms: float) -> float:
        return 100 * (ms - first) / (last - first)

    ticks = "".join(
        f'<i style="left:{place(ms):.2f}%">{ms}</i>' for ms in range(first, last + 1, step)
    )
    limit = "" if limit_ms is None else f"--limit:{place(limit_ms):.2f}%;"
    longest = max(stages, key=lambda name: stages[name][1])
    bars = "".join(
        f"""<li{' class="last"' if name == longest else ""}>
<span class="stage">{escape(name)}</span>
<span class="ends">{_span(begin, end)}</span>
<span class="track" aria-hidden="true"><i style="left:{place(begin):.2f}%;width:max(3px,
{place(end) - place(begin):.2f}%)"></i></span></li>"""
        for name, (begin, end) in stages.items()
    )
    style = f"{limit}--step:{100 * step / (last - first):.4f}%"
    return f"""<ol class="waterfall{" limited" if limit else ""}" style="{style}">
{bars}<li class="ticks" aria-hidden="true"><span class="track">{ticks}</span></li></ol>"""


def _span(begin: float, end: float) -> str:
    if abs(end - begin) < 0.5:
        return f"{end:.0f} ms"
    return f"{begin:.0f} – {end:.0f} ms"


# --- a benchmark --------------------------------------------------------------------------------
def benchmark(run: Run, key: str, *, with_waterfall: bool) -> str:
    """Return the section of one result: its table, plots, notes, method, and how it was run.

    Args:
        run: What to show.
        key: To link to it; unique on the page.
        with_waterfall: Whether to draw its waterfall here.
    """
    result = run.result
    title, _, method = manual(result.name).partition("\n")
    drawings = [
        drawing
        for index, plot in enumerate(result.plots)
        if (drawing := draw_plot(plot, f"{key}-{index}"))
    ]
    spreads = draw_distributions(result, key)
    parts = [
        _table(result.columns, result.rows, f"Results of {result.name}"),
        waterfall(result.waterfall) if with_waterfall else "",
        _plots(drawings or spreads),
        _notes(result.notes),
        _folded("Distributions of all that was measured", _plots(spreads if drawings else ())),
        _folded("How it is measured", _paragraphs(method)),
        _folded("Figures, arguments, machine, versions", _facts(run)),
    ]
    quick = '<span class="badge">quick form</span>' if "quick" in run.arguments else ""
    name, key = escape(result.name), escape(key)
    return f"""<section class="benchmark" aria-labelledby="{key}">
<p class="kicker">{f"<code>{name}</code>" if title else ""}{quick}</p>
<h2 id="{key}">{_inline(title.rstrip(".")) or name}</h2>
<p class="facts">{shown_time(run.started)} · took {_duration(run.duration_s)}
{f"· commit <code>{escape(run.commit)}</code>" if run.commit else ""}</p>
{"".join(parts)}</section>"""


def shown_time(started: str) -> str:
    """Return an ISO time as people write it."""
    return f"{datetime.fromisoformat(started):%-d %B %Y, %H:%M} UTC"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    if not rows or not columns:
        return ""
    cells = [[shown(cell) for cell in row] for row in rows]
    looks = [
        ' class="number"' if _is_numbers([row[index] for row in cells if index < len(row)]) else ""
        for index in range(len(columns))
    ]
    looks[:1] = [""]  # the first column names the rows, even if by numbers
    head = "".join(
        f'<th scope="col"{look}>{escape(column)}</th>'
        for column, look in zip(columns, looks, strict=True)
    )
    body = "".join(f"<tr>{_cells(row, looks)}</tr>" for row in cells)
    return f"""<div class="wide" role="region" aria-label="{escape(caption)}" tabindex="0"><table>
<caption class="unseen">{escape(caption)}</caption>
<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"""


def _is_numbers(cells: Sequence[str]) -> bool:
    """Whether most of a column's cells are numbers."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return 2 * sum(bool(NUMBER.fullmatch(cell)) for cell in filled) >= len(filled)


def _cells(row: Sequence[str], looks: Sequence[str]) -> str:
    if not row:
        return ""
    look = ' class="part"' if row[0].startswith(" ") else ""
    others = "".join(
        f"<td{looks[index] if index < len(looks) else ''}>{escape(cell)}</td>"
        for index, cell in enumerate(row[1:], 1)
    )
    return f'<th scope="row"{look}>{escape(row[0].strip())}</th>{others}'


def _plots(drawings: Sequence[Drawing]) -> str:
    figures = "".join(
        f"""<figure><figcaption>{escape(drawing.title)}</figcaption>{drawing.picture}
{_legends(drawing.legend)}</figure>"""
        for drawing in drawings
    )
    return f'<div class="plots">{figures}</div>' if figures else ""


def _legends(lines: Sequence[tuple[str, str]]) -> str:
    items = "".join(f"<li>{swatch}{escape(words)}</li>" for swatch, words in lines)
    return f'<ul class="legend">{items}</ul>' if items else ""


def _notes(notes: Sequence[str]) -> str:
    items = "".join(f"<li>{_inline(note)}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>' if items else ""


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>{content}</details>" if content else ""


def _facts(run: Run) -> str:
    machine = {
        key.replace("_", " "): value for key, value in run.machine.items() if key != BUSY
    } | {"busy before": f"{run.machine.get(BUSY, 0)} %"}
    lists = {
        "Figures": {key: shown_number(value) for key, value in run.result.figures.items()},
        "Arguments and settings": run.arguments or {"none": "all as by default"},
        "Machine": machine,
        "Versions": run.versions,
    }
    parts = "".join(f"<div><h3>{title}</h3>{facts(pairs)}</div>" for title, pairs in lists.items())
    return f'<div class="lists">{parts}</div>'


def facts(pairs: Mapping[str, object]) -> str:
    """Return a list of names and values."""
    items = "".join(
        f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in pairs.items()
    )
    return f"<dl>{items}</dl>"


# --- docstrings ---------------------------------------------------------------------------------
def _paragraphs(text: str) -> str:
    """A docstring: paragraphs, and indented blocks as they stand."""
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return "".join(_block(block) for block in blocks if block.strip())


def _block(block: str) -> str:
    lines = block.splitlines()
    if all(line.startswith("    ") for line in lines):
        return f"<pre>{escape(_dedented(lines))}</pre>"
    if lines[0].startswith("- "):
        items = re.split(r"^- ", block, flags=re.M)[1:]
        return f"<ul>{''.join(f'<li>{_inline(_joined(item))}</li>' for item in items)}</ul>"
    return f"<p>{_inline(_joined(block))}</p>"


def _joined(block: str) -> str:
    return " ".join(block.split())


def _dedented(lines: Iterable[str]) -> str:
    return "\n".join(line[4:] for line in lines)


def _inline(text: str) -> str:
    text = re.sub(r"``(.+?)``|`(.+?)`", r"<code>\1\2</code>", escape(text))
    text = re.sub(r"\*\*(\S.*?)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"(?<![\w*])\*(\S[^*]*?)\*(?![\w*])", r"<em>\1</em>", text)
