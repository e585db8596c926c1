"""Measure which pictures and audio blocks reached a caller in time: RTP packets → ``Flow``.

Taken from the packets as they come, before anything is decoded, so that the work of the caller
itself (decoding) counts as little as possible. The media times on the wire are the server's time
line: a hole in them is a picture or block that the server skipped (or the line lost), and one whose
packets come later than its time says was late.
"""

import asyncio
from typing import Any, Final

from rt_avatar.benchmarks.callers.record import Flow
from rt_avatar.engines.types import FPS, WIRE_RATE_HZ
from rt_avatar.playout.clock import BLOCK_S, FRAME_S, MAX_LATE_S
from rt_avatar.signaling.aiortc_private import watch_rtp
from rt_avatar.signaling.media_tracks import VIDEO_RATE_HZ

_TIMES: Final = 1 << 32  # RTP times are counted modulo this
# After a jump of the media time by more than this it is another time line, not a gap.
MAX_GAP_S: Final = 60.0


class RtpFlow:
    """The flow of one kind of media on one connection.

    Args:
        rate_hz: Of the RTP clock.
        period: Of pictures or blocks, in units of that clock.
        late_s: How much later than the earliest ever may one come (of its last packet).
    """

    def __init__(self, rate_hz: int, period: int, late_s: float) -> None:
        self._rate_hz = rate_hz
        self._period = period
        self._late_s = late_s
        self._last: int | None = None  # RTP time of the newest
        self._media = 0  # its media time, counted from the first
        self._delay_s = 0.0  # its arrival less its media time
        self._least_s = float("inf")  # the smallest of these: the delay of an unhindered one
        self._flow = Flow()

    def note(self, timestamp: int, at_s: float) -> None:
        """Take a packet: its RTP time and the loop time of its coming."""
        if self._last is None:
            self._begin(timestamp, at_s)
            return
        step = (timestamp - self._last + _TIMES // 2) % _TIMES - _TIMES // 2
        if abs(step) > MAX_GAP_S * self._rate_hz:
            self._settle()
            self._begin(timestamp, at_s)
            return
        if step < 0:
            return  # sent again, or overtaken: counted as skipped already
        if step > 0:
            self._settle()
            periods = max(1, round(step / self._period))
            self._flow.due += periods
            self._flow.skipped += periods - 1
            self._last = timestamp
            self._media += step
        self._delay_s = at_s - self._media / self._rate_hz  # of a picture its last packet counts

    def take(self) -> Flow:
        """Return what came since the last time."""
        flow, self._flow = self._flow, Flow()
        return flow

    def _begin(self, timestamp: int, at_s: float) -> None:
        self._last, self._media, self._delay_s = timestamp, 0, at_s
        self._least_s = float("inf")
        self._flow.due += 1

    def _settle(self) -> None:
        """All packets of the newest have come: judge it."""
        self._least_s = min(self._least_s, self._delay_s)
        if self._delay_s - self._least_s > self._late_s:
            self._flow.late += 1


class RtpTap:
    """Watches both kinds of media of a connection.

    Attributes:
        audio: Blocks of 20 ms; late is what the server itself would no longer send (60 ms).
        video: Pictures; late is what comes when the next is due (40 ms).
    """

    def __init__(self) -> None:
        self.audio = RtpFlow(WIRE_RATE_HZ, round(BLOCK_S * WIRE_RATE_HZ), MAX_LATE_S)
        self.video = RtpFlow(VIDEO_RATE_HZ, VIDEO_RATE_HZ // FPS, FRAME_S)

    def watch(self, pc: Any) -> None:
        """Look at every packet of an ``RTCPeerConnection`` that has its answer."""
        for transceiver in pc.getTransceivers():
            flow = self.audio if transceiver.kind == "audio" else self.video
            _watch(transceiver.receiver, flow)


def _watch(receiver: Any, flow: RtpFlow) -> None:
    loop = asyncio.get_running_loop()
    watch_rtp(receiver, lambda packet: flow.note(packet.timestamp, loop.time()))
