"""The budget held: each stage slowed in turn, what is given up for it, and that it comes back.

A session of this process on the real engines (no network, no encoder), in typed turns. For each
stage: calm turns, slow turns, calm turns again; once with the budget and once without. Slow engines
sleep so much longer in each push; the language model is a scripted endpoint of so many tokens a
second, asked by the real reasoner. The deadline is what the 800 ms after the last voiced sample
leave for a reply that is begun at the first pause (660 ms); typed turns are used so that the spread
of endpointing does not hide it. For pictures the deadline is 25 a second.

"First slow" is the turn that takes the step: it may be late. "Kept" are the slow turns after it
that met the deadline. "Back after" counts the calm turns until nothing is given up any more ("–":
there were too few of them).
The quick form has fewer turns and leaves the slowest pictures out.
What it does not show: how much worse a shorter or plainer reply is, and several causes at once.
"""

import argparse
import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from math import isnan
from typing import Final, Literal

from rich.console import Console
from rich.progress import Progress

from rt_avatar.benchmarks.budget.case_run import WATCHED_S, CaseRun, Phase, Phases, run_case
from rt_avatar.benchmarks.budget.slow import SlowedEngine
from rt_avatar.benchmarks.result import Plot, Result, percentile
from rt_avatar.benchmarks.scripted_llm import MODEL, SCRIPTS, Script, ScriptedLlm, running_llm
from rt_avatar.benchmarks.settings import settings_of
from rt_avatar.budget import PATIENCE, begins_after_s
from rt_avatar.config.settings import LlmSettings, Settings
from rt_avatar.errors import SetupError
from rt_avatar.reasoner.factory import make_reasoner
from rt_avatar.services.engine_choice import make_voice
from rt_avatar.services.engines import Engines, load_engines
from rt_avatar.tts.service import LocalTts

# Back: enough to climb two steps, and to see that it stays there.
FULL: Final = Phases(calm=4, slow=10, back=4 * PATIENCE)
QUICK: Final = Phases(calm=1, slow=3, back=PATIENCE + 1)

LEAST_HZ: Final = 24.75  # 25 a second with 1 % late
FIRST_TOKEN_S: Final = 0.05
CALM_TOKENS_PER_S: Final = 400.0
# A small model on a busy processor: a chain of 50 tokens takes 2 s, a first clause of ten 0.4.
CHAIN_TOKENS_PER_S: Final = 25.0
# Without a chain: ten words, after which a clause may end, take 0.9 s; six take 0.5.
WORD_TOKENS_PER_S: Final = 18.0
# Begins with a long clause, as models do that do not follow the prompt well.
WORDY: Final = (
    Script(
        "emotion: sad",
        "reply: It sounds like you have been carrying a lot of things for a very long time now. "
        "What would help you most tonight?",
    ),
)
VOICE_S_PER_CHARACTER: Final = 0.015  # a first clause of 46 characters (the median): 0.7 s
FACE_S_PER_CHUNK: Final = 0.3  # 200 ms of face in 300 ms: too slow for any reply
# A picture in its tick of 40 ms: too slow for 25, in time for 12.5, too slow for both.
DRAW_S: Final = 0.045
DRAW_VERY_S: Final = 0.09
_FEWEST: Final = 2  # slow turns: the first meets a deadline that nobody knew to be at risk


@dataclass(frozen=True, slots=True)
class Case:
    """One way to be slow.

    Attributes:
        what: For people.
        slow_down: Called with True to begin, with False to end it.
        reasoner: Whose settings: the rules, or the scripted model.
        watched: Which deadline is at risk.
    """

    what: str
    slow_down: Callable[[bool], None]
    reasoner: LlmSettings
    watched: Literal["first sound", "pictures", "breaks"] = "first sound"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare how many turns."""
    parser.add_argument(
        "--turns", type=int, help=f"slow turns of each case, 2 or more [{FULL.slow}]"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Run every case with and without the budget.

    Raises:
        SetupError: Fewer than two slow turns: the first of them is not counted.
    """
    if arguments.turns is not None and arguments.turns < _FEWEST:
        raise SetupError(f"--turns: expected {_FEWEST} or more, got {arguments.turns}")
    settings = settings_of(arguments.flags)
    phases = QUICK if arguments.quick else FULL
    if arguments.turns:
        phases = replace(phases, slow=arguments.turns)
    return asyncio.run(_measure(settings, phases, arguments.quick))


