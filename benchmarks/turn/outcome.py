"""What became of a turn: what the caller heard, saw and was told → answered, early or unanswered.

Pure: times come in on one clock, whoever measured them. Knows no peer and no browser.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

# The promised p95: who waits longer waits too long.
LATE_MS: Final = 800.0
# A reply that begins later than this after the end of speech is no reply to it any more. The noise
# of noisy utterances goes on for as long (``speech_variants``).
ANSWER_S: Final = 3.0
# So long without a sound is silence: longer than any break between two words.
QUIET_S: Final = 0.3
# The plan is told just before the reply's first sound leaves; so much later it is another reply's.
PLAN_SLACK_S: Final = 0.5

Message = Mapping[str, Any]  # JSON of docs/protocol.md
Verdict = Literal["answered", "early", "unanswered"]


@dataclass(frozen=True, slots=True)
class Witness:
    """What was noticed of one turn at the caller; loop or page seconds, all on one clock.

    Attributes:
        begin_s: First voiced sample of the caller.
        end_s: After the last voiced one: the true end of speech.
        sounds: Stretches (begin, end) in which the avatar was audible, in order.
        moved_s: First picture in which the mouth moved after the end of speech.
        messages: What the server told, with the time of its coming.
        voiced: Stretches (begin, end) in which the caller was audible, where they are known.
    """

    begin_s: float
    end_s: float
    sounds: Sequence[tuple[float, float]]
    moved_s: float | None
    messages: Sequence[tuple[float, Message]]
    voiced: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of one turn; times in ms after the true end of speech.

    Attributes:
        name: Of the utterance.
        variant: Of the utterance.
        verdict: ``early``: the avatar was audible before the caller had finished. ``unanswered``:
            it was not audible until ``ANSWER_S`` after it.
        released_early: A reply was let go before the caller had finished, heard or not: what is
            discarded in time nobody notices.
        sound_ms: First sound of an answered turn.
        eye_ms: First motion of the mouth of an answered turn.
        line_ms: From the server's first block to the sound: line, buffers, decoder.
        marks_ms: The server's trace, moved from what it took for the end of speech to the true one.
        preemptive_used: Whether the reply had been generated preemptively in the pause.
        yielded_ms: From where the caller goes on to the last sound of a reply that came too early.
        is_whole: Whether all that was said in such a turn was answered together.
    """

    name: str
    variant: str
    verdict: Verdict
    released_early: bool = False
    sound_ms: float | None = None
    eye_ms: float | None = None
    line_ms: float | None = None
    marks_ms: Mapping[str, float] = field(default_factory=dict)
    preemptive_used: bool = False
    yielded_ms: float | None = None
    is_whole: bool = False

    @property
    def is_late(self) -> bool:
        """Whether the caller waited longer than is promised."""
        return self.verdict == "unanswered" or (self.sound_ms or 0.0) > LATE_MS


def judge(name: str, variant: str, seen: Witness) -> Turn:
    """Say what became of a turn."""
    released_early = any(
        message["type"] == "state"
        and message["state"] != "listening"
        and seen.begin_s < at_s < seen.end_s
        for at_s, message in seen.messages
    )
    if any(begin < seen.end_s and end > seen.begin_s for begin, end in seen.sounds):
        yielded_ms = _yielded_ms(seen)
        is_whole = _is_answered_whole(seen)
        return Turn(
            name, variant, "early", released_early=True, yielded_ms=yielded_ms, is_whole=is_whole
        )
    first_s = next((begin for begin, _ in seen.sounds if begin >= seen.end_s), None)
    if first_s is None or first_s > seen.end_s + ANSWER_S:
        return Turn(name, variant, "unanswered", released_early)

    def after_end(at_s: float | None) -> float | None:
        return None if at_s is None else (at_s - seen.end_s) * 1000

    plan_s, trace = _reply_of(seen.messages, first_s)
    marks: dict[str, float] = {}
    if plan_s is not None and trace is not None and "audio_released" in trace["marks_ms"]:
        # The plan is told as the first block leaves; by it the server's clock is laid on ours.
        shift_ms = (plan_s - seen.end_s) * 1000 - trace["marks_ms"]["audio_released"]
        marks = {mark: at_ms + shift_ms for mark, at_ms in trace["marks_ms"].items()}
    return Turn(
        name,
        variant,
        "answered",
        released_early,
        sound_ms=after_end(first_s),
        eye_ms=after_end(seen.moved_s),
        line_ms=None if plan_s is None else (first_s - plan_s) * 1000,
        marks_ms=marks,
        preemptive_used=trace is not None and bool(trace["preemptive_used"]),
    )


def _yielded_ms(seen: Witness) -> float | None:
    """Return how long the avatar still sounded over the caller who went on; None if unknown."""
    began_s = next(max(begin, seen.begin_s) for begin, end in seen.sounds if end > seen.begin_s)
    over = [(max(begin, began_s), end) for begin, end in seen.voiced if end > began_s]
    if not over:
        return None
    goes_on_s, last_s = over[0][0], began_s
    for begin, end in seen.sounds:
        if begin - last_s > QUIET_S:
            break
        last_s = max(last_s, end)
    return max(0.0, last_s - goes_on_s) * 1000


def _is_answered_whole(seen: Witness) -> bool:
    """Return whether one line of the caller's words stands: a line taken back is told empty."""
    lines: dict[int, str] = {}
    for at_s, message in seen.messages:
        is_line = message["type"] == "caption" and message["role"] == "caller" and message["final"]
        if is_line and at_s > seen.begin_s:
            lines[message["turn"]] = message["text"]
    is_answered = any(begin >= seen.end_s for begin, _ in seen.sounds)
    return is_answered and sum(map(bool, lines.values())) == 1


def _reply_of(
    messages: Sequence[tuple[float, Message]], heard_s: float
) -> tuple[float | None, Message | None]:
    """Return when the plan of the reply heard at that time came, and its trace."""
    plans = [
        (at_s, message)
        for at_s, message in messages
        if message["type"] == "plan" and at_s <= heard_s + PLAN_SLACK_S
    ]
    if not plans:
        return None, None
    plan_s, plan = plans[-1]
    traces = (m for _, m in messages if m["type"] == "trace" and m["turn"] == plan["turn"])
    return plan_s, next(traces, None)
