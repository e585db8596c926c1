"""Plots of the report: Plot, or samples → SVG that takes the page's colours, and a legend.

matplotlib draws with marker colours, which are then replaced by CSS variables: one drawing serves
light, dark and paper. Text stays text. Legends are HTML, so that they wrap on a phone.
"""

import html
import io
import itertools
import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rt_avatar.benchmarks.catalogue import missing
from rt_avatar.benchmarks.result import Plot, Result, percentile

SIZE_IN: Final = (5.6, 3.3)  # 403 points wide: its text of 11 points is still 9 pixels on a phone
FONT_PT: Final = 11
MAX_POINTS: Final = 1200  # a line: more than a screen has columns for
QUANTILES: Final = 200  # steps of a distribution's curve
MIN_SAMPLES: Final = 5  # fewer are no distribution
MAX_LINES: Final = 6  # in one picture of distributions
MAX_SPREAD: Final = 12.0  # largest p95 ÷ smallest p95 in one picture, else the small are unreadable
# On, off, in line widths: told apart without colours, too.
DASHES: Final = ((), (5, 2), (2, 1.4), (8, 2, 2, 2), (12, 3), (1, 1))
COLOURS: Final = len(DASHES)
MARKERS: Final = "osD^vP"
SHAPES: Final = (  # the same, for legends
    "M15 1a4 4 0 1 1-.01 0z", "M11 1h8v8h-8z", "M15 0l5 5-5 5-5-5z", "M15 1l4.5 8h-9z",
    "M15 9l4.5-8h-9z", "M13.5 1h3v2.5H19v3h-2.5V9h-3V6.5H11v-3h2.5z",
)  # fmt: skip
MOST_TICKS: Final = 12
NAME_COLUMNS: Final = 14  # of a place's name, before it is broken
LIMIT_DASH: Final = (5.0, 3.0)
LINE_PT: Final = 1.8
ROUGH: Final = 25.0  # way up and down ÷ range from which a line is drawn thin, to see others
SWATCH: Final = '<svg class="swatch" viewBox="0 0 30 10" aria-hidden="true">{}</svg>'
INK: Final = "#fe00a0"  # marker colours: replaced by CSS variables
GRID: Final = "#fe00a1"
LIMIT: Final = "#fe00a2"
LINES: Final = tuple(f"#fe00b{index}" for index in range(COLOURS))
VARIABLES: Final[Mapping[str, str]] = {
    INK: "var(--ink-soft)",
    GRID: "var(--line)",
    LIMIT: "var(--danger)",
    **{colour: f"var(--line-{index})" for index, colour in enumerate(LINES)},
}
UNIT: Final = re.compile(r"(?:_|, | \(| \[)(ms|s|mib|percent|%|hz|fps|db|turns)[)\]]?$", re.I)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot ready for the page.

    Attributes:
        title: What is seen.
        picture: SVG with a text for those who cannot see it, or a list of bars, HTML.
        legend: A swatch of each line, SVG, and its words.
    """

    title: str
    picture: str
    legend: Sequence[tuple[str, str]]


def draw_plot(plot: Plot, key: str) -> Drawing | None:
    """Draw a benchmark's own plot; None if there is nothing in it.

    Args:
        plot: What to draw.
        key: Unique on the page.
    """
    lines = {
        label: kept
        for label, points in plot.lines.items()
        if (kept := [point for point in points if all(map(math.isfinite, point))])
    }
    if not lines:
        return None
    if plot.kind == "bars" and all(len(points) == 1 for points in lines.values()):
        values = {label: points[0][1] for label, points in lines.items()}
        return Drawing(plot.title, _bar_list(values, plot.y_label, plot.limit), [])
    figure, axes = _canvas()
    legend = []
    for index, (label, points) in enumerate(lines.items()):
        x, y = zip(*_thinned(points), strict=True)
        look = index % COLOURS
        if plot.kind == "bars":
            width = _bar_width(lines)
            shift = (index - (len(lines) - 1) / 2) * width
            axes.bar([each + shift for each in x], y, 0.94 * width, color=LINES[look])
        elif plot.kind == "points":
            axes.plot(x, y, MARKERS[look], color=LINES[look], markersize=4, alpha=0.75)
        else:
            _line(axes, x, y, look, LINE_PT / 2 if _is_rough(y) else LINE_PT)
        legend.append((_swatch(plot.kind, look), label))
    if plot.limit is not None:
        axes.axhline(plot.limit, color=LIMIT, linewidth=1.2, linestyle=(0, LIMIT_DASH))
        legend.append((_stroke("var(--danger)", LIMIT_DASH), f"promised: {plot.limit:g}"))
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    places = sorted({x for points in lines.values() for x, _ in points})
    _ticks(axes, places, is_bars=plot.kind == "bars")
    names = plot.x_label.split(" · ")
    if len(names) == len(places) > 1:
        axes.set_xlabel("")
        axes.set_xticks(places, [textwrap.fill(name, NAME_COLUMNS) for name in names])
    ranges = "; ".join(
        f"{label}: {min(y for _, y in points):.4g} to {max(y for _, y in points):.4g}"
        for label, points in lines.items()
    )
    alternative = f"{plot.title}. {plot.y_label} over {plot.x_label}. {ranges}."
    return Drawing(plot.title, _svg(figure, alternative, key), legend)


def draw_distributions(result: Result, key: str) -> list[Drawing]:
    """Draw the cumulative distributions of a result's samples, like with like in one picture.

    Args:
        result: With samples.
        key: Unique on the page.
    """
    return [
        _distributions(unit, group, f"{key}-spread-{index}")
        for index, (unit, group) in enumerate(_groups(result.samples))
    ]


def _distributions(unit: str, group: Mapping[str, Sequence[float]], key: str) -> Drawing:
    figure, axes = _canvas()
    shares = np.linspace(0, 100, QUANTILES + 1)
    legend = []
    for index, (label, values) in enumerate(group.items()):
        if len(values) <= QUANTILES:
            of_all = 100 * np.arange(1, len(values) + 1) / len(values)
            _line(axes, np.sort(values), of_all, index, LINE_PT)
        else:
            _line(axes, np.percentile(values, shares), shares, index, LINE_PT)
        middle, most = percentile(values, 50), percentile(values, 95)
        bare = UNIT.sub("", label).replace("_", " ")
        text = f"{bare}: p50 {middle:.3g}, p95 {most:.3g} (n = {len(values)})"
        legend.append((_swatch("lines", index), text))
    for share in (50, 95):
        axes.axhline(share, color=INK, linewidth=0.6, linestyle=(0, (1, 2)))
    axes.set_yticks([0, 25, 50, 75, 95])
    axes.set_ylim(0, 101)
    axes.set_xlabel(unit or "value")
    axes.set_ylabel("% of values up to there")
    names = [UNIT.sub("", label).replace("_", " ") for label in group]
    title = f"Distribution of {', '.join(names[:2])}{' and others' if len(names) > 2 else ''}"
    words = "; ".join(text for _, text in legend)
    return Drawing(title, _svg(figure, f"Cumulative distribution, {unit}. {words}.", key), legend)


def _groups(
    samples: Mapping[str, Sequence[float]],
) -> list[tuple[str, dict[str, Sequence[float]]]]:
    """Samples of one unit and one order of magnitude together, in their order."""
    groups: list[tuple[str, dict[str, Sequence[float]]]] = []
    for label, values in samples.items():
        values = [value for value in values if math.isfinite(value)]
        if len(values) < MIN_SAMPLES:
            continue
        match = UNIT.search(label)
        unit = match[1] if match else ""
        for known, group in groups:
            sizes = [_size(each) for each in (*group.values(), values)]
            is_alike = max(sizes) <= MAX_SPREAD * min(sizes)
            if known == unit and is_alike and len(group) < MAX_LINES:
                group[label] = values
                break
        else:
            groups.append((unit, {label: values}))
    return groups


def _size(values: Sequence[float]) -> float:
    return max(percentile([abs(value) for value in values], 95), 1e-12)


def _bar_list(values: Mapping[str, float], unit: str, limit: float | None) -> str:
    """One value a label: a list that can be read, with bars beside it."""
    most = max(1e-12, limit or 0.0, *values.values())
    bars = "".join(
        f"""<li><span class="stage">{html.escape(label)}</span>
