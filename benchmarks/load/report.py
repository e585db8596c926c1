"""The load as a ``Result``: steps, prices, what broke the promise and what it was bound by."""

import math
from collections.abc import Callable, Sequence
from typing import Final

import psutil

from rt_avatar.benchmarks.callers.record import Record
from rt_avatar.benchmarks.load.busy import Busy
from rt_avatar.benchmarks.load.cost import Rest, first_call_mib, price
from rt_avatar.benchmarks.load.step import LATE_LIMIT, P50_LIMIT_MS, P95_LIMIT_MS, Step, kept
from rt_avatar.benchmarks.result import Plot, Result, percentile

COLUMNS: Final = (
    "callers", "turns", "p50 / p95 ms", "pictures, sound late", "loop lag p99", "busiest thread",
    "cores: server (loop), callers, others", "MiB",
)  # fmt: skip
FULL_SHARE: Final = 0.9  # of the machine: what is left is the gaps between what wants to run
FULL_THREAD: Final = 0.85  # of one thread's time; a queue before it grows without bound near 1
CALLER_LAG_MS: Final = 20.0  # one packet: a caller that wakes later than that sees things late
FOREIGN_CORES: Final = 0.1


def report(rest: Rest, steps: Sequence[Step], busy: Busy, environment_mib: float) -> Result:
    """Return the result of a run; ``environment_mib`` is the size of the installation."""
    return Result(
        name="load",
        columns=COLUMNS,
        rows=[_row(step) for step in steps],
        figures=_figures(rest, steps, busy, environment_mib),
        higher_is_better=("callers_kept", "sessions_per_core", "sessions_per_loop"),
        neutral=("turns", "refused_after_callers"),
        samples={
            **{
                f"first sound, {step.callers} callers (ms)": step.record.spoken_ms
                for step in steps
            },
            **{f"memory, {step.callers} callers (MiB)": step.memory_mib for step in steps},
            "cold start (s)": rest.starts_s,
        },
        plots=_plots(rest, steps),
        notes=[
            *_verdict(steps), *_bounds(steps), *_doubts(steps),
            *_busy_notes(busy, _callers_kept(steps)),
        ],
    )  # fmt: skip


def bound_by(step: Step, cores: float) -> str:
    """Return in words what was full in a step, on a machine of so many cores."""
    busy = step.busy()
    name = max(busy, key=lambda one: busy[one], default="")
    if step.cores.machine >= FULL_SHARE * cores:
        return (
            f"the machine was full: of {cores:.0f} cores the server took {step.cores.server:.2f}, "
            f"the callers {step.cores.callers:.2f}, others {step.cores.others:.2f}; "
            "with the callers elsewhere it would carry more"
        )
    if step.cores.loop >= FULL_THREAD:
        return f"the server's event loop was full ({step.cores.loop:.0%} of its thread)"
    if name and busy[name] >= FULL_THREAD:
        return f"the server's thread {name!r} was full ({busy[name]:.0%})"
    return (
        f"neither the machine ({step.cores.machine:.2f} of {cores:.0f} cores) nor a thread of the "
        "server was full"
    )


def _row(step: Step) -> list[str]:
    record, busy, waiting = step.record, step.busy(), step.waiting_ms()
    name = max(busy, key=lambda one: busy[one], default="")
    cores = step.cores
    return [
        f"{step.callers}{'' if step.keeps else ' ✗'}",
        _turns(record),
        _delays(record),
        f"{record.video.bad_share:.2%}, {record.audio.bad_share:.2%}",
        f"{step.lag_p99_ms():.1f} ms",
        f"{name} {busy[name]:.0%}, waits {waiting.get(name, 0):.1f} ms" if name else "–",
        f"{cores.server:.2f} ({cores.loop:.2f}), {cores.callers:.2f}, {cores.others:.2f}",
        f"{percentile(step.memory_mib, 50):.0f}",
    ]


def _turns(record: Record) -> str:
    """Return how many turns were made, and how many of them were not answered as they should."""
    missed = [
        f", {count} {what}"
        for count, what in ((record.cut_early, "too early"), (record.unanswered, "unanswered"))
        if count
    ]
    return f"{record.turns}{''.join(missed)}"


def _delays(record: Record) -> str:
    p50, p95 = (percentile(record.spoken_ms, share) for share in (50, 95))
    return f"{p50:.0f} / {p95:.0f}" if record.spoken_ms else "–"


def _people(callers: int) -> str:
    return f"{callers} caller{'' if callers == 1 else 's'}"


def _callers_kept(steps: Sequence[Step]) -> int:
    return max((step.callers for step in kept(steps)), default=0)


def _figures(
    rest: Rest, steps: Sequence[Step], busy: Busy, environment_mib: float
) -> dict[str, float]:
    """Return what could be measured, the promised first."""
    cost = price(rest, steps)
    figures = {"callers_kept": float(_callers_kept(steps))}
    for step in kept(steps)[-1:]:
        figures |= {
            "kept_p50_ms": percentile(step.record.spoken_ms, 50),
            "kept_p95_ms": percentile(step.record.spoken_ms, 95),
            "kept_late_percent": 100 * step.record.video.bad_share,
        }
    figures |= {
        "sessions_per_core": 1 / cost.cores if cost.cores > 0 else math.nan,
        "sessions_per_loop": 1 / cost.loop_cores if cost.loop_cores > 0 else math.nan,
        "call_cpu_percent": 100 * cost.cores,
        "call_mib": cost.mib,
        "first_call_mib": first_call_mib(rest, steps),
        "cold_start_s": percentile(rest.starts_s, 50),
        "rest_mib": rest.mib,
        "rest_cpu_percent": 100 * rest.cores,
        "idle_cpu_percent": 100 * rest.idle_cores,
        "talk_cpu_percent": 100 * steps[0].cores.server if steps else math.nan,
        "environment_mib": environment_mib,
        "refused_after_callers": float(busy.admitted) if busy.was_refused else math.nan,
        "unclean_refusals": float(sum(not answer.is_busy for answer in busy.refusals)),
        "turns": float(sum(step.record.turns for step in steps)),
        "too_early": float(sum(step.record.cut_early for step in steps)),
    }
    return {key: value for key, value in figures.items() if not math.isnan(value)}


