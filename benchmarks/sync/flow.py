"""How evenly pictures come: what was due, shown, missing, late (times of pictures → ``Flow``).

A picture that is missing or late is one for which the one before stands longer: a repeated one.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from rt_avatar.benchmarks.sync.clock import SenderClock
from rt_avatar.engines.types import FPS
from rt_avatar.signaling.media_tracks import VIDEO_RATE_HZ

Floats = NDArray[np.float64]

PERIOD: Final = VIDEO_RATE_HZ // FPS  # RTP ticks from picture to picture
PERIOD_S: Final = 1 / FPS
# What is late is judged against the pictures of four seconds around: a receiver may change its
# buffer, and clocks go apart, without any picture being late.
_AROUND: Final = 2 * FPS
_NEIGHBOURS_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class Flow:
    """Pictures of a call.

    Attributes:
        due: That one every 40 ms would have been, from the first to the last shown.
        shown: Presented by the receiver.
        unseen: Of these, presented without the meter being told.
        missing: Due and not presented: never sent, lost, or dropped by the receiver.
        late: Presented more than 40 ms later than those around them.
        step_ms: The 5th percentile of the time from one picture to the next: how finely the
            receiver's screen divides time.
    """

    due: int
    shown: int
    unseen: int
    missing: int
    late: int
    step_ms: float

    @property
    def uneven(self) -> float:
        """Share, 0..1, of those due that were missing or late; NaN of nothing."""
        return (self.missing + self.late) / self.due if self.due else float("nan")


def flow(at_s: Floats, rtp: Floats, count: Floats) -> Flow:
    """Judge pictures.

    Args:
        at_s: (n,) when each was shown.
        rtp: (n,) its 32-bit RTP time stamp at 90 kHz; negative where there is none.
        count: (n,) pictures presented up to it, also those that the meter was not told of.
    """
    known = rtp >= 0
    at_s, count = at_s[known], count[known]
    if len(at_s) < 2:
        return Flow(0, len(at_s), 0, 0, 0, float("nan"))
    clock = SenderClock(VIDEO_RATE_HZ)
    stamps = without_wraps(clock, rtp[known])
    due = round((stamps[-1] - stamps[0]) / PERIOD) + 1
    shown = round(count[-1] - count[0]) + 1
    lateness = at_s - stamps / VIDEO_RATE_HZ
    late = lateness - _median_around(lateness) > PERIOD_S
    steps_ms = 1000 * np.diff(at_s)
    return Flow(
        due=due,
        shown=shown,
        unseen=shown - len(at_s),
        missing=max(0, due - shown),
        late=int(late.sum()),
        step_ms=float(np.percentile(steps_ms, 5)),
    )


def screen_times(stamps: Floats, shown_stamps: Floats, shown_at_s: Floats) -> Floats:
    """Return when pictures were on the screen, also those that the browser did not paint.

    A browser without a GPU paints four of five pictures: for one of the others, it is when it
    would have been its turn between its neighbours.

    Args:
        stamps: (n,) RTP time stamps without wraps.
        shown_stamps: (m,) of the pictures that were painted, rising.
        shown_at_s: (m,) when.

    Returns:
        (n,) in s; NaN where no two painted pictures within 0.2 s stand around it.
    """
    if len(shown_stamps) < 2:
        return np.full(len(stamps), np.nan)
    after = np.clip(np.searchsorted(shown_stamps, stamps), 1, len(shown_stamps) - 1)
    is_near = shown_stamps[after] - shown_stamps[after - 1] <= _NEIGHBOURS_S * VIDEO_RATE_HZ
    is_inside = (stamps >= shown_stamps[0]) & (stamps <= shown_stamps[-1])
    at_s = np.interp(stamps, shown_stamps, shown_at_s)
    return np.where(is_near & is_inside, at_s, np.nan)


def without_wraps(clock: SenderClock, rtp: Floats) -> Floats:
    """Return RTP time stamps without their wraps, in the order given."""
    return np.array([clock.map(int(stamp)) for stamp in rtp], np.float64)


def left_out(stamps: Floats, period: int) -> int:
    """Return how many periods of RTP ticks a sender left out between its stamps (without wraps)."""
    steps = np.diff(stamps) / period
    return int(np.maximum(0, np.rint(steps) - 1).sum())


def _median_around(values: Floats) -> Floats:
    width = 2 * min(_AROUND, (len(values) - 1) // 2) + 1
    padded = np.pad(values, width // 2, mode="reflect") if width > 1 else values
    return np.asarray(np.median(sliding_window_view(padded, width), axis=1))
