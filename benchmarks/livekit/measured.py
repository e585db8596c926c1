"""What was measured in LiveKit's rooms: times in ms, counts of what could not be measured."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

LATE_LIMIT: Final = 0.01  # the promise: pictures late or missing, of all


@dataclass(frozen=True, slots=True)
class Costs:
    """What so many rooms at once cost, and what their callers got."""

    rooms: int
    worker_cores: float  # with its children
    server_cores: float  # livekit-server
    memory_mib: float  # of the worker
    fps: Sequence[float]  # received, of each caller
    late: Sequence[float]  # share of the pictures that were late or never came, of each caller

    @property
    def late_share(self) -> float:
        """Of the pictures of all callers."""
        return sum(self.late) / len(self.late)

    @property
    def keeps(self) -> bool:
        """Whether the promise held."""
        return self.late_share <= LATE_LIMIT


@dataclass(slots=True)
class PluginMeasured:
    """With an agent's own voice, through the plug-in."""

    first_picture_ms: list[float] = field(default_factory=list)  # from the agent's start
    first_sound_ms: list[float] = field(default_factory=list)
    stop_silence_ms: list[float] = field(default_factory=list)  # from session.interrupt()
    stop_mouth_ms: list[float] = field(default_factory=list)
    stt_ms: list[float] = field(default_factory=list)  # from the voice to the agent's recogniser
    voice_silence_ms: list[float] = field(default_factory=list)  # from the caller's voice
    voice_mouth_ms: list[float] = field(default_factory=list)
    position_ms: list[float] = field(default_factory=list)  # told less heard
    skew_ms: list[float] = field(default_factory=list)
    bare_skew_ms: list[float] = field(default_factory=list)
    costs: list[Costs] = field(default_factory=list)
    missing: int = 0  # avatars that did not come or did not speak
    missed: int = 0  # interruptions over which the avatar talked on


@dataclass(slots=True)
class Measured:
    """With the worker's own conversation, and with the plug-in."""

    cold_start_s: float = float("nan")
    first_picture_ms: list[float] = field(default_factory=list)
    first_sound_ms: list[float] = field(default_factory=list)
    answer_ms: list[float] = field(default_factory=list)
    silence_ms: list[float] = field(default_factory=list)
    mouth_ms: list[float] = field(default_factory=list)
    skew_ms: list[float] = field(default_factory=list)
    bare_skew_ms: list[float] = field(default_factory=list)
    costs: list[Costs] = field(default_factory=list)
    missing: int = 0  # avatars that did not come
    unanswered: int = 0
    early: int = 0  # turns into which the avatar spoke: their delay says nothing
    missed: int = 0  # interruptions over which the avatar talked on
    too_short: int = 0  # replies that were over before they could be interrupted
    problems: list[str] = field(default_factory=list)
    plugin: PluginMeasured = field(default_factory=PluginMeasured)
