"""Messages between stages, grouped by sender and receiver.

What belongs to one interface alone is defined with it: ``ReplyRequest`` in ``reasoner``, a caller's
commands in ``turns.caller_commands``, ``PlayoutEvent`` in ``playout.tracks``, sound and pictures of
the transport in ``media_io``, 200 ms of speech in ``engines.types``.

All are frozen. ``turn`` is the reply the message belongs to: a consumer drops what bears an older
id than the current one. ``pts`` is media time, an integer count of samples: at 16 kHz of the
caller's microphone up to the reasoner, at 24 kHz of the reply's speech after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NewType

from rt_avatar.engines.types import (
    Emotion,
    FaceStyle,
    Motion,
    Pcm,
    Vector,
    VoiceStyle,
    Word,
)

TurnId = NewType("TurnId", int)  # counts up in a session; 0 is "before the first turn"


# --- mic → perception ---------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class MicChunk:
    """Sound of the caller: ``pcm`` (samples,) at 16 kHz; ``pts`` is its first sample."""

    turn: TurnId
    pts: int
    pcm: Pcm


# --- perception → reasoner ----------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Transcript:
    """What the caller has said so far in this utterance.

    Attributes:
        turn: The reply this utterance will get.
        pts: Microphone sample up to which it was heard.
        text: Words so far, as heard.
        is_final: Whether the utterance is over and no more will be changed.
        is_preflight: Whether the utterance pauses and these are all its words so far: a reply may
            be begun.
        confidence: 0..1, as far as the recogniser knows.
        sound: (samples,) at 16 kHz of the utterance so far, long pauses left out; None: typed.
    """

    turn: TurnId
    pts: int
    text: str
    is_final: bool
    confidence: float = 1.0
    sound: Pcm | None = field(default=None, compare=False, repr=False)
    is_preflight: bool = False


TurnEventKind = Literal[
    "speech_started",  # the caller began to speak (avatar silent)
    "false_start",  # it was a cough or a click: no utterance, nothing follows
    "preemptive_generation",  # first pause: begin a reply that is not released yet
    "preemptive_discarded",  # the caller went on: throw the preemptive reply away
    "end_of_turn",  # the caller has finished: release the reply
    "pause_reply",  # the caller spoke over the reply: be silent at once, but remember where
    "resume_reply",  # it was only a backchannel or a noise: go on where it was paused
    "barge_in",  # the caller takes the turn: the reply is over
    "backchannel",  # "mm-hm" heard during the reply: nothing stops
]


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """What turn detection decided. ``speech_end`` is the last voiced sample known by then."""

    pts: int
    kind: TurnEventKind
    speech_end: int = 0


@dataclass(frozen=True, slots=True)
class Affect:
    """How the caller feels, as far as voice, face and words tell.

    Attributes:
        turn: The current turn.
        pts: Microphone sample up to which it holds.
        valence: -1 (unpleasant) to 1 (pleasant).
        arousal: -1 (calm) to 1 (excited).
        emotion: The likeliest emotion.
        confidences: Every emotion's share; they sum to 1.
        has_face: Whether the camera sees a face.
        is_smiling: Whether that face smiles.
    """

    turn: TurnId
    pts: int
    valence: float = 0.0
    arousal: float = 0.0
    emotion: Emotion = "neutral"
    confidences: Mapping[Emotion, float] = field(default_factory=dict)
    has_face: bool = False
    is_smiling: bool = False


# --- reasoner → speech, page --------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Chain:
    """Chain of empathy (Empatheia §3): the steps before the reply, in words for people."""

    scenario: str = ""
    emotion: str = ""
    cause: str = ""
    goal: str = ""
    rationale: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """How the reply is to be given; known before its first word.

    ``user_emotion`` is what the caller feels (metrics, page); the styles carry what the avatar
    shows (empatheia.md §3.2: two fields, since a sad caller wants concern, not a sad mirror).
    ``persona`` names who speaks, and goes on answering; empty: who was asked.
    """

    turn: TurnId
    pts: int
    chain: Chain
    user_emotion: Emotion
    voice: VoiceStyle
    face: FaceStyle
    persona: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of the reply that can be spoken by itself. ``text`` is plain words.

    ``states`` (tokens, width) are hidden states of the language model that wrote them, for a voice
    of the same network; None: the words are all there is.
    """

    turn: TurnId
    pts: int
    index: int
    text: str
    states: Vector | None = field(default=None, compare=False, repr=False)


# --- talking_head → playout ---------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class AvatarChunk:
    """200 ms of the reply, sound and face together, so that they cannot drift apart.

    Attributes:
        turn: Reply it belongs to.
        pts: First sample at 24 kHz from the start of the reply's speech.
        pcm: (4800,) samples.
        motion: (5, 73) face of those 200 ms.
        words: Words that begin in it.
    """

    turn: TurnId
    pts: int
    pcm: Pcm
    motion: Motion
    words: tuple[Word, ...]


# --- session → page or room ---------------------------------------------------------------------
State = Literal["listening", "thinking", "speaking"]


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The avatar listens, thinks or speaks."""

    turn: TurnId
    pts: int
    state: State


@dataclass(frozen=True, slots=True)
class Caption:
    """Words of either side, as they are spoken.

    For the avatar ``text`` is all that was *heard* of this reply so far; for the caller, all that
    was recognised so far. A later caption of the same turn and role replaces the earlier; an empty
    text takes it away.
    """

    turn: TurnId
    pts: int
    role: Literal["caller", "avatar"]
    text: str
    is_final: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the caller should be told in plain words (an error, a hint). ``code`` is stable."""

    turn: TurnId
    pts: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Times of one turn (``telemetry.trace``), in seconds after the last voiced sample."""

    turn: TurnId
    pts: int
    marks_s: Mapping[str, float]
    preemptive_used: bool
    interrupted_at_s: float | None  # position in the reply's speech; None = played to its end
    degradation_steps: tuple[str, ...] = ()  # degradation steps of the budget that were taken


SessionEvent = StateChanged | Caption | Plan | Affect | Notice | Trace