def _plots(rest: Rest, steps: Sequence[Step]) -> list[Plot]:
    def line(value: Callable[[Step], float]) -> list[tuple[float, float]]:
        points = [(float(step.callers), value(step)) for step in steps]
        return [point for point in points if not math.isnan(point[1])]

    def spoken(share: float) -> list[tuple[float, float]]:
        return line(lambda step: percentile(step.record.spoken_ms, share))

    return [
        Plot(
            "End of speech → first sound", "callers", "ms",
            {"p50": spoken(50), "p95": spoken(95)}, limit=P95_LIMIT_MS,
        ),
        Plot(
            "Late or skipped", "callers", "% of what was due",
            {
                "pictures": line(lambda step: 100 * step.record.video.bad_share),
                "sound": line(lambda step: 100 * step.record.audio.bad_share),
            },
            limit=100 * LATE_LIMIT,
        ),
        Plot(
            "Processor", "callers", "cores",
            {
                "server": [(0.0, rest.cores), *line(lambda step: step.cores.server)],
                "its event loop": line(lambda step: step.cores.loop),
                "callers": line(lambda step: step.cores.callers),
                "others": line(lambda step: step.cores.others),
            },
            limit=float(psutil.cpu_count() or 1),
        ),
        Plot(
            "Memory of the server", "callers", "MiB",
            {
                "server": [
                    (0.0, rest.mib), *line(lambda step: percentile(step.memory_mib, 50))
                ]
            },
        ),
    ]  # fmt: skip


# --- words --------------------------------------------------------------------------------------
def _verdict(steps: Sequence[Step]) -> list[str]:
    cores = float(psutil.cpu_count() or 1)
    if not steps:
        return ["not one caller got through"]
    last = steps[-1]
    limits = f"{P50_LIMIT_MS:.0f}/{P95_LIMIT_MS:.0f} ms, {LATE_LIMIT:.0%} of the pictures"
    if last.keeps:
        return [f"the promise ({limits}) held with {_people(last.callers)}; more were not tried"]
    broken = ", ".join(last.broken())
    return [f"{_people(last.callers)} broke the promise ({limits}): {broken}; "
            f"{bound_by(last, cores)}"]  # fmt: skip


def _bounds(steps: Sequence[Step]) -> list[str]:
    """Tell which thread of one process is full first, however many cores there are."""
    found = []
    for step in (kept(steps) or list(steps[:1]))[-1:]:
        shares = {"event loop": step.cores.loop, **step.busy()}
        name = max(shares, key=lambda one: shares[one])
        found.append(
            f"with more cores the first thread of a process to be full is its {name}: "
            f"{shares[name]:.0%} with {_people(step.callers)}"
        )
    return found


def _doubts(steps: Sequence[Step]) -> list[str]:
    notes = []
    late = [step for step in steps if percentile(step.record.lag_ms, 99) > CALLER_LAG_MS]
    if late:
        worst = max(percentile(step.record.lag_ms, 99) for step in late)
        notes.append(
            f"from {_people(late[0].callers)} on the callers themselves woke up late (p99 up to "
            f"{worst:.0f} ms): what they report is later than what they were sent"
        )
    foreign = max((step.cores.others for step in steps), default=0.0)
    if foreign > FOREIGN_CORES:
        notes.append(f"the machine was not idle: others took up to {foreign:.2f} cores")
    skipped = [step.skipped_by_server() for step in steps]
    if any(sum(one.values()) for one in skipped):
        notes.append(
            "the server itself counted as skipped: " + "; ".join(
                f"{_people(step.callers)}: {one.get('video', 0):.0f} pictures, "
                f"{one.get('audio', 0):.0f} blocks of sound"
                for step, one in zip(steps, skipped, strict=True)
            )
        )  # fmt: skip
    return notes


def _busy_notes(busy: Busy, callers_kept: int) -> list[str]:
    if busy.step is None:
        return [
            f"with its own limit of load the server let {_people(busy.admitted)} in, all who asked"
        ]
    clean = sum(answer.is_busy for answer in busy.refusals)
    record = busy.step.record
    fared = (
        f"kept the promise ({_delays(record)} ms, {record.video.bad_share:.2%} of pictures late)"
        if busy.step.keeps
        else "broke the promise: " + ", ".join(busy.step.broken())
    )
    took_ms = percentile([answer.took_ms for answer in busy.refusals], 95)
    return [
        f"with its own limit of load the server took {_people(busy.admitted)} (it keeps the "
        f"promise to {callers_kept}) and refused the next: {len(busy.refusals)} refusals, {clean} "
        f"of them the clean busy answer, in {took_ms:.0f} ms (p95)"
        + (f"; {busy.let_in} times the load had just fallen" if busy.let_in else ""),
        f"those on the line meanwhile {fared}",
    ]
