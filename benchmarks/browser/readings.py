"""What the meter in the page has taken down: sound, pictures and messages, on one clock.

The clock is the page's AudioContext: seconds, float64, 0 when it began. Sound is counted in its
samples; pictures and messages are mapped to it (``clock``). What it does to what is measured is
told in ``meter``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
QUANTUM: int = 128  # samples in one entry of `Sound`
RATE_HZ: int = 48_000
QUANTUM_S: float = QUANTUM / RATE_HZ


@dataclass(frozen=True, slots=True)
class Sound:
    """Loudness of the microphone and of the avatar; one entry for 128 samples (2.67 ms).

    Attributes:
        at_s: (n,) when the first of the 128 samples was.
        mic_peak: (n,) 0..1, the highest absolute sample.
        mic_rms: (n,) 0..1.
        remote_peak: (n,) of the avatar's sound.
        remote_rms: (n,).
    """

    at_s: Floats
    mic_peak: Floats
    mic_rms: Floats
    remote_peak: Floats
    remote_rms: Floats


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures of the avatar, one entry each.

    Attributes:
        at_s: (n,) when it was decoded, or expected on the screen.
        brightness: (n,) mean luma, 16..235.
        mouth: (n,) how open the mouth is: the share of its place that is dark, 0..1. Shut is 0,
            speech 0.02 to 0.1.
        change: (n,) mean absolute change of luma in the mouth's place since the picture before
            that was decoded, 0..219.
        rtp: (n,) RTP time stamp, 90 kHz; the same for a picture decoded and on the screen.
        count: (n,) how many there were up to this one, seen or not.
    """

    at_s: Floats
    brightness: Floats
    mouth: Floats
    change: Floats
    rtp: Floats
    count: Floats


@dataclass(frozen=True, slots=True)
class Message:
    """What the server said on the data channel (docs/protocol.md), and when it came."""

    at_s: float
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Readings:
    """What came since the last drain.

    Attributes:
        sound: Gaps are where the browser's audio thread did not run.
        pictures: Those that the browser presented, at the time it expected them on the screen.
            Without a GPU it presents about 20 of 25 a second.
        decoded: All that were decoded, at the time they were: up to a frame or two before they
            can be seen.
        messages: In order.
        lost: Entries dropped so far because nobody drained for ten minutes.
    """

    sound: Sound
    pictures: Pictures
    decoded: Pictures
    messages: Sequence[Message]
    lost: int


def join(parts: Sequence[Readings]) -> Readings:
    """Put readings that follow each other together; at least one."""
    return Readings(
        sound=_join(Sound, [part.sound for part in parts]),
        pictures=_join(Pictures, [part.pictures for part in parts]),
        decoded=_join(Pictures, [part.decoded for part in parts]),
        messages=[message for part in parts for message in part.messages],
        lost=parts[-1].lost,
    )


_Columns = TypeVar("_Columns", Sound, Pictures)


def _join(kind: type[_Columns], parts: Sequence[_Columns]) -> _Columns:
    return kind(
        *(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(kind))
    )


def between(columns: _Columns, begin_s: float, end_s: float) -> _Columns:
    """Return the part with ``begin_s <= at_s < end_s``; at_s must ascend, as it does."""
    part = slice(*np.searchsorted(columns.at_s, [begin_s, end_s]))
    kind = type(columns)
    return kind(*(getattr(columns, column.name)[part] for column in fields(kind)))
