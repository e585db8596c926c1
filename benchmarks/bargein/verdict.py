"""What became of a reply over which something was heard: its moments at the caller → a verdict.

A reply that is *stopped* is over. One that is *paused* falls silent and goes on later, from the
beginning of the word that was cut. The server tells of the first (``trace``), never of the second,
and it cannot be told from a pause between two sentences by listening. So the caller, when it
has heard enough, asks the server to stop: the trace then tells how much of the reply had been
played, and what is missing against the time since its first sound was lost to pauses (silence, and
words said twice). Pure: no clock, no asyncio.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

Outcome = Literal["stopped", "paused", "untouched", "ignored", "finished"]

# The playout counts in ticks of 40 ms and a first sound is up to 60 ms behind a reply's beginning;
# replies over which nothing happened scatter by less than this. The shortest pause is longer: 96 ms
# until it is decided, and the rest of the word that is repeated.
HELD_S: Final = 0.09
# The median surplus of six undisturbed replies on an idle machine, -19 to -59 ms.
USUAL_S: Final = -0.036
ENOUGH: Final = 3
# A reply that was not stopped a second after the voice began was not interrupted.
MISSED_S: Final = 1.0
# The reply's last sound may be so much older than the place at which it was cut: a tick, and the
# soft end of a syllable. More is a pause of the reply's own, in which no cut can be heard.
PAUSE_S: Final = 0.12


@dataclass(frozen=True, slots=True)
class Timeline:
    """The moments of one reply at the caller, in loop time.

    Attributes:
        first_s: Its first audible sample.
        onset_s: Onset of what was played over it; None if it was stopped before, or nothing was.
        last_s: Its last audible sample.
        reported_s: When the server told that it was over.
        asked_s: When the caller asked for that; None if it was over before.
        was_cut: Whether the server cut it short (asked or not).
        played_s: How much of it was played until it was cut; None if unknown or not cut.
        mouth_s: When the mouth was first seen closed; None if unknown.
    """

    first_s: float
    onset_s: float | None
    last_s: float
    reported_s: float
    asked_s: float | None
    was_cut: bool
    played_s: float | None = None
    mouth_s: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of it.

    Attributes:
        outcome: ``finished`` was over by itself too early to tell, ``ignored`` by itself, too, but
            more than a second after the onset.
        silence_s: From the onset to the last audible sample, if it was stopped after an onset.
        mouth_s: From the onset to the closed mouth, likewise.
        lost_s: Time lost to pauses, if it was neither stopped nor finished.
        is_hidden: It was stopped in a pause of its own: its silence says nothing.
    """

    outcome: Outcome
    silence_s: float | None = None
    mouth_s: float | None = None
    lost_s: float | None = None
    is_hidden: bool = False

    @property
    def is_missed(self) -> bool:
        """Whether an interruption was not taken as one within a second."""
        if self.outcome == "stopped":
            return self.silence_s is not None and self.silence_s > MISSED_S
        return self.outcome != "finished"


def surplus_s(timeline: Timeline) -> float | None:
    """Return how much longer it took than what was played of it; None if that is unknown.

    Over a reply that nothing disturbed it is near zero and nearly always the same: the time of
    the line, less the playout's tick and the reply's quiet beginning.
    """
    if timeline.asked_s is None or timeline.played_s is None:
        return None
    return timeline.asked_s - timeline.first_s - timeline.played_s


def usual_surplus_s(undisturbed: Sequence[Timeline]) -> float:
    """Return the median surplus of replies over which nothing happened.

    With fewer than three of them one that stuttered would count too much: then it is the usual.
    """
    known = [surplus for one in undisturbed if (surplus := surplus_s(one)) is not None]
    return median(known) if len(known) >= ENOUGH else USUAL_S


def judge(timeline: Timeline, usual_s: float) -> Verdict:
    """Say what became of a reply, given the usual surplus of undisturbed ones."""
    if timeline.asked_s is None:
        return _stopped(timeline, usual_s) if timeline.was_cut else _finished(timeline)
    surplus = surplus_s(timeline)
    if surplus is None:  # it came to its end just when the caller asked
        return _finished(timeline)
    lost_s = surplus - usual_s
    if lost_s <= HELD_S:
        return Verdict("untouched", lost_s=0.0)
    return Verdict("paused", lost_s=lost_s)


def _finished(timeline: Timeline) -> Verdict:
    onset_s = timeline.onset_s
    is_ignored = onset_s is not None and timeline.last_s - onset_s > MISSED_S
    return Verdict("ignored" if is_ignored else "finished")


def _stopped(timeline: Timeline, usual_s: float) -> Verdict:
    onset_s = timeline.onset_s
    if onset_s is None:
        return Verdict("stopped")
    is_hidden = timeline.last_s <= onset_s
    if timeline.played_s is not None:
        cut_s = timeline.first_s + timeline.played_s + usual_s
        is_hidden = is_hidden or cut_s - timeline.last_s > PAUSE_S
    return Verdict(
        "stopped",
        silence_s=max(0.0, timeline.last_s - onset_s),
        mouth_s=None if timeline.mouth_s is None else timeline.mouth_s - onset_s,
        is_hidden=is_hidden,
    )
