"""Watch a turn's latency budget and take degradation steps when a deadline is at risk.

When a deadline is at risk the next degradation step is taken that relieves the slowest stage; when
all has gone well for a while, the last step is taken back. ``Effort`` is what is left: reasoner,
turn and face read it when they need it. One budget a session, on its event loop; it measures
nothing itself and knows no engine.

Two deadlines are watched: the first sound of a reply, and the 40 ms tick of the pictures (with the
200 ms that a chunk of sound and face may take to be made).

A step is offered only where something can take it: ``few_steps`` needs a face whose motion is
found by diffusion.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.config.settings import BudgetSettings
from rt_avatar.engines.types import CHUNK_S

_log = logging.getLogger(__name__)

Stage = Literal["think", "word", "voice", "face", "draw"]
Step = Literal["short_first_clause", "few_steps", "half_frame_rate", "no_fresh_chain", "idle_face"]

# In the order in which they are taken, with the stages that each relieves.
DEGRADATION_STEPS: Final[Mapping[Step, tuple[Stage, ...]]] = {
    "short_first_clause": ("word", "voice"),
    "few_steps": ("face",),
    "half_frame_rate": ("draw",),
    "no_fresh_chain": ("think",),
    "idle_face": ("face", "draw"),
}

# Shares of the time to the first sound. From a small language model at 60 tokens a second (half for
# the chain, a quarter for a first clause of eight words); voice and face take what is left over,
# many times what they take on an idle machine (docs/LOG.md).
SHARES: Final[Mapping[Stage, float]] = {"think": 0.50, "word": 0.25, "voice": 0.17, "face": 0.08}

# From the decision that the turn has ended to the first sound on the wire: final words, the next
# tick, the encoder. Measured 29 ms in the median (docs/LOG.md), with room for a busy machine.
RELEASE_S: Final = 0.08

# A picture is drawn in its tick of 40 ms, after which it is skipped; a quarter is for its encoder.
PICTURE_S: Final = 0.030
# A chunk made in more than this is no faster than it is played: the sound would break off.
CHUNK_LIMIT_S: Final = 0.9 * CHUNK_S

# Estimates rise at once and fall slowly: a late reply is worse than a plain one.
_RISE: Final = 0.7
_FALL: Final = 0.25
# A picture is one of 25 a second: at this weight a second of slow ones raises the estimate by 2/3,
# and no single one (a new face's textures, another process) takes a step.
_PICTURE_WEIGHT: Final = 0.04

# Turns in a row (or seconds, for pictures) that must go well before a step is taken back; twice as
# many each time that it had to be taken again, so that a lasting cause is not felt every few turns.
PATIENCE: Final = 3
MAX_PATIENCE: Final = 48
PICTURES_A_TRY: Final = 25
# "Well" leaves a margin, or the step would be needed again at once.
_WELL: Final = 0.8


@dataclass(frozen=True, slots=True)
class Effort:
    """What a reply and its face may cost now.

    Attributes:
        is_first_clause_short: End the first clause as early as it can be spoken.
        has_fresh_chain: Think the chain of empathy anew; else use what was thought before.
        draw_every: Draw every so many ticks; in between the last picture is repeated.
        moves_face: Move the face to the speech; else it idles while the voice speaks.
        few_steps: Find its motion in fewer steps, where it is found by steps.
    """

    is_first_clause_short: bool = False
    has_fresh_chain: bool = True
    draw_every: int = 1
    moves_face: bool = True
    few_steps: bool = False


FULL_EFFORT: Final = Effort()
_IDLE_DRAW_EVERY: Final = 5  # five pictures a second: the face still lives


@dataclass(slots=True)
class _StepState:
    """A step's history: how patient to be before taking it back."""

    patience: int = PATIENCE
    well: int = 0  # turns (or seconds of pictures) that went well since it was taken
    is_taken: bool = False
    cause: Stage | None = None  # which stage it was taken for
    was_taken_back: bool = False  # and nothing has gone well since


def begins_after_s(settings: TurnDetectionSettings) -> float:
    """Return how long after the last voiced sample a reply is mostly begun, in seconds."""
    if settings.preemptive_generation:
        return settings.preemptive_silence_ms / 1000
    # Between the silence that ends a finished sentence and an unfinished one; most sound finished.
    return (3 * settings.min_endpointing_delay_ms + settings.max_endpointing_delay_ms) / 4000


