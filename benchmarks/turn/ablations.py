"""What preemptive generation and thinking while listening save: turns with and without them.

All servers run all the time; the caller speaks some turns to one, then to the next, then the same
in reverse order, so that whatever else the machine does falls on all of them alike. Turns are
compared in pairs (the same utterance in the same block), as a ratio of medians with a 95 %
interval from resampled pairs: below 1 it saves.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rt_avatar.benchmarks.result import Result, percentile
from rt_avatar.benchmarks.scripted_llm import MODEL, running_llm
from rt_avatar.benchmarks.server import running_server
from rt_avatar.benchmarks.speech import Utterance
from rt_avatar.benchmarks.turn.outcome import Turn
from rt_avatar.benchmarks.turn.peer import hold
from rt_avatar.config.settings import Settings

BLOCK: Final = 4  # turns of a call: long enough to be one, short against the machine's moods
RESAMPLES: Final = 2000  # Efron & Tibshirani 1993, §13: enough for the ends of a 95 % interval
ENDS: Final = (2.5, 97.5)

NO_PREEMPTIVE: Final = ("--turn_detection.preemptive_generation", "false")
# The budget would give the steps up when they are slow, and hide what is compared.
NO_BUDGET: Final = ("--budget.enabled", "false")
WITH_MODEL: Final = ("--llm.kind", "empathyear", "--llm.model", MODEL, *NO_BUDGET)


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to run the server; ``with_model`` adds the scripted language model."""

    flags: tuple[str, ...]
    with_model: bool


@dataclass(frozen=True, slots=True)
class Ablations:
    """What is compared, by name; ``comparisons``: figure → with, without."""

    settings: Mapping[str, Setting]
    comparisons: Mapping[str, tuple[str, str]]
    note: str


OF_RULES: Final = Ablations(
    {
        "rules": Setting((), False),
        "rules, no preemptive generation": Setting(NO_PREEMPTIVE, False),
        "model": Setting((), True),
        "model, no preemptive generation": Setting(NO_PREEMPTIVE, True),
        "model, steps before each reply": Setting(("--llm.coe", "paper"), True),
        "model, no steps": Setting(("--llm.coe", "off"), True),
    },
    {
        "preemptive_ratio": ("rules", "rules, no preemptive generation"),
        "model_preemptive_ratio": ("model", "model, no preemptive generation"),
        "prethink_ratio": ("model", "model, steps before each reply"),
        "steps_ratio": ("model", "model, no steps"),
    },
    "The model is scripted: first token after 250 ms, then 60 a second; with it the budget is off.",
)
# Where the network is the reasoner. "paper" is left out: there the reply waits for its last word.
OF_NETWORK: Final = Ablations(
    {
        "network": Setting(NO_BUDGET, False),
        "network, no preemptive generation": Setting((*NO_BUDGET, *NO_PREEMPTIVE), False),
        "network, no steps": Setting((*NO_BUDGET, "--network.coe", "off"), False),
        "pipeline": Setting((*NO_BUDGET, "--network.pipeline", "true"), False),
    },
    {
        "network_preemptive_ratio": ("network", "network, no preemptive generation"),
        "network_steps_ratio": ("network", "network, no steps"),
        "pipeline_ratio": ("pipeline", "network"),
    },
    "In the pipeline words alone are handed on: the model neither hears nor sees. The budget is "
    "off. What an untrained network says has the length of chance.",
)


def ablations_for(settings: Settings) -> Ablations:
    """Return what to compare with a server of these settings."""
    return OF_NETWORK if settings.llm.kind == "empatheia" else OF_RULES


async def compare_settings(
    ablations: Ablations,
    utterances: Sequence[Utterance],
    turns: int,
    flags: Sequence[str],
    done: Callable[[], None],
) -> dict[str, list[Turn]]:
    """Speak so many turns with every setting; setting → its turns, in the same order for all.

    Args:
        ablations: The settings.
        utterances: What to say, round and round.
        turns: With each setting.
        flags: Settings of all servers.
        done: Called after each turn.
    """
    found: dict[str, list[Turn]] = {name: [] for name in ablations.settings}
    async with contextlib.AsyncExitStack() as stack:
        model = await stack.enter_async_context(running_llm())
        servers = {}
        for name, setting in ablations.settings.items():
            extra = ("--llm.base_url", model.url, *WITH_MODEL) if setting.with_model else ()
            servers[name] = stack.enter_context(running_server(*flags, *extra, *setting.flags))
        order = list(ablations.settings)
        for first in range(0, turns, BLOCK):
            count = min(BLOCK, turns - first)
            block = [utterances[(first + index) % len(utterances)] for index in range(count)]
            for name in order:
                found[name] += await hold(servers[name].address, block, lambda turn: done())
            order.reverse()
    return found


def ratio(
    with_it: Sequence[Turn], without: Sequence[Turn]
) -> tuple[float, float, float, list[tuple[float, float]]]:
    """Return the ratio of the median waits, the ends of its 95 % interval, and the pairs in ms.

    Args:
        with_it: Turns, in the order of ``without``.
        without: Turns. Pairs of which one has no time are left out.
    """
    pairs = [
        (a.sound_ms, b.sound_ms)
        for a, b in zip(with_it, without, strict=True)
        if a.sound_ms is not None and b.sound_ms is not None
    ]
    if not pairs:
        return float("nan"), float("nan"), float("nan"), []
    times = np.array(pairs)  # (pairs, 2)
    drawn = np.random.default_rng(1).integers(len(times), size=(RESAMPLES, len(times)))
    medians = np.median(times[drawn], axis=1)  # (RESAMPLES, 2)
    low, high = np.percentile(medians[:, 0] / medians[:, 1], ENDS)
    whole = np.median(times, axis=0)
    return float(whole[0] / whole[1]), float(low), float(high), pairs


def with_ablations(
    result: Result, ablations: Ablations, found: Mapping[str, Sequence[Turn]]
) -> Result:
    """Add the comparisons to a result."""
    rows, figures, samples = [list(row) for row in result.rows], {}, {}
    for name, turns in found.items():
        times = [turn.sound_ms for turn in turns if turn.sound_ms is not None]
        early = sum(turn.verdict == "early" for turn in turns)
        late = sum(turn.is_late for turn in turns)
        rows.append([
            f"ablation: {name}", str(len(times)), *(f"{percentile(times, p):.0f}"
            for p in (50, 90, 95)), f"{early} of {len(turns)}", f"{late} of {len(turns)}",
        ])  # fmt: skip
        samples[f"ablation: {name} (ms)"] = times
    for figure, (with_it, without) in ablations.comparisons.items():
        value, low, high, pairs = ratio(found[with_it], found[without])
        rows.append([
            f"{with_it} ÷ {without}: {value:.2f} (95 %: {low:.2f} to {high:.2f})",
            str(len(pairs)), "", "", "", "", "",
        ])  # fmt: skip
        figures[figure] = value
    note = (
        "Ablations: at a caller without a browser, turns interleaved, medians of pairs. "
        f"{ablations.note}"
    )
    return replace(
        result,
        rows=rows,
        figures={**result.figures, **figures},
        samples={**result.samples, **samples},
        notes=[*result.notes, note],
    )
