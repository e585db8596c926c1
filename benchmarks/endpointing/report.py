"""Curves and answers → the table, the figures and the picture of ``endpointing``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.benchmarks.catalogue import missing
from rt_avatar.benchmarks.endpointing.policy import MAX_HOLD_S, MIN_HOLD_S, Curve
from rt_avatar.benchmarks.endpointing.track import Answer
from rt_avatar.benchmarks.endpointing.turns import Turn
from rt_avatar.benchmarks.result import Plot, Result, percentile
from rt_avatar.errors import SetupError

ALONE: Final = "silence alone"
LENGTH: Final = "length alone"
COLUMNS: Final = (
    "detector", "wait at 5 % cut, ms", "at 10 %", "holds cut at 300 ms, %", "at 600 ms",
    "wait at 5 % of turns, ms", "to silence alone",
)  # fmt: skip
LATE_S: Final = 2.0  # silence behind a turn after which its caller asks whether anybody is there
SHOWN_PERCENT: Final = 40.0


def summary(
    curves: Mapping[str, Curve],
    answers: Mapping[str, Mapping[str, Sequence[Answer]]],
    turns: Sequence[Turn],
    used: str,
) -> Result:
    """Sum up.

    Args:
        curves: Of each detector; ``silence alone`` among them.
        answers: Of those with delays, as set: ``plain`` and ``hard`` turns.
        turns: The plain ones.
        used: Name of the detector that the settings choose.
    """
    alone = curves[ALONE].wait_ms_at(0.05)
    rows = [
        [
            name,
            f"{curve.wait_ms_at(0.05):.0f}",
            f"{curve.wait_ms_at(0.1):.0f}",
            f"{100 * curve.cut_at(0.3):.1f}",
            f"{100 * curve.cut_at(0.6):.1f}",
            f"{curve.wait_ms_at(0.05, of_turns=True):.0f}",
            f"{curve.wait_ms_at(0.05) / alone:.2f}",
        ]
        for name, curve in curves.items()
    ]
    everything = [answer for group in answers[used].values() for answer in group]
    waits = _waits(answers[used])
    late = [one for one in everything if one.wait_s is None or one.wait_s > LATE_S]
    holds = [
        end - begin
        for turn in turns
        for begin, end in turn.silences[:-1]
        if MIN_HOLD_S <= end - begin <= MAX_HOLD_S
    ]
    figures = {
        "early_plain": _early_percent(answers[used]["plain"]),
        "early_hard": _early_percent(answers[used]["hard"]),
        "wait_p50_ms": percentile(waits, 50),
        "at5_ms": curves[used].wait_ms_at(0.05),
        "at5_ratio": curves[used].wait_ms_at(0.05) / alone,
        "at10_ms": curves[used].wait_ms_at(0.1),
        "cut300_percent": 100 * curves[used].cut_at(0.3),
        "cut600_percent": 100 * curves[used].cut_at(0.6),
        "turns_at5_ms": curves[used].wait_ms_at(0.05, of_turns=True),
        "wait_p95_ms": percentile(waits, 95),
        "late_percent": 100 * len(late) / len(everything),
        **{
            f"{name.replace(',', '').replace(' ', '_')}_at5_ms": curve.wait_ms_at(0.05)
            for name, curve in curves.items()
            if name != used
        },
        "turns": float(len(turns)),
        "hard_turns": float(len(answers[used]["hard"])),
        "holds": float(len(holds)),
    }
    return Result(
        name="endpointing",
        columns=COLUMNS,
        rows=rows,
        figures=figures,
        neutral=("turns", "hard_turns", "holds"),
        samples={"silence waited for (ms)": waits, "holds (ms)": [1000 * one for one in holds]},
        plots=[_plot(curves)],
        notes=[
            f"{len(turns)} turns with {len(holds)} holds of {MIN_HOLD_S * 1000:.0f} ms and more, "
            f"half of them under {1000 * percentile(holds, 50):.0f} ms. Waits are means over all "
            "turns, of the best policy at that share of holds cut off.",
            *(
                f"{name}, as set: {_early_percent(group['plain']):.1f} % of "
                f"{len(group['plain'])} plain and {_early_percent(group['hard']):.1f} % of "
                f"{len(group['hard'])} hard turns ended too early, the others after "
                f"{percentile(_waits(group), 50):.0f} ms (p95 {percentile(_waits(group), 95):.0f})."
                for name, group in answers.items()
            ),
            f"Late: after {LATE_S:.0f} s, or never.",
        ],
    )


def _waits(groups: Mapping[str, Sequence[Answer]]) -> list[float]:
    return [
        1000 * one.wait_s
        for group in groups.values()
        for one in group
        if one.wait_s is not None and not one.is_early
    ]


def _early_percent(answers: Sequence[Answer]) -> float:
    return 100 * float(np.mean([one.is_early for one in answers])) if answers else float("nan")


def _plot(curves: Mapping[str, Curve]) -> Plot:
    return Plot(
        "Time waited against holds cut off, best policies",
        "holds cut off, %",
        "mean wait, ms",
        {
            name: [
                (100 * cut, 1000 * wait_s)
                for cut, wait_s in curve.frontier()
                if 100 * cut <= SHOWN_PERCENT
            ]
            for name, curve in curves.items()
        },
    )


def draw(curves: Mapping[str, Curve], path: Path) -> None:
    """Draw the curves to a file; its suffix says as what.

    Raises:
        SetupError: matplotlib is missing, or the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise missing("bench endpointing --curve", error) from error
    plot = _plot(curves)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
    for name, points in plot.lines.items():
        axes.step(*zip(*points, strict=True), where="post", label=name)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise SetupError(f"{path}: expected a PNG or SVG file to write, got {error}") from error