async def _measure(settings: Settings, phases: Phases, is_quick: bool) -> Result:
    settings = replace(settings, avatar=replace(settings.avatar, greeting=False))
    held: dict[str, CaseRun] = {}
    free: dict[str, CaseRun] = {}
    engines = load_engines(settings)
    try:
        async with AsyncExitStack() as stack:
            llm = await stack.enter_async_context(running_llm(FIRST_TOKEN_S, CALM_TOKENS_PER_S))
            cases = _cases(engines, settings, llm)
            if is_quick:
                del cases["picture2"]
            bar = stack.enter_context(Progress(console=Console(stderr=True)))
            task = bar.add_task("turns", total=len(cases) * (2 * phases.total - phases.back))
            for name, case in cases.items():
                for case_runs, is_enabled in ((held, True), (free, False)):
                    text = f"{name}, {'with' if is_enabled else 'without'} the budget"
                    bar.update(task, description=text)
                    budget = replace(settings.budget, enabled=is_enabled)
                    lived = phases if is_enabled else replace(phases, back=0)
                    case_runs[name] = await run_case(
                        replace(settings, budget=budget, llm=case.reasoner),
                        engines,
                        make_reasoner(case.reasoner, engines.metrics),
                        case.slow_down,
                        lived,
                        case.watched != "first sound",
                        lambda: bar.advance(task),
                    )
    finally:
        engines.close()
    deadline_s = settings.budget.first_sound_ms / 1000 - begins_after_s(settings.turn_detection)
    return _result(cases, held, free, deadline_s)


def _cases(engines: Engines, settings: Settings, llm: ScriptedLlm) -> dict[str, Case]:
    """Put slow engines in the places of the real ones; return who slows what."""
    rules = LlmSettings(kind="reflective")
    model = LlmSettings(base_url=llm.url, model=MODEL)
    voice = SlowedEngine(make_voice(settings.tts), lambda request: len(request.text))
    face = SlowedEngine(engines.articulator)
    rig = SlowedEngine(engines.rig)
    engines.speech = LocalTts(voice, engines.voice_worker)
    engines.articulator = face
    engines.rig = rig

    def slows(engine: SlowedEngine, extra_s: float) -> Callable[[bool], None]:
        def slow_down(is_slow: bool) -> None:
            engine.extra_s = extra_s if is_slow else 0.0

        return slow_down

    def tokens(per_s: float, scripts: Sequence[Script]) -> Callable[[bool], None]:
        def slow_down(is_slow: bool) -> None:
            llm.tokens_per_s = per_s if is_slow else CALM_TOKENS_PER_S
            llm.scripts = scripts

        return slow_down

    return {
        "word": Case(
            f"a model of {WORD_TOKENS_PER_S:.0f} tokens/s, no chain",
            tokens(WORD_TOKENS_PER_S, WORDY),
            replace(model, coe="off"),
        ),
        "voice": Case(
            f"a voice {VOICE_S_PER_CHARACTER * 1000:.0f} ms/character slower",
            slows(voice, VOICE_S_PER_CHARACTER),
            rules,
        ),
        "picture": Case(
            f"pictures {DRAW_S * 1000:.0f} ms slower", slows(rig, DRAW_S), rules, "pictures"
        ),
        "think": Case(
            f"a model of {CHAIN_TOKENS_PER_S:.0f} tokens/s, chain first",
            tokens(CHAIN_TOKENS_PER_S, SCRIPTS),
            replace(model, coe="paper"),
        ),
        "face": Case(
            f"a face {FACE_S_PER_CHUNK * 1000:.0f} ms/chunk slower",
            slows(face, FACE_S_PER_CHUNK),
            rules,
            "breaks",
        ),
        "picture2": Case(
            f"pictures {DRAW_VERY_S * 1000:.0f} ms slower",
            slows(rig, DRAW_VERY_S),
            rules,
            "pictures",
        ),
    }