<span class="ends">{value:.3g}</span><span class="track" aria-hidden="true">
<i style="left:0;width:{100 * max(0.0, value) / most:.2f}%"></i></span></li>"""
        for label, value in values.items()
    )
    mark = "" if limit is None else f"--limit:{100 * limit / most:.2f}%;"
    return f"""<p class="unit">{html.escape(unit)}</p>
<ol class="waterfall bars{" limited" if mark else ""}" style="{mark}--step:100%">{bars}</ol>"""


# --- drawing ------------------------------------------------------------------------------------
def _canvas() -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise missing("report", error) from error
    figure = Figure(figsize=SIZE_IN, layout="constrained")
    axes = figure.add_subplot()
    figure.patch.set_alpha(0)
    axes.patch.set_alpha(0)
    axes.grid(visible=True, color=GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(GRID)
    axes.tick_params(colors=INK, labelsize=FONT_PT, length=0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set(color=INK, size=FONT_PT, parse_math=False)
    return figure, axes


def _line(axes: Any, x: Any, y: Any, look: int, width_pt: float) -> None:
    style = (0, DASHES[look]) if DASHES[look] else "-"
    axes.plot(x, y, color=LINES[look], linewidth=width_pt, linestyle=style)


def _is_rough(y: Sequence[float]) -> bool:
    return sum(abs(b - a) for a, b in itertools.pairwise(y)) > ROUGH * (max(y) - min(y)) > 0


def _ticks(axes: Any, places: Sequence[float], *, is_bars: bool) -> None:
    """Whole numbers are shown as such; bars have one tick each and stand on zero."""
    from matplotlib.ticker import MaxNLocator

    if is_bars:
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
        axes.grid(visible=False, axis="x")
    if all(place == round(place) for place in places):
        if len(places) <= MOST_TICKS:
            axes.set_xticks(places)
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


def _swatch(kind: str, look: int) -> str:
    colour = f"var(--line-{look})"
    if kind == "lines":
        return _stroke(colour, DASHES[look])
    if kind == "bars":
        return SWATCH.format(f'<rect x="10" width="10" height="10" style="fill:{colour}"/>')
    return SWATCH.format(f'<path d="{SHAPES[look]}" style="fill:{colour}"/>')


def _stroke(colour: str, dash: Sequence[float]) -> str:
    dashes = " ".join(f"{2 * each:g}" for each in dash)
    style = f"stroke:{colour};stroke-width:2.4;stroke-dasharray:{dashes or 'none'}"
    return SWATCH.format(f'<path d="M0 5H30" style="{style}"/>')


def _svg(figure: Any, alternative: str, key: str) -> str:
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": key}), io.StringIO() as buffer:
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    body = svg[svg.index(">") + 1 :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    used = set(re.findall(r"#([\w.-]+)", body))
    body = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", body)
    body = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", body)
    for marker, variable in VARIABLES.items():
        body = body.replace(marker, variable)
    width, height = (72 * inches for inches in SIZE_IN)
    text = html.escape(alternative, quote=True)
    return f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{text}">{body}'


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most so many points: of each stretch the lowest and the highest, so that peaks stay."""
    if len(points) <= MAX_POINTS:
        return list(points)
    kept = []
    stretch = math.ceil(2 * len(points) / MAX_POINTS)
    for first in range(0, len(points), stretch):
        part = points[first : first + stretch]
        ends = {min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])}
        kept += sorted(ends)
    return kept


def _bar_width(lines: Mapping[str, Sequence[tuple[float, float]]]) -> float:
    places = sorted({x for points in lines.values() for x, _ in points})
    gaps = [b - a for a, b in itertools.pairwise(places)]
    return 0.8 * min(gaps, default=1.0) / len(lines)
