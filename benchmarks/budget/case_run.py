"""Run one case of the budget's benchmark: a call in which one stage is slow for a while."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from rt_avatar.benchmarks.local_call import LocalCall, Watched, local_call
from rt_avatar.config.settings import Settings
from rt_avatar.reasoner import Reasoner
from rt_avatar.services.engines import Engines

SAID: Final = (
    "My sister is getting married next month and I am so glad.",
    "I had a very long day and nothing worked the way I wanted.",
    "I am a little afraid of the exam tomorrow.",
    "Nobody called me on my birthday.",
    "We walked along the river until it got dark.",
)
WATCHED_S: Final = 2.0  # within the length of a reply of the rules, 4 to 8 s


@dataclass(frozen=True, slots=True)
class Phases:
    """How many turns before, during and after the slowness; the first of all is not counted."""

    calm: int
    slow: int
    back: int

    @property
    def total(self) -> int:
        """All turns."""
        return 1 + self.calm + self.slow + self.back


@dataclass(slots=True)
class Phase:
    """What was measured in one phase, turn by turn.

    Attributes:
        first_sound_s: From the typed words to the first sound.
        degradation_steps: Steps in force.
        sent_hz: Pictures sent a second, where replies are watched.
        drawn_hz: Of them, newly drawn ones.
        breaks: How often the sound broke off, because nothing was made in time.
    """

    first_sound_s: list[float] = field(default_factory=list)
    degradation_steps: list[tuple[str, ...]] = field(default_factory=list)
    sent_hz: list[float] = field(default_factory=list)
    drawn_hz: list[float] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)


@dataclass(slots=True)
class CaseRun:
    """A whole case."""

    calm: Phase = field(default_factory=Phase)
    slow: Phase = field(default_factory=Phase)
    back: Phase = field(default_factory=Phase)

    @property
    def taken(self) -> tuple[str, ...]:
        """Every step that was in force while it was slow, in their order."""
        return tuple(dict.fromkeys(step for steps in self.slow.degradation_steps for step in steps))

    @property
    def turns_to_full(self) -> float:
        """Calm turns until one without any step; NaN if there was none."""
        for turn, steps in enumerate(self.back.degradation_steps):
            if not steps:
                return float(turn)
        return float("nan")


async def run_case(
    settings: Settings,
    engines: Engines,
    reasoner: Reasoner,
    slow_down: Callable[[bool], None],
    phases: Phases,
    is_watched: bool,
    advance: Callable[[], None],
) -> CaseRun:
    """Make one call: calm, slow, calm again.

    Args:
        settings: Of the session.
        engines: To be shared; the slow ones among them obey ``slow_down``.
        reasoner: Who answers.
        slow_down: Called with True, later with False.
        phases: How many turns.
        is_watched: Whether replies go on for a while, to watch pictures and sound.
        advance: Called after every turn.
    """
    case_run = CaseRun()
    async with local_call(settings, engines, reasoner) as call:
        await call.turn(SAID[0])
        advance()
        try:
            for phase, turns, is_slow in (
                (case_run.calm, phases.calm, False),
                (case_run.slow, phases.slow, True),
                (case_run.back, phases.back, False),
            ):
                slow_down(is_slow)
                for turn in range(turns):
                    await _live_through(call, phase, SAID[turn % len(SAID)], is_watched)
                    advance()
        finally:
            slow_down(False)
    return case_run


async def _live_through(call: LocalCall, phase: Phase, said: str, is_watched: bool) -> None:
    """One turn."""
    watched = Watched(WATCHED_S) if is_watched else None
    first_s, trace = await call.turn(said, watched)
    phase.first_sound_s.append(first_s)
    phase.degradation_steps.append(trace.degradation_steps)
    if watched is not None:
        phase.sent_hz.append(watched.sent / WATCHED_S)
        phase.drawn_hz.append(watched.drawn / WATCHED_S)
        phase.breaks.append(watched.breaks)
