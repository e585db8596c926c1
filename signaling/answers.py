"""What the server says on the data channel: the session's events and its own messages, as JSON.

``docs/protocol.md`` is the text of it. Each message is one frozen dataclass-like model with a
``type``; ``to_json`` gives the text that is sent.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from rt_avatar.messages import (
    Affect,
    Caption,
    Notice,
    Plan,
    SessionEvent,
    State,
    StateChanged,
    Trace,
)


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProfileCard(_Answer):
    """A profile as the picker shows it; ``portrait`` is a path on this server."""

    name: str
    label: str
    age: str
    gender: str
    about: str
    portrait: str


class RecogniserCard(_Answer):
    """Who listens; ``hint`` says how to get a better one, or is empty."""

    name: str
    hint: str


class Hello(_Answer):
    """First on every connection."""

    type: Literal["hello"] = "hello"
    protocol: int
    session: str
    profile: str
    profiles: tuple[ProfileCard, ...]
    recogniser: RecogniserCard
    reasoner: str
    limits: dict[str, int]
    resumed: bool


class StateAnswer(_Answer):
    """The avatar listens, thinks or speaks."""

    type: Literal["state"] = "state"
    turn: int
    state: State


class CaptionAnswer(_Answer):
    """Words of either side; replaces the earlier one of the same turn and role."""

    type: Literal["caption"] = "caption"
    turn: int
    role: Literal["caller", "avatar"]
    text: str
    final: bool


class ChainCard(_Answer):
    """The steps of the chain of empathy, in words for people."""

    scenario: str
    emotion: str
    cause: str
    goal: str
    rationale: str


class PlanAnswer(_Answer):
    """How a reply will be given."""

    type: Literal["plan"] = "plan"
    turn: int
    chain: ChainCard
    user_emotion: str
    shown_emotion: str
    intensity: float


class AffectAnswer(_Answer):
    """How the caller seems to feel."""

    type: Literal["affect"] = "affect"
    valence: float
    arousal: float
    emotion: str
    confidences: Mapping[str, float]
    face: bool
    smiling: bool


class TraceAnswer(_Answer):
    """When each stage had done its part."""

    type: Literal["trace"] = "trace"
    turn: int
    marks_ms: Mapping[str, float]
    draft_used: bool
    interrupted_at_ms: float | None
    ladder: tuple[str, ...]


class NoticeAnswer(_Answer):
    """Something to show in plain words."""

    type: Literal["notice"] = "notice"
    code: str
    text: str


class ProfileAnswer(_Answer):
    """Who the avatar is now."""

    type: Literal["profile"] = "profile"
    name: str


class Pong(_Answer):
    """Answer to a ping."""

    type: Literal["pong"] = "pong"
    t: float


class Bye(_Answer):
    """The call is over; nothing follows."""

    type: Literal["bye"] = "bye"
    reason: str
    text: str


Answer = (
    Hello | StateAnswer | CaptionAnswer | PlanAnswer | AffectAnswer | TraceAnswer
    | NoticeAnswer | ProfileAnswer | Pong | Bye
)  # fmt: skip


def answer_of(event: SessionEvent) -> Answer:
    """Return what the page is told of a session's event; times become milliseconds."""
    match event:
        case StateChanged():
            return StateAnswer(turn=event.turn, state=event.state)
        case Caption():
            return CaptionAnswer(
                turn=event.turn, role=event.role, text=event.text, final=event.is_final
            )
        case Plan():
            return _plan(event)
        case Affect():
            return AffectAnswer(
                valence=round(event.valence, 3),
                arousal=round(event.arousal, 3),
                emotion=event.emotion,
                confidences={name: round(share, 3) for name, share in event.confidences.items()},
                face=event.has_face,
                smiling=event.is_smiling,
            )
        case Trace():
            return _trace(event)
        case Notice():
            return NoticeAnswer(code=event.code, text=event.text)


def _plan(plan: Plan) -> PlanAnswer:
    chain = plan.chain
    return PlanAnswer(
        turn=plan.turn,
        chain=ChainCard(
            scenario=chain.scenario,
            emotion=chain.emotion,
            cause=chain.cause,
            goal=chain.goal,
            rationale=chain.rationale,
        ),
        user_emotion=plan.user_emotion,
        shown_emotion=plan.face.emotion,
        intensity=round(plan.face.intensity, 3),
    )


def _trace(trace: Trace) -> TraceAnswer:
    interrupted_s = trace.interrupted_at_s
    return TraceAnswer(
        turn=trace.turn,
        marks_ms={mark: round(value_s * 1000, 1) for mark, value_s in trace.marks_s.items()},
        draft_used=trace.draft_used,
        interrupted_at_ms=None if interrupted_s is None else round(interrupted_s * 1000, 1),
        ladder=trace.ladder,
    )
