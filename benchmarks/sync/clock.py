"""Media times of a sender → its wall clock, as any receiver has to map them.

An RTP time stamp counts samples from an origin that nobody knows; a track's RTCP sender reports say
which stamp was which wall time (RFC 3550, 6.4.1). Sound and picture are shown together when their
wall times are equal: what the reports tell wrongly, every receiver shows wrongly.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WRAP: Final = 1 << 32
_NTP_FRACTION: Final = float(1 << 32)
# A receiver does not trust one report alone: Chromium's puts a line through the last 20
# (RtpToNtpEstimator), some 20 s of them.
REPORTS: Final = 20


class SenderClock:
    """One track's clock.

    Args:
        rate_hz: RTP ticks a second.
    """

    def __init__(self, rate_hz: int) -> None:
        self._rate_hz = rate_hz
        self._last: int | None = None
        self._reports: list[tuple[int, float]] = []

    def map(self, stamp: int) -> int:
        """Return a 32-bit stamp without its wraps, given those before it. Also back in time."""
        if self._last is None:
            self._last = stamp
        step = (stamp - self._last + _WRAP // 2) % _WRAP - _WRAP // 2
        self._last += step
        return self._last

    def report(self, ntp: int, stamp: int) -> None:
        """Take in a sender report: an NTP time (64 bits, RFC 5905) and the stamp of that time.

        What a sender that has sent nothing yet reports (0) is passed over.
        """
        if ntp:
            self._reports.append((self.map(stamp), ntp / _NTP_FRACTION))

    def wall_s(self, stamps: Floats) -> Floats:
        """Return the sender's wall time, s, of stamps without wraps; NaN without a report.

        The median of the ``REPORTS`` nearest reports counts: one that was delayed moves nothing.
        """
        if not self._reports:
            return np.full(len(stamps), np.nan)
        known = np.array([stamp for stamp, _ in self._reports], np.float64)
        offsets = np.array([wall_s for _, wall_s in self._reports]) - known / self._rate_hz
        order = np.argsort(known)
        known, offsets = known[order], offsets[order]
        first = np.searchsorted(known, stamps) - REPORTS // 2
        first = np.clip(first, 0, max(0, len(known) - REPORTS))
        medians = {begin: np.median(offsets[begin : begin + REPORTS]) for begin in np.unique(first)}
        nearest = np.array([medians[begin] for begin in first], np.float64)
        return np.asarray(stamps / self._rate_hz + nearest)
