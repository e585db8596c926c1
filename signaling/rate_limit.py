"""Token buckets: how often somebody may do something. Knows no HTTP and no clock of its own."""

from collections import OrderedDict
from typing import Final

# More addresses than this at once are an attack or a very large site behind no proxy; the address
# not seen for longest starts afresh, which costs at most its burst. About 2 MB.
MAX_ADDRESSES: Final = 10_000


class TokenBucket:
    """``burst`` at once, then ``rate_hz`` a second. Times are any clock's seconds, never back."""

    def __init__(self, rate_hz: float, burst: float) -> None:
        self._rate_hz = rate_hz
        self._burst = burst
        self._level = burst
        self._at_s: float | None = None

    def take(self, now_s: float, count: int = 1) -> bool:
        """Take so many if they are all there."""
        if self._at_s is not None:
            self._level = min(self._burst, self._level + (now_s - self._at_s) * self._rate_hz)
        self._at_s = now_s
        if self._level < count:
            return False
        self._level -= count
        return True

    @property
    def wait_s(self) -> float:
        """Seconds after the last ``take`` until there is one again."""
        return max(0.0, (1 - self._level) / self._rate_hz)


class AddressLimiter:
    """One bucket a client's address, in bounded memory."""

    def __init__(self, rate_hz: float, burst: float) -> None:
        self._rate_hz = rate_hz
        self._burst = burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str, now_s: float) -> float:
        """Take one for an address: 0 when there was one, else the seconds to wait."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate_hz, self._burst)
            if len(self._buckets) > MAX_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return 0.0 if bucket.take(now_s) else bucket.wait_s
