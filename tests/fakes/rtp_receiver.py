"""A receiver of the WebRTC library without a network: packets are handed over, reports are kept."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiortc.rtcrtpparameters import (
    RTCRtcpParameters,
    RTCRtpCodecParameters,
    RTCRtpReceiveParameters,
)
from aiortc.rtcrtpreceiver import RemoteStreamTrack, RTCRtpReceiver
from aiortc.rtp import RtcpByePacket, RtcpPacket, RtpPacket

SSRC = 7
CODECS = {
    "audio": RTCRtpCodecParameters("audio/opus", 48_000, channels=2, payloadType=96),
    "video": RTCRtpCodecParameters("video/VP8", 90_000, payloadType=97),
}


class ScriptedTransport:
    """Stands for the DTLS transport; keeps what is reported to the sender."""

    state = "connected"

    def __init__(self) -> None:
        self.reports: list[Any] = []

    def _register_rtp_receiver(self, *_what: object) -> None:
        pass

    _unregister_rtp_receiver = _register_rtp_receiver

    async def _send_rtp(self, data: bytes) -> None:
        self.reports += RtcpPacket.parse(data)


class FedReceiver:
    """Numbers what it is given, as one sender would."""

    def __init__(self, kind: str, codec: RTCRtpCodecParameters | None = None) -> None:
        self.transport = ScriptedTransport()
        self.codec = codec or CODECS[kind]
        self.receiver = RTCRtpReceiver(kind, self.transport)
        self.receiver._track = self.track = RemoteStreamTrack(kind)
        self.receiver._set_rtcp_ssrc(1)
        self.sequence = 0

    async def give(self, payloads: Sequence[bytes], timestamp: int) -> None:
        """Hand over the packets of one block or picture."""
        for number, payload in enumerate(payloads, start=1):
            packet = RtpPacket(
                payload_type=self.codec.payloadType,
                sequence_number=self.sequence % 65_536,
                timestamp=timestamp,
                marker=number == len(payloads),
            )
            packet.ssrc, packet.payload = SSRC, payload
            self.sequence += 1
            await self.receiver._handle_rtp_packet(packet, arrival_time_ms=0)

    async def say_goodbye(self) -> None:
        """Send what a sender may send that has no track any more."""
        await self.receiver._handle_rtcp_packet(RtcpByePacket(sources=[SSRC]))


@asynccontextmanager
async def receiving(
    kind: str,
    adapt: Callable[[RTCRtpReceiver], None],
    codec: RTCRtpCodecParameters | None = None,
) -> AsyncIterator[FedReceiver]:
    """Let a receiver receive that was adapted before; it is stopped in the end."""
    fed = FedReceiver(kind, codec)
    adapt(fed.receiver)
    await fed.receiver.receive(
        RTCRtpReceiveParameters(codecs=[fed.codec], encodings=[], rtcp=RTCRtcpParameters())
    )
    try:
        yield fed
    finally:
        await fed.receiver.stop()
