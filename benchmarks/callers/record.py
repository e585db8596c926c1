"""What a caller noticed: turns, pictures, sound, its own troubles. Crosses processes as JSON."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any, get_type_hints


@dataclass(slots=True)
class Flow:
    """Pictures or blocks of sound that were due."""

    due: int = 0
    skipped: int = 0  # never sent, or lost on the way: a gap in the media times
    late: int = 0  # came later than its place in time allows

    @property
    def bad_share(self) -> float:
        """Share of what was due that could not be shown or heard in time, 0..1; 0 of nothing."""
        return (self.skipped + self.late) / self.due if self.due else 0.0


@dataclass(slots=True)
class Record:
    """Since it was asked the last time. All times in milliseconds."""

    spoken_ms: list[float] = field(default_factory=list)  # end of speech → first sound
    typed_ms: list[float] = field(default_factory=list)  # text sent → first sound
    lag_ms: list[float] = field(default_factory=list)  # how late the caller's own loop woke up
    unanswered: int = 0
    cut_early: int = 0  # a pause inside an utterance was taken for its end
    reconnects: int = 0
    new_calls: int = 0  # connections that did not come back and were called anew
    pictures: int = 0  # decoded
    soundings: int = 0  # packets with audible sound
    packets_lost: int = 0  # by a bad line, both ways
    packets: int = 0  # of a bad line, both ways
    audio: Flow = field(default_factory=Flow)
    video: Flow = field(default_factory=Flow)
    silences: list[str] = field(default_factory=list)  # of unanswered turns: what was told

    @property
    def turns(self) -> int:
        """How many turns were made, answered or not."""
        answered = len(self.spoken_ms) + len(self.typed_ms)
        return answered + self.unanswered + self.cut_early

    def add(self, other: "Record") -> None:
        """Take in what was noticed elsewhere, or later."""
        _add(self, other)

    def as_json(self) -> dict[str, Any]:
        """Return what ``from_json`` takes."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Record":
        """Return the record that ``as_json`` gave."""
        flows = {name: Flow(**data[name]) for name, kind in _KINDS.items() if kind is Flow}
        return cls(**{**data, **flows})


_KINDS = get_type_hints(Record)


def merged(records: Iterable[Record]) -> Record:
    """Return all of them as one."""
    total = Record()
    for record in records:
        total.add(record)
    return total


def _add(to: Record | Flow, other: Record | Flow) -> None:
    """Add field by field: numbers, lists, and what consists of them."""
    for one in fields(to):
        value, more = getattr(to, one.name), getattr(other, one.name)
        if isinstance(value, Flow):
            _add(value, more)
        else:
            setattr(to, one.name, value + more)
