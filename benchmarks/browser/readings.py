"""What the meter in the page has taken down: sound, pictures and messages, on one clock.

The clock is the page's ``performance.now()``, in seconds: 0 when the page was opened. What exactly
the times mean, and what is not in them, is told in ``meter``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
WINDOW_S: Final = 0.0025  # of sound: the browser gives it in blocks of 10 ms, they are quartered


@dataclass(frozen=True, slots=True)
class Sound:
    """How loud a track was; one entry for 2.5 ms. Gaps are where the browser gave none.

    Attributes:
        at_s: (n,) when its first sample was; ascends.
        peak: (n,) the highest absolute sample, 0..1.
        rms: (n,) 0..1.
    """

    at_s: Floats
    peak: Floats
    rms: Floats


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures of the avatar, one entry each.

    Attributes:
        at_s: (n,) when it was decoded, or expected on the screen.
        brightness: (n,) mean luma, 16..235.
        mouth: (n,) how open the mouth is, 0..1: see ``mouth.mouth_opening``.
        change: (n,) mean absolute change of luma in the mouth's place since the picture that was
            decoded before it, 0..219.
        rtp: (n,) RTP time stamp, 90 kHz; the same for a picture decoded and on the screen.
        count: (n,) how many there were up to this one, seen by the page or not.
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
        mic: What the caller says.
        remote: What the caller hears.
        pictures: What the caller sees: pictures that the browser presented, at the time it expected
            them on the screen. Without a GPU it presents about 20 of 25 a second.
        decoded: All that were decoded, at the time they were: some 10 to 50 ms before they can be
            seen.
        messages: In order.
        lost: Entries dropped so far because nobody drained for ten minutes.
    """

    mic: Sound
    remote: Sound
    pictures: Pictures
    decoded: Pictures
    messages: Sequence[Message]
    lost: int


_Columns = TypeVar("_Columns", Sound, Pictures)


def join(parts: Sequence[Readings]) -> Readings:
    """Put readings that follow each other together; at least one."""
    return Readings(
        mic=_join([part.mic for part in parts]),
        remote=_join([part.remote for part in parts]),
        pictures=_join([part.pictures for part in parts]),
        decoded=_join([part.decoded for part in parts]),
        messages=[message for part in parts for message in part.messages],
        lost=parts[-1].lost,
    )


def between(columns: _Columns, begin_s: float, end_s: float) -> _Columns:
    """Return the part with ``begin_s <= at_s < end_s``."""
    first, last = np.searchsorted(columns.at_s, [begin_s, end_s])
    kind = type(columns)
    return kind(*(getattr(columns, column.name)[first:last] for column in fields(kind)))


def _join(parts: Sequence[_Columns]) -> _Columns:
    kind = type(parts[0])
    return kind(
        *(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(kind))
    )