# --- what it came to ----------------------------------------------------------------------------
def _is_kept(case: Case, case_run: CaseRun, deadline_s: float) -> float:
    """Percent of the slow turns after the first that kept the deadline."""
    if case.watched == "pictures":
        kept = [hz >= LEAST_HZ for hz in case_run.slow.sent_hz[1:]]
    elif case.watched == "breaks":
        kept = [breaks == 0 for breaks in case_run.slow.breaks[1:]]
    else:
        kept = [first_s <= deadline_s for first_s in case_run.slow.first_sound_s[1:]]
    return 100 * sum(kept) / len(kept)


def _shown(case: Case, phase: Phase, *, skip: int = 0) -> str:
    """What was watched in a phase, for people."""
    if case.watched == "pictures":
        sent, drawn = percentile(phase.sent_hz[skip:], 50), percentile(phase.drawn_hz[skip:], 50)
        return f"{sent:.1f}/s, {drawn:.1f} new"
    if case.watched == "breaks":
        return f"{percentile(phase.breaks[skip:], 50):.0f} breaks in {WATCHED_S:.0f} s"
    return f"{percentile(phase.first_sound_s[skip:], 50) * 1000:.0f} ms"


def _result(
    cases: dict[str, Case], held: dict[str, CaseRun], free: dict[str, CaseRun], deadline_s: float
) -> Result:
    rows, kept, kept_free = [], {}, {}
    for name, case in cases.items():
        case_run = held[name]
        kept[name] = _is_kept(case, case_run, deadline_s)
        kept_free[name] = _is_kept(case, free[name], deadline_s)
        rows.append(
            (
                case.what,
                _shown(case, case_run.calm),
                _shown(case, free[name].slow, skip=1),
                _shown(case, case_run.slow, skip=1),
                f"{kept_free[name]:.0f} → {kept[name]:.0f} %",
                ", ".join(case_run.taken) or "nothing",
                "–" if isnan(case_run.turns_to_full) else f"{case_run.turns_to_full:.0f} turns",
            )
        )
    timed = [name for name, case in cases.items() if case.watched == "first sound"]
    figures = {
        "kept_percent": min(kept.values()),
        "kept_without_percent": sum(kept_free.values()) / len(kept_free),
        **{f"{name}_kept_percent": kept[name] for name in cases},
        **{f"{name}_back_turns": held[name].turns_to_full for name in cases},
        "deadline_ms": deadline_s * 1000,
    }
    return Result(
        name="budget",
        columns=(
            "slowed",
            "calm",
            "slow, no budget",
            "slow, budget",
            "kept",
            "given up",
            "back after",
        ),
        rows=rows,
        figures=figures,
        higher_is_better=tuple(key for key in figures if "kept" in key),
        neutral=("deadline_ms", "kept_without_percent"),
        samples={
            f"{name}, {label}": [first_s * 1000 for first_s in case_runs[name].slow.first_sound_s]
            for name in timed
            for label, case_runs in (("with", held), ("without", free))
        },
        plots=[_plot(name, cases[name], held[name], free[name], deadline_s) for name in timed],
        notes=(
            "Typed turns in one process; the deadline is what is left of the first sound's after "
            "the silence before a preemptive reply.",
            "Fewer diffusion steps are no step here: the default face is not made by diffusion.",
        ),
    )


def _plot(name: str, case: Case, held: CaseRun, free: CaseRun, deadline_s: float) -> Plot:
    def points(case_run: CaseRun) -> list[tuple[float, float]]:
        phases = (case_run.calm, case_run.slow, case_run.back)
        times = [first_s * 1000 for phase in phases for first_s in phase.first_sound_s]
        return [(float(turn), ms) for turn, ms in enumerate(times, 1)]

    return Plot(
        title=f"{case.what}: from turn {len(held.calm.first_sound_s) + 1} "
        f"for {len(held.slow.first_sound_s)} turns",
        x_label="turn",
        y_label="first sound, ms",
        lines={"with the budget": points(held), "without": points(free)},
        limit=deadline_s * 1000,
    )
