"""Trials of barge-in → the result: what is promised first, then how often a reply ended wrongly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from rt_avatar.benchmarks.bargein.events import (
    BACKCHANNEL,
    CONTROL,
    ECHO,
    INTERRUPTION,
    OVER_ECHO,
    RECORDED,
)
from rt_avatar.benchmarks.bargein.talk import Event
from rt_avatar.benchmarks.bargein.verdict import Timeline, Verdict, judge, usual_surplus_s
from rt_avatar.benchmarks.result import Plot, Result, percentile

PROMISE_MS: Final = 200.0
SHARES: Final = tuple(range(0, 101, 2))
Group = Literal["spoken", "early", "over echo", "echo", "control", "listened", "noise"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
COLUMNS: Final = (
    "over a reply", "n", "stopped", "paused", "left", "p50 ms", "p90", "p95", "max", "lost ms",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trial:
    """One event over one reply; no timeline if the avatar did not reply."""

    event: Event
    timeline: Timeline | None
    is_first: bool  # of its call: this caller was not heard before


@dataclass(frozen=True, slots=True)
class Judged:
    """A trial that could be measured."""

    event: Event
    verdict: Verdict
    is_first: bool
    had_begun: bool  # the event; False: the reply was stopped before


def judged(trials: Sequence[Trial]) -> list[Judged]:
    """Return a verdict for every trial with a reply that lasted long enough."""
    undisturbed = [one.timeline for one in trials if one.event.condition == CONTROL]
    usual_s = usual_surplus_s([one for one in undisturbed if one is not None])
    verdicts = [
        Judged(
            one.event, judge(one.timeline, usual_s), one.is_first, one.timeline.onset_s is not None
        )
        for one in trials
        if one.timeline is not None
    ]
    return [one for one in verdicts if _tells(one)]


def _tells(one: Judged) -> bool:
    """Whether a reply tells something: what was ignored was missed, if it was an interruption."""
    if one.verdict.outcome == "ignored":
        return one.event.condition in (INTERRUPTION, OVER_ECHO)
    return one.verdict.outcome != "finished"


def result(trials: Sequence[Trial], problems: Sequence[str]) -> Result:
    """Make the table, the figures and the plots."""
    all_ = judged(trials)
    groups: dict[str, list[Judged]] = {name: [] for name in GROUPS}
    for one in all_:
        groups[_group(one)].append(one)
    spoken, over, listened = groups["spoken"], groups["over echo"], groups["listened"]
    noises, echoed, control = groups["noise"], groups["echo"], groups["control"]
    silence, mouth, over_silence = _silences(spoken), _mouths(spoken), _silences(over)
    lost = [*_lost(listened), *_lost(noises), *_lost(echoed)]
    figures = {
        "p50_ms": percentile(silence, 50),
        "p95_ms": percentile(silence, 95),
        "max_ms": max(silence, default=float("nan")),
        "mouth_p95_ms": percentile(mouth, 95),
        "missed": sum(one.verdict.is_missed for one in spoken),
        "false_backchannel_percent": _percent(listened, "stopped"),
        "false_noise_percent": _percent(noises, "stopped"),
        "false_echo_percent": _percent(echoed, "stopped"),
        "n": len(spoken),
        "p90_ms": percentile(silence, 90),
        "mouth_p50_ms": percentile(mouth, 50),
        "slow": sum(value > PROMISE_MS for value in silence),
        "mouths": len(mouth),
        "paused_backchannel_percent": _percent(listened, "paused"),
        "paused_noise_percent": _percent(noises, "paused"),
        "paused_echo_percent": _percent(echoed, "paused"),
        "lost_p50_ms": percentile(lost, 50),
        "lost_max_ms": max(lost, default=float("nan")),
        "over_echo_p95_ms": percentile(over_silence, 95),
        "over_echo_missed": sum(one.verdict.is_missed for one in over),
        "false_control_percent": _percent(control, "stopped") + _percent(control, "paused"),
        "backchannels": len(listened),
        "noises": len(noises),
        "echo_replies": len(echoed),
        "over_echo": len(over),
        "hidden": sum(one.verdict.is_hidden for one in spoken),
        "unmeasured": len(trials) - len(all_) + len(groups["early"]),
    }
    return Result(
        "bargein",
        COLUMNS,
        _rows(spoken, over, [*control, *listened, *noises, *echoed]),
        figures,
        neutral=(
            "n", "mouths", "backchannels", "noises", "echo_replies", "over_echo", "hidden",
            "unmeasured",
        ),
        samples={
            "silence_ms": silence,
            "mouth_ms": mouth,
            "over_echo_ms": over_silence,
            "lost_backchannel_ms": _lost(listened),
            "lost_noise_ms": _lost(noises),
            "lost_echo_ms": _lost(echoed),
            # 100 for every event to which it happened, else 0: their means are the shares.
            **{
                f"{word}_{name}": [100.0 * (one.verdict.outcome == outcome) for one in group]
                for word, outcome in (("false", "stopped"), ("paused", "paused"))
                for name, group in (
                    ("backchannel", listened), ("noise", noises), ("echo", echoed),
                )
            },
        },
        plots=_plots(silence, mouth, over_silence, [*listened, *noises, *echoed]),
        notes=_notes(spoken, problems),
    )  # fmt: skip


def _group(one: Judged) -> Group:
    condition = one.event.condition
    if condition == INTERRUPTION:
        return "spoken" if one.had_begun else "early"
    if condition == OVER_ECHO:
        # A reply that was stopped before the caller interrupted it was stopped by its echo.
        return "over echo" if one.had_begun else "echo"
    if condition == CONTROL:
        return "control"
    if condition.startswith(f"{ECHO} "):
        return "echo"
    return "listened" if condition.startswith(f"{BACKCHANNEL} ") else "noise"


def _under(trials: Sequence[Judged], condition: str) -> list[Judged]:
    return [one for one in trials if one.event.condition == condition]


def _silences(trials: Sequence[Judged]) -> list[float]:
    """Return silence after the onset in ms, where the reply was cut while it sounded."""
    verdicts = [one.verdict for one in trials if not one.verdict.is_hidden]
    return [one.silence_s * 1000 for one in verdicts if one.silence_s is not None]


def _mouths(trials: Sequence[Judged]) -> list[float]:
    verdicts = [one.verdict for one in trials if not one.verdict.is_hidden]
    return [one.mouth_s * 1000 for one in verdicts if one.mouth_s is not None]


def _lost(trials: Sequence[Judged]) -> list[float]:
    paused = [one.verdict for one in trials if one.verdict.outcome == "paused"]
    return [one.lost_s * 1000 for one in paused if one.lost_s is not None]


def _percent(trials: Sequence[Judged], outcome: str) -> float:
    if not trials:
        return float("nan")
    return 100 * sum(one.verdict.outcome == outcome for one in trials) / len(trials)


# --- the table ----------------------------------------------------------------------------------
def _rows(
    spoken: Sequence[Judged], over: Sequence[Judged], others: Sequence[Judged]
) -> list[list[str]]:
    mouths = _mouths(spoken)
    parts = {
        "recorded voices": [one for one in spoken if one.event.name.startswith(RECORDED)],
        "made voices": [one for one in spoken if not one.event.name.startswith(RECORDED)],
        "the caller's first words": [one for one in spoken if one.is_first],
    }
    rows = [
        _row("interruption → silence", spoken, _silences(spoken)),
        *(_row(f"  {label}", part, _silences(part)) for label, part in parts.items() if part),
        _row(f"interruption → mouth closed, {len(mouths)} seen", spoken, mouths),
        _row("interruption over echo → silence", over, _silences(over)),
    ]
    conditions = dict.fromkeys(one.event.condition for one in others)
    order = sorted(conditions, key=lambda name: (not name.startswith(CONTROL), name))
    return [*rows, *(_row(name, _under(others, name), []) for name in order)]


def _row(label: str, trials: Sequence[Judged], delays_ms: Sequence[float]) -> list[str]:
    counts = [
        str(sum(one.verdict.outcome in outcomes for one in trials))
        for outcomes in (("stopped",), ("paused",), ("untouched", "ignored"))
    ]
    delays = [f"{percentile(delays_ms, share):.0f}" for share in (50, 90, 95, 100)]
    lost = _lost(trials)
    return [
        label, str(len(trials)), *counts, *(delays if delays_ms else [""] * 4),
        f"{percentile(lost, 50):.0f}–{max(lost):.0f}" if lost else "",
    ]  # fmt: skip


# --- pictures -----------------------------------------------------------------------------------
def _plots(
    silence: Sequence[float],
    mouth: Sequence[float],
    over: Sequence[float],
    others: Sequence[Judged],
) -> list[Plot]:
    named = {"silence": silence, "mouth closed": mouth, "silence, over echo": over}
    curves = {
        name: [(float(share), percentile(values, share)) for share in SHARES]
        for name, values in named.items()
        if values
    }
    bars: dict[str, list[tuple[float, float]]] = {}
    conditions = sorted({one.event.condition for one in others})
    for index, name in enumerate(conditions):
        bars[name] = [(float(index), _percent(_under(others, name), "stopped"))]
    return [
        Plot(
            "Voice begins over a reply", "share of interruptions, %", "ms after the onset", curves,
            limit=PROMISE_MS,
        ),
        Plot("Replies ended by what was no interruption", "", "% of events", bars, kind="bars"),
    ]  # fmt: skip


def _notes(spoken: Sequence[Judged], problems: Sequence[str]) -> list[str]:
    slow = [
        f"{one.event.name} {one.verdict.silence_s * 1000:.0f} ms"
        for one in spoken
        if one.verdict.silence_s is not None
        and not one.verdict.is_hidden
        and one.verdict.silence_s * 1000 > PROMISE_MS
    ]
    missed = [
        f"{one.event.name} ({one.verdict.outcome})" for one in spoken if one.verdict.is_missed
    ]
    notes = [
        "stopped: the reply ended; paused: it fell silent, then went on with the word that was cut "
        "(lost: how much later the reply then ends, median–worst); left: nothing of it was lost"
    ]
    if slow:
        notes.append(f"slower than promised: {', '.join(sorted(slow))}")
    if missed:
        notes.append(f"missed: {', '.join(sorted(missed))}")
    if problems:
        notes.append(f"the server's log has {len(problems)} warnings; the first: {problems[0]}")
    return notes
