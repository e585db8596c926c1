"""Messages from server to page on the data channel, as JSON.

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


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PersonaCard(_Message):
    """A persona as the picker shows it; ``portrait`` is a path on this server."""

    name: str
    label: str
    age: str
    gender: str
    about: str
    portrait: str


class PortraitCard(_Message):
    """A shared portrait as the picker shows it; ``picture`` is a path on this server."""

    name: str
    picture: str


class RecogniserCard(_Message):
    """Who listens; ``hint`` says how to get a better one, or is empty."""

    name: str
    hint: str


class Hello(_Message):
    """First on every connection."""

    type: Literal["hello"] = "hello"
    protocol: int
    session: str
    persona: str
    personas: tuple[PersonaCard, ...]
    portrait: str
    portraits: tuple[PortraitCard, ...]
    voice: str
    recogniser: RecogniserCard
    reasoner: str
    limits: dict[str, int]
    resumed: bool


class StateMessage(_Message):
    """The avatar listens, thinks or speaks."""

    type: Literal["state"] = "state"
    turn: int
    state: State


class CaptionMessage(_Message):
    """Words of either side; replaces the earlier one of the same turn and role."""

    type: Literal["caption"] = "caption"
    turn: int
    role: Literal["caller", "avatar"]
    text: str
    final: bool


class ChainCard(_Message):
    """The steps of the chain of empathy, in words for people."""

    scenario: str
    emotion: str
    cause: str
    goal: str
    rationale: str


class PlanMessage(_Message):
    """How a reply will be given."""

    type: Literal["plan"] = "plan"
    turn: int
    chain: ChainCard
    user_emotion: str
    shown_emotion: str
    intensity: float


class AffectMessage(_Message):
    """How the caller seems to feel."""

    type: Literal["affect"] = "affect"
    valence: float
    arousal: float
    emotion: str
    confidences: Mapping[str, float]
    face: bool
    smiling: bool


class TraceMessage(_Message):
    """When each stage had done its part."""

    type: Literal["trace"] = "trace"
    turn: int
    marks_ms: Mapping[str, float]
    preemptive_used: bool
    interrupted_at_ms: float | None
    degradation_steps: tuple[str, ...]


class NoticeMessage(_Message):
    """Something to show in plain words."""

    type: Literal["notice"] = "notice"
    code: str
    text: str


class PersonaChangedMessage(_Message):
    """Who the avatar is now."""

    type: Literal["persona"] = "persona"
    name: str


class FaceChangedMessage(_Message):
    """Which portrait is shown now; empty: the persona's own face."""

    type: Literal["face"] = "face"
    portrait: str


class VoiceChangedMessage(_Message):
    """Which of the caller's voices speaks from the next reply on; empty: the persona's own."""

    type: Literal["voice"] = "voice"
    voice: str


class Pong(_Message):
    """Answer to a ping."""

    type: Literal["pong"] = "pong"
    t: float


class Bye(_Message):
    """The call is over; nothing follows."""

    type: Literal["bye"] = "bye"
    reason: str
    text: str


ServerMessage = (
    Hello | StateMessage | CaptionMessage | PlanMessage | AffectMessage | TraceMessage
    | NoticeMessage | PersonaChangedMessage | FaceChangedMessage | VoiceChangedMessage | Pong
    | Bye
)  # fmt: skip


def message_of(event: SessionEvent) -> ServerMessage:
    """Return what the page is told of a session's event; times become milliseconds."""
    match event:
        case StateChanged():
            return StateMessage(turn=event.turn, state=event.state)
        case Caption():
            return CaptionMessage(
                turn=event.turn, role=event.role, text=event.text, final=event.is_final
            )
        case Plan():
            return _plan(event)
        case Affect():
            return AffectMessage(
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
            return NoticeMessage(code=event.code, text=event.text)


def _plan(plan: Plan) -> PlanMessage:
    chain = plan.chain
    return PlanMessage(
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


def _trace(trace: Trace) -> TraceMessage:
    interrupted_s = trace.interrupted_at_s
    return TraceMessage(
        turn=trace.turn,
        marks_ms={mark: round(value_s * 1000, 1) for mark, value_s in trace.marks_s.items()},
        preemptive_used=trace.preemptive_used,
        interrupted_at_ms=None if interrupted_s is None else round(interrupted_s * 1000, 1),
        degradation_steps=trace.degradation_steps,
    )