class Budget:
    """The deadlines of one session.

    Responsibilities: 1. keep what each stage takes; 2. take and take back steps; 3. say what effort
    is left (``effort``), and which steps a turn felt (``take_felt``).

    Args:
        settings: The deadline, and whether there is one.
        begins_after_s: How long after the last voiced sample a reply is begun at best, in seconds:
            the silence before a preemptive reply.
        has_steps: Whether the face's motion is found by steps, of which some can be left out.
    """

    def __init__(
        self, settings: BudgetSettings, begins_after_s: float, has_steps: bool = False
    ) -> None:
        self._is_enabled = settings.enabled
        # What is left for making the first sound, from the moment a reply is begun.
        self.making_s = max(0.1, settings.first_sound_ms / 1000 - begins_after_s - RELEASE_S)
        self.effort = FULL_EFFORT
        self._took: dict[Stage, float] = {}
        self._picture_s = 0.0
        self._pictures = 0
        self._slow_pictures = 0
        self._step_states: dict[Step, _StepState] = {
            step: _StepState() for step in DEGRADATION_STEPS if step != "few_steps" or has_steps
        }
        self._felt: list[Step] = []

    # --- what is measured ---------------------------------------------------------------------
    def note_turn(self, took: Mapping[Stage, float]) -> None:
        """Take what the stages of a turn took to its first sound and face, in seconds."""
        if not self._is_enabled:
            return
        for stage, seconds in took.items():
            known = self._took.get(stage, 0.0)
            self._took[stage] = known + (_RISE if seconds > known else _FALL) * (seconds - known)
        if sum(self._took.values()) > self.making_s:
            slowest = sorted(took, key=lambda stage: -self._took[stage] / SHARES[stage])
            self._take_for([s for s in slowest if self._took[s] > SHARES[s] * self.making_s])
        elif sum(took.values()) < _WELL * self.making_s:
            self._went_well(("think", "word", "voice", "face"))

    def note_chunk(self, stage: Stage, seconds: float) -> None:
        """Take how long a stage took for a further 200 ms of a reply."""
        if self._is_enabled and seconds > CHUNK_LIMIT_S:
            self._take_for([stage])

    def note_picture(self, seconds: float) -> None:
        """Take how long a drawn picture took, waiting for the thread included."""
        if not self._is_enabled:
            return
        self._picture_s += _PICTURE_WEIGHT * (seconds - self._picture_s)
        self._pictures += 1
        self._slow_pictures += seconds > _WELL * PICTURE_S
        if (
            self._picture_s > PICTURE_S * self.effort.draw_every
            and self._pictures >= PICTURES_A_TRY // 2
        ):
            self._take_for(["draw"])
            self._forget_pictures()
        elif self._pictures >= PICTURES_A_TRY:
            if self._slow_pictures <= PICTURES_A_TRY // 10:
                self._went_well(("draw",))
            self._pictures = self._slow_pictures = 0

    # --- what is left -------------------------------------------------------------------------
    @property
    def chain_limit_s(self) -> float | None:
        """How long to wait for a fresh chain in this turn before doing without; None: for ever."""
        if not self._is_enabled or not self.effort.has_fresh_chain:
            return None
        return self.making_s

    def gave_up_chain(self) -> None:
        """A turn waited ``chain_limit_s`` in vain and goes on without a fresh chain."""
        self._took["think"] = self.making_s
        self._take("no_fresh_chain", "think")

    def take_felt(self) -> tuple[Step, ...]:
        """Return the steps in force since the last call; those still in force stay felt."""
        felt = tuple(step for step in DEGRADATION_STEPS if step in self._felt)
        self._felt = [step for step, state in self._step_states.items() if state.is_taken]
        return felt

    # --- degradation steps -----------------------------------------------------------------------
    def _take_for(self, stages: list[Stage]) -> None:
        """Take the next step that relieves the first of these stages that can be relieved."""
        for stage in stages:
            for step, state in self._step_states.items():
                if stage in DEGRADATION_STEPS[step] and not state.is_taken:
                    self._take(step, stage)
                    return

    def _take(self, step: Step, cause: Stage) -> None:
        state = self._step_states[step]
        if state.was_taken_back:  # the cause lasts
            state.patience = min(MAX_PATIENCE, 2 * state.patience)
        state.is_taken, state.cause, state.well, state.was_taken_back = True, cause, 0, False
        self._felt.append(step)
        for stage in DEGRADATION_STEPS[
            step
        ]:  # known with more effort; what it takes now is learnt anew
            self._took.pop(stage, None)
        _log.info("budget: %s, because of %s", step, cause)
        self._set_effort()

    def _went_well(self, stages: tuple[Stage, ...]) -> None:
        """Count for the steps taken for these stages; take the last back when it was enough."""
        for step, state in reversed(self._step_states.items()):
            if state.cause not in stages:
                continue
            state.well += 1
            if not state.is_taken:
                if state.was_taken_back and state.well >= state.patience:  # the cause is gone
                    state.was_taken_back, state.patience = False, PATIENCE
                continue
            if state.well >= state.patience:
                state.is_taken, state.well, state.was_taken_back = False, 0, True
                _log.info("budget: %s taken back", step)
                self._set_effort()
            return

    def _set_effort(self) -> None:
        taken = {step for step, state in self._step_states.items() if state.is_taken}
        every = 2 if "half_frame_rate" in taken else 1
        self.effort = Effort(
            is_first_clause_short="short_first_clause" in taken,
            has_fresh_chain="no_fresh_chain" not in taken,
            draw_every=_IDLE_DRAW_EVERY if "idle_face" in taken else every,
            moves_face="idle_face" not in taken,
            few_steps="few_steps" in taken,
        )

    def _forget_pictures(self) -> None:
        self._picture_s, self._pictures, self._slow_pictures = 0.0, 0, 0
