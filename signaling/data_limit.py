"""Bounds what a caller's data channel may leave unfinished: SCTP chunks → handled, or not.

The WebRTC library looks through all pieces of a message whenever another one comes, and at every
number that an acknowledgement names, on the event loop: one message without an end, or one packet
that acknowledges what was never sent, and all calls lose their sound. It knows nothing of messages.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from rt_avatar.signaling.aiortc_private import acknowledged, filter_chunks, unfinished
from rt_avatar.signaling.rate_limit import TokenBucket

_log = logging.getLogger(__name__)

# The largest message that our answer allows (256 KiB, where we use 16) has 240 pieces of 1,100
# bytes, each of which counts twice behind a lost one. A look through 512 takes 0.2 ms.
MAX_UNFINISHED: Final = 512
# More than ever was on the way: what waits for a caller is bounded, and captions are short.
MAX_ACKNOWLEDGED: Final = 4096
ACKNOWLEDGED_HZ: Final = 40_960  # any number of chunks together; 8 ms of each second


class DataLimit:
    """Looks at the chunks of one connection.

    Args:
        sctp: The connection's ``RTCSctpTransport``.
        on_excess: Is told once that the limit was exceeded; nothing is handled from then on.
    """

    def __init__(self, sctp: Any, on_excess: Callable[[], None]) -> None:
        self._sctp = sctp
        self._on_excess = on_excess
        self._receipts = TokenBucket(ACKNOWLEDGED_HZ, MAX_ACKNOWLEDGED)
        self._is_exceeded = False

    def allows(self, chunk: Any) -> bool:
        """Return whether a chunk may be handled."""
        if not self._is_exceeded and unfinished(self._sctp) > MAX_UNFINISHED:
            self._is_exceeded = True
            _log.warning("a caller's data channel leaves too much unfinished; it is closed")
            self._on_excess()
        now_s = asyncio.get_running_loop().time()
        return not self._is_exceeded and self._receipts.take(now_s, acknowledged(chunk))


def install_data_limit(sctp: Any, on_excess: Callable[[], None]) -> None:
    """Limit an ``RTCSctpTransport``.

    Raises:
        LibraryChangedError: The library keeps what is counted elsewhere.
    """
    unfinished(sctp)
    filter_chunks(sctp, DataLimit(sctp, on_excess).allows)
