"""The soak as a ``Result``: what grew, what was left, whether it got slower, what went wrong."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from rt_avatar.benchmarks.result import Plot, Result, percentile
from rt_avatar.benchmarks.soak.run import Reading, Soak
from rt_avatar.benchmarks.soak.series import ends, fit_line, floor_growth, growth_percent

MEMORY_LIMIT_PERCENT: Final = 5.0  # the promise
COUNTS: Final[dict[str, Callable[[Reading], float]]] = {
    "tasks": lambda reading: reading.tasks,
    "threads": lambda reading: float(reading.census.threads),
    "files": lambda reading: float(reading.census.files),
    "processes": lambda reading: float(reading.census.processes),
}
LOUD_PROBLEMS: Final = 3  # lines of the log shown, and turns without an answer
READINGS_WANTED: Final = 60  # ten minutes of them


def report(soak: Soak) -> Result:
    """Return the result of a run."""
    warm = warmed_up(soak)
    figures = _figures(soak, warm)
    return Result(
        name="soak",
        columns=("what", "before", "after warming up", "at the end", "after", "growth"),
        rows=[_memory_row(soak, warm), *(_count_row(name, soak, warm) for name in COUNTS)],
        figures={key: value for key, value in figures.items() if not math.isnan(value)},
        neutral=("turns", "call_s", "packets_lost_percent"),
        samples={
            "memory (MiB)": [reading.census.memory_mib for reading in soak.readings],
            "typed turn (ms)": soak.typist.typed_ms,
            "spoken turn, bad line (ms)": soak.talker.spoken_ms,
            "spoken turn, typist (ms)": soak.typist.spoken_ms,
        },
        plots=_plots(soak, warm),
        notes=_notes(soak, warm),
    )


def warmed_up(soak: Soak) -> list[Reading]:
    """Return the readings after the first turns, which may cost what is loaded once."""
    return [reading for reading in soak.readings if reading.turns >= soak.length.warm_turns]


def memory_growth(readings: Sequence[Reading]) -> float:
    """Return by how many percent of its beginning the fitted memory rises over these readings."""
    return growth_percent(
        [reading.at_s for reading in readings],
        [reading.census.memory_mib for reading in readings],
    )


def _figures(soak: Soak, warm: Sequence[Reading]) -> dict[str, float]:
    figures = {"memory_growth_percent": memory_growth(warm)}
    for name in ("tasks", "threads", "files"):
        figures[f"grown_{name}"] = floor_growth([COUNTS[name](reading) for reading in warm])
    if soak.after is not None:
        for name in ("tasks", "threads", "files"):
            figures[f"left_{name}"] = COUNTS[name](soak.after) - COUNTS[name](soak.before)
        figures["left_mib"] = soak.after.census.memory_mib - soak.before.census.memory_mib
    for kind in ("typed", "spoken"):
        first, last = ends(_latencies(soak, kind))
        for share in (50, 95):
            figures[f"{kind}_first_tenth_p{share}_ms"] = percentile(first, share)
            figures[f"{kind}_last_tenth_p{share}_ms"] = percentile(last, share)
    talker, typist = soak.talker, soak.typist
    packets = talker.packets
    return figures | {
        "unanswered_turns": float(talker.unanswered + typist.unanswered),
        "cut_early_turns": float(talker.cut_early + typist.cut_early),
        "reconnects": float(talker.reconnects + typist.reconnects),
        "new_calls": float(talker.new_calls + typist.new_calls),
        "log_problems": float(len(soak.problems)),
        "turns": float(talker.turns + typist.turns),
        "call_s": soak.readings[-1].at_s if soak.readings else math.nan,
        "packets_lost_percent": 100 * talker.packets_lost / packets if packets else math.nan,
    }


def _latencies(soak: Soak, kind: str) -> list[float]:
    """Return all latencies of a kind of turn in the order they were told."""
    return [
        value
        for reading in soak.readings
        for value in (reading.typed_ms if kind == "typed" else reading.spoken_ms)
    ]


# --- table --------------------------------------------------------------------------------------
def _memory_row(soak: Soak, warm: Sequence[Reading]) -> list[str]:
    line = fit_line(
        [reading.at_s for reading in warm], [reading.census.memory_mib for reading in warm]
    )
    first, last = (f"{line.at(one.at_s):.0f}" for one in (warm[0], warm[-1])) if warm else ("", "")
    after = "" if soak.after is None else f"{soak.after.census.memory_mib:.0f}"
    before = f"{soak.before.census.memory_mib:.0f}"
    return ["memory (MiB, fitted)", before, first, last, after, f"{memory_growth(warm):+.1f} %"]


def _count_row(name: str, soak: Soak, warm: Sequence[Reading]) -> list[str]:
    value = COUNTS[name]
    third = max(1, len(warm) // 3)

    def span(readings: Sequence[Reading]) -> str:
        values = [value(reading) for reading in readings]
        return f"{min(values):.0f}–{max(values):.0f}" if values else ""

    after = "" if soak.after is None else f"{value(soak.after):.0f}"
    return [
        name, f"{value(soak.before):.0f}", span(warm[:third]), span(warm[-third:]), after,
        f"{floor_growth([value(reading) for reading in warm]):+.0f}",
    ]  # fmt: skip


# --- report -------------------------------------------------------------------------------------
def _plots(soak: Soak, warm: Sequence[Reading]) -> list[Plot]:
    minutes = [reading.at_s / 60 for reading in soak.readings]

    def over_time(value: Callable[[Reading], float]) -> list[tuple[float, float]]:
        return list(zip(minutes, map(value, soak.readings), strict=True))

    def turns(kind: str) -> list[tuple[float, float]]:
        return [
            (reading.at_s / 60, value)
            for reading in soak.readings
            for value in (reading.typed_ms if kind == "typed" else reading.spoken_ms)
        ]

    memory = {"read": over_time(lambda reading: reading.census.memory_mib)}
    if len(warm) > 1:
        line = fit_line([one.at_s for one in warm], [one.census.memory_mib for one in warm])
        memory["fitted"] = [(one.at_s / 60, line.at(one.at_s)) for one in (warm[0], warm[-1])]
    return [
        Plot("Memory of the server", "minutes", "MiB", memory),
        Plot(
            "What could leak", "minutes", "count",
            {name: over_time(value) for name, value in COUNTS.items()},
        ),
        Plot(
            "Latency of turns", "minutes", "ms",
            {"typed": turns("typed"), "spoken": turns("spoken")}, kind="points",
        ),
    ]  # fmt: skip


def _notes(soak: Soak, warm: Sequence[Reading]) -> list[str]:
    talker, typist = soak.talker, soak.typist
    notes = [
        f"two callers at once: one spoke {talker.turns} turns on a bad line "
        f"({talker.packets_lost} of {talker.packets} packets lost), one made {typist.turns} turns, "
        f"{len(typist.spoken_ms)} spoken ones of them have a time",
        f"the first {soak.length.warm_turns} turns are warming up; promised is a growth of memory "
        f"of at most {MEMORY_LIMIT_PERCENT:.0f} % and of nothing else",
    ]
    if typist.turns < soak.length.turns:
        notes.append(f"only {typist.turns} of {soak.length.turns} turns could be made in the time")
    if len(warm) < READINGS_WANTED:
        notes.append(f"{len(warm)} readings cannot tell growth from noise: let it run longer")
    first, last = soak.callers_mib
    notes.append(f"the callers' own processes went from {first:.0f} to {last:.0f} MiB together")
    silences = [*talker.silences, *typist.silences][:LOUD_PROBLEMS]
    notes += [f"not answered: {silence}" for silence in silences]
    notes += [f"log: {line}" for line in soak.problems[:LOUD_PROBLEMS]]
    return notes
