"""Turns → the table, the figures and the plots of ``turn``."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from rt_avatar.benchmarks.result import Plot, Result, percentile
from rt_avatar.benchmarks.turn.outcome import LATE_MS, Turn
from rt_avatar.telemetry.trace import MARKS

COLUMNS: Final = ("what", "n", "p50 ms", "p90 ms", "p95 ms", "too early", "too late")
# Which stage ends with which mark, and the marks that it waits for. "" is the end of speech: a
# preemptive reply is begun in the pause behind it, which no mark tells.
STAGES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "pause noticed, reply planned": ("plan", ()),
    "first words": ("first_clause", ("plan",)),
    "first sound made": ("first_chunk", ("first_clause",)),
    "first face made": ("first_frame", ("first_chunk",)),
    "end of turn decided": ("end_of_turn", ()),
    "words final": ("transcript_final", ("end_of_turn",)),
    "sound released": ("audio_released", ("transcript_final", "first_frame")),
}


def summary(name: str, turns: Sequence[Turn], notes: Sequence[str] = ()) -> Result:
    """Sum turns up.

    Args:
        name: ``turn`` for a browser, ``turn-peer`` for a caller without one.
        turns: In their order.
        notes: On how they were measured.
    """
    sound, video_meter = values(turns, "sound_ms"), values(turns, "eye_ms")
    plain = values([turn for turn in turns if turn.variant == "plain"], "sound_ms")
    answered = [turn for turn in turns if turn.verdict == "answered"]
    early = [turn for turn in turns if turn.verdict == "early"]
    stages = {mark: [t.marks_ms[mark] for t in answered if mark in t.marks_ms] for mark in MARKS}
    rows = [
        _row("end of speech → first sound", turns, sound),
        _row("end of speech → first mouth motion", answered, video_meter, is_whole=False),
        _row("line: first block leaves → heard", answered, values(turns, "line_ms"),
             is_whole=False),
        _row("too early: caller goes on → silence", early, values(early, "yielded_ms"),
             is_whole=False),
        *(
            _row(f"  {variant}", group, values(group, "sound_ms"))
            for variant, group in by_variant(turns).items()
        ),
        *(
            _row(f"  stage: {mark}", answered, at_ms, is_whole=False)
            for mark, at_ms in stages.items()
        ),
    ]  # fmt: skip
    figures = {
        "p50_ms": percentile(sound, 50),
        "p95_ms": percentile(sound, 95),
        "eye_p50_ms": percentile(video_meter, 50),
        "eye_p95_ms": percentile(video_meter, 95),
        "plain_p50_ms": percentile(plain, 50),
        "plain_p95_ms": percentile(plain, 95),
        "line_median_ms": percentile(values(turns, "line_ms"), 50),
        "early_percent": _percent(len(early), len(turns)),
        "discarded_percent": _percent(
            sum(turn.released_early and turn.verdict != "early" for turn in turns), len(turns)
        ),
        "late_percent": _percent(sum(turn.is_late for turn in turns), len(turns)),
        "unanswered_percent": _percent(
            sum(turn.verdict == "unanswered" for turn in turns), len(turns)
        ),
        "preemptive_used_percent": _percent(
            sum(turn.preemptive_used for turn in answered), len(answered)
        ),
        # Of those answered too early: how soon the avatar was silent, and whether all was answered.
        "yielded_p50_ms": percentile(values(early, "yielded_ms"), 50),
        "yielded_p95_ms": percentile(values(early, "yielded_ms"), 95),
        "whole_percent": _percent(sum(turn.is_whole for turn in early), len(early)),
        "turns": float(len(turns)),
    }
    return Result(
        name=name,
        columns=COLUMNS,
        rows=rows,
        figures=figures,
        neutral=("preemptive_used_percent", "turns"),
        samples={
            "first sound (ms)": sound,
            "first sound, plain sentences (ms)": plain,
            "first mouth motion, eye (ms)": video_meter,
            "line (ms)": values(turns, "line_ms"),
        },
        waterfall=waterfall(answered),
        plots=[_waits({"first sound": sound, "first mouth motion": video_meter})],
        notes=[
            "Too early: heard before the caller had finished, left out of the times. Too late: "
            f"after {LATE_MS:.0f} ms, or not at all. Discarded: let go too early, and taken back "
            "before it was heard.",
            *notes,
        ],
    )


def values(turns: Sequence[Turn], field: str) -> list[float]:
    """Return a time of all turns that have it."""
    return [value for turn in turns if (value := getattr(turn, field)) is not None]


def by_variant(turns: Sequence[Turn]) -> dict[str, list[Turn]]:
    """Group turns by their utterance's variant, in order of appearance."""
    groups: dict[str, list[Turn]] = {}
    for turn in turns:
        groups.setdefault(turn.variant, []).append(turn)
    return groups


def waterfall(turns: Sequence[Turn]) -> dict[str, tuple[float, float]]:
    """Return begin and end of each stage, medians in ms after the end of speech."""
    spans: dict[str, list[tuple[float, float]]] = {}
    for turn in turns:
        marks = turn.marks_ms
        if not marks or turn.sound_ms is None:
            continue
        for stage, (mark, waits_for) in STAGES.items():
            if mark in marks:
                begin = max((marks[other] for other in waits_for if other in marks), default=0.0)
                spans.setdefault(stage, []).append((min(begin, marks[mark]), marks[mark]))
        spans.setdefault("line, buffer: heard", []).append(
            (min(marks["audio_released"], turn.sound_ms), turn.sound_ms)
        )
    return {
        stage: (float(np.median([b for b, _ in each])), float(np.median([e for _, e in each])))
        for stage, each in spans.items()
    }


def _row(
    what: str, turns: Sequence[Turn], times: Sequence[float], *, is_whole: bool = True
) -> list[str]:
    """Return a line of the table; ``is_whole`` adds the shares of too early and too late."""
    times_ms = [f"{percentile(times, p):.0f}" if times else "–" for p in (50, 90, 95)]
    if not is_whole:
        return [what, str(len(times)), *times_ms, "", ""]
    early = sum(turn.verdict == "early" for turn in turns)
    late = sum(turn.is_late for turn in turns)
    return [what, str(len(times)), *times_ms, f"{early} of {len(turns)}", f"{late} of {len(turns)}"]


def _waits(waits: Mapping[str, Sequence[float]]) -> Plot:
    """Return how long the caller waits in how many of a hundred turns."""
    lines = {
        label: [
            (100 * (index + 1) / len(times), float(at_ms))
            for index, at_ms in enumerate(sorted(times))
        ]
        for label, times in waits.items()
        if times
    }
    return Plot(
        "How many turns are answered within what time",
        "turns (%)", "ms after the last voiced sample", lines, limit=LATE_MS,
    )  # fmt: skip


def _percent(count: int, whole: int) -> float:
    return 100 * count / whole if whole else float("nan")
