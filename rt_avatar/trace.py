"""The trace of a turn: when each stage had done its part, counted from the last voiced sample.

Marks are loop times; the record gives them in seconds after the last voiced sample, so the largest
number is what the caller waited. Kept for the last turns; one INFO line a turn, without any word
of what was said.
"""

import logging
from collections import deque
from typing import Final, Literal

from rt_avatar.messages import Trace, TurnId

_log = logging.getLogger(__name__)

Mark = Literal[
    "end_of_turn",
    "transcript_final",
    "plan",
    "first_clause",
    "first_atom",
    "first_frame",
    "audio_released",
    "video_released",
]
MARKS: Final[tuple[Mark, ...]] = (
    "end_of_turn",
    "transcript_final",
    "plan",
    "first_clause",
    "first_atom",
    "first_frame",
    "audio_released",
    "video_released",
)
MAX_TRACES: Final = 50  # what the page's waterfall can show, and enough for a p95 at a glance


class TurnTrace:
    """Collects the marks of one turn; each is set once, the first time counts."""

    def __init__(self, turn: TurnId) -> None:
        self.turn = turn
        self.last_voiced_s: float | None = None  # loop time; None for typed text and greetings
        self.draft_used = False
        self.interrupted_at_s: float | None = None
        self._marks: dict[Mark, float] = {}

    def mark(self, name: Mark, loop_s: float) -> None:
        """Note that a stage has done its part at that loop time."""
        self._marks.setdefault(name, loop_s)

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
            draft_used=self.draft_used,
            interrupted_at_s=self.interrupted_at_s,
        )


class TraceBook:
    """The last traces of a session."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._traces: deque[Trace] = deque(maxlen=MAX_TRACES)

    def add(self, trace: Trace) -> None:
        """Keep a finished turn's trace and write its line."""
        self._traces.append(trace)
        _log.info(
            "turn %d: %s%s%s",
            trace.turn,
            " ".join(f"{name}={value * 1000:.0f}ms" for name, value in trace.marks_s.items()),
            " draft" if trace.draft_used else "",
            ""
            if trace.interrupted_at_s is None
            else f" interrupted_at={trace.interrupted_at_s * 1000:.0f}ms",
            extra={"session": self._session_id, "turn": trace.turn},
        )

    def latest(self) -> tuple[Trace, ...]:
        """Return the kept traces, oldest first."""
        return tuple(self._traces)
