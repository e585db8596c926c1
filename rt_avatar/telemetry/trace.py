"""The trace of a turn: when each stage was done, counted from the last voiced sample.

Marks are loop times; the record gives them in seconds after the last voiced sample, so the largest
number is what the caller waited. One INFO line a turn, without any word of what was said.
"""

import logging
from collections.abc import Mapping
from typing import Final, Literal, get_args

from rt_avatar.budget import Stage
from rt_avatar.engines.types import SPEECH_RATE_HZ
from rt_avatar.messages import Trace, TurnId
from rt_avatar.playout.reply import ReplyBuffer

_log = logging.getLogger(__name__)

Mark = Literal[
    "end_of_turn",
    "transcript_final",
    "plan",
    "first_clause",
    "first_chunk",
    "first_frame",
    "audio_released",
    "video_released",
]
MARKS: Final[tuple[Mark, ...]] = get_args(Mark)

# The stages on the way to the first sound, with the mark that ends each.
_ENDS: Final[Mapping[Stage, Mark]] = {
    "think": "plan",
    "word": "first_clause",
    "voice": "first_chunk",
    "face": "first_frame",
}


class TurnTrace:
    """Collects the marks of one turn; each is set once, the first time counts."""

    def __init__(self, turn: TurnId, begun_s: float) -> None:
        self.turn = turn
        self.begun_s = begun_s  # loop time at which the reply was begun
        self.last_voiced_s: float | None = None  # loop time; None for typed text and greetings
        self.preemptive_used = False
        self.degradation_steps: tuple[str, ...] = ()
        self.interrupted_at_s: float | None = None
        self._marks: dict[Mark, float] = {}

    def mark(self, name: Mark, loop_s: float) -> bool:
        """Note that a stage has done its part at that loop time; return whether it is the first."""
        is_first = name not in self._marks
        if is_first:
            self._marks[name] = loop_s
        return is_first

    def mark_released(self, reply: ReplyBuffer, *, was_interrupted: bool) -> None:
        """Note when the first sound and picture of a reply left, and where it was cut."""
        if reply.first_block_s is not None:
            self.mark("audio_released", reply.first_block_s)
        if reply.first_picture_s is not None:
            self.mark("video_released", reply.first_picture_s)
        if was_interrupted:
            self.interrupted_at_s = reply.position / SPEECH_RATE_HZ

    def stages_s(self) -> dict[Stage, float]:
        """Return what each stage took to the first sound and face, as far as they are marked."""
        stages = {}
        before_s = self.begun_s
        for stage, name in _ENDS.items():
            if name in self._marks:
                stages[stage] = self._marks[name] - before_s
                before_s = self._marks[name]
        return stages

    def record(self, pts: int) -> Trace:
        """Return the trace; without speech it counts from the earliest mark."""
        origin = self.last_voiced_s
        if origin is None:
            origin = min(self._marks.values(), default=0.0)
        return Trace(
            turn=self.turn,
            pts=pts,
            marks_s={
                name: round(self._marks[name] - origin, 4) for name in MARKS if name in self._marks
            },
            preemptive_used=self.preemptive_used,
            interrupted_at_s=self.interrupted_at_s,
            degradation_steps=self.degradation_steps,
        )


def log_trace(trace: Trace) -> None:
    """Write a finished turn's line to the log."""
    cut_s = trace.interrupted_at_s
    _log.info(
        "turn %d: %s%s%s%s",
        trace.turn,
        " ".join(f"{name}={value * 1000:.0f}ms" for name, value in trace.marks_s.items()),
        " preemptive" if trace.preemptive_used else "",
        "".join(f" {step}" for step in trace.degradation_steps),
        "" if cut_s is None else f" interrupted_at={cut_s * 1000:.0f}ms",
        extra={"turn": trace.turn},
    )
