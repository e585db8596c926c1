"""Takes the library's waiting out of a caller without a browser: packets → frames at once.

aiortc holds sound back by four packets (80 ms), and a picture until the next one's first packet has
come (40 ms). A browser does neither in this way: it has an adaptive buffer for sound and knows the
last packet of a picture by its mark. What is measured at a caller without these waits is the
avatar and the line alone; what a browser's buffer adds is measured in a browser.
"""

from typing import Final

from aiortc.jitterbuffer import JitterBuffer, JitterFrame
from aiortc.rtp import RtpPacket

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.signaling.aiortc_private import depayloaded, replace_jitter_buffer, waiting_packets
from rt_avatar.signaling.mic_buffer import install_mic_buffer

_CAPACITY: Final = 512  # packets, the library's own for pictures


class PictureBuffer(JitterBuffer):  # type: ignore[misc]
    """The library's buffer, but a picture is given at its marked last packet."""

    def __init__(self) -> None:
        super().__init__(capacity=_CAPACITY, is_video=True)

    def add(self, packet: RtpPacket) -> tuple[bool, JitterFrame | None]:
        """Take a packet; return whether a key frame is needed and what is complete."""
        needs_key_frame, frame = super().add(packet)
        return needs_key_frame, frame or self._take_marked()

    def _take_marked(self) -> JitterFrame | None:
        packets: list[RtpPacket] = []
        for packet in waiting_packets(self):
            if packet is None or (packets and packet.timestamp != packets[0].timestamp):
                return None
            packets.append(packet)
            if packet.marker:
                self.remove(len(packets))
                data = b"".join(depayloaded(one) for one in packets)
                return JitterFrame(data=data, timestamp=packet.timestamp)
        return None


def remove_buffers(caller: Caller) -> None:
    """Give a connected caller's sound and pictures on at once.

    Raises:
        LibraryChangedError: The library keeps its buffers elsewhere.
    """
    for transceiver in caller.pc.getTransceivers():
        if transceiver.kind == "audio":
            install_mic_buffer(transceiver.receiver)
        else:
            replace_jitter_buffer(transceiver.receiver, PictureBuffer())
