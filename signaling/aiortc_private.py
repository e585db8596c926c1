"""All that we use of aiortc and that it keeps private (1.16); nothing else touches any of it.

It has no hooks for what is needed: another jitter buffer, a look at packets as they come, tracks
that outlive a pause, a bad line for tests, bit rates. Every function raises ``LibraryChangedError``
when the version that is installed keeps it elsewhere.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from aiortc import codecs
from aiortc.codecs import h264, vpx
from aiortc.jitterbuffer import JitterBuffer
from aiortc.rtcsctptransport import SackChunk
from aiortc.rtp import (
    RTCP_RTPFB_NACK,
    RTP_HISTORY_SIZE,
    RtcpByePacket,
    RtcpRtpfbPacket,
    RtpPacket,
)
from av import AudioFrame

from rt_avatar.signaling.private_api import PrivateNames
from rt_avatar.signaling.rate_limit import TokenBucket

_AIORTC: Final = PrivateNames("aiortc", "1.16", "signaling/aiortc_private.py")

Send = Callable[[bytes], Awaitable[None]]
Receive = Callable[[], Awaitable[bytes]]


# --- receivers ------------------------------------------------------------------------------------
def replace_jitter_buffer(receiver: Any, buffer: Any) -> None:
    """Let an ``RTCRtpReceiver`` that has not received yet put its packets in order by ``buffer``.

    Its ``add(packet) -> (needs key frame, JitterFrame | None)`` is called for each.
    """
    _AIORTC.replace(receiver, "_RTCRtpReceiver__jitter_buffer", buffer)


def frames_of(track: Any) -> Callable[[AudioFrame], None]:
    """Return what makes a frame the next that a remote track's ``recv`` gives."""
    deliver: Callable[[AudioFrame], None] = _AIORTC.get(track, "_queue").put_nowait
    return deliver


def replace_decoder_queue(receiver: Any, queue: Any) -> None:
    """Let an ``RTCRtpReceiver`` that has not received yet hand over pictures by ``queue``.

    It puts ``(codec, JitterFrame)``, and None in the end; the decoder's thread gets.
    """
    _AIORTC.replace(receiver, "_RTCRtpReceiver__decoder_queue", queue)


def frames_waiting(track: Any) -> Callable[[], int]:
    """Return what tells how many frames of a remote track nobody has received yet."""
    size: Callable[[], int] = _AIORTC.get(track, "_queue").qsize
    return size


def key_frame_request(receiver: Any) -> Callable[[], None]:
    """Return what lets a receiver of video ask for a key frame with the next packet."""
    request: Callable[[], None] = _AIORTC.get(receiver, "_RTCRtpReceiver__decoder_error").set
    return request


def limit_gaps(receiver: Any, packets: int) -> None:
    """Let a receiver of video ask for what is missing in gaps of so many packets, and no longer.

    The library goes through every number between two packets, up to 32,767 for each that comes.
    """
    generator = _AIORTC.get(receiver, "_RTCRtpReceiver__nack_generator")
    add = _AIORTC.get(generator, "add")

    def limited(packet: RtpPacket) -> bool:
        newest = _AIORTC.get(generator, "max_seq")
        if newest is not None and packets < (packet.sequence_number - newest) % 65_536 < 32_768:
            generator.max_seq = None  # this one is the first
            _AIORTC.get(generator, "missing").clear()
        return bool(add(packet))

    _AIORTC.replace(generator, "add", limited)


def replace_timestamp_mapper(receiver: Any, mapper: Any) -> None:
    """Let an ``RTCRtpReceiver`` turn RTP times into frames' by ``mapper.map(timestamp)``."""
    _AIORTC.replace(receiver, "_RTCRtpReceiver__timestamp_mapper", mapper)


def watch_rtp(receiver: Any, look: Callable[[RtpPacket], None]) -> None:
    """Show every RTP packet of a receiver to ``look`` before it is handled."""
    handle = _AIORTC.get(receiver, "_handle_rtp_packet")

    async def noted(packet: RtpPacket, arrival_time_ms: int) -> None:
        look(packet)
        await handle(packet, arrival_time_ms=arrival_time_ms)

    _AIORTC.replace(receiver, "_handle_rtp_packet", noted)  # looked up for every packet


def watch_rtcp(receiver: Any, look: Callable[[Any], None]) -> None:
    """Show every RTCP packet of a receiver to ``look`` before it is handled."""
    handle = _AIORTC.get(receiver, "_handle_rtcp_packet")

    async def noted(packet: Any) -> None:
        look(packet)
        await handle(packet)

    _AIORTC.replace(receiver, "_handle_rtcp_packet", noted)


def ignore_goodbyes(receiver: Any) -> None:
    """Let a receiver go on when its sender says that it sends no more (RTCP BYE).

    The library's is over then, for good; but who has no track for a while may say so, too, and goes
    on under the same SSRC with the next one. What really ends, ends with its transport.
    """
    handle = _AIORTC.get(receiver, "_handle_rtcp_packet")

    async def heard(packet: Any) -> None:
        if not isinstance(packet, RtcpByePacket):
            await handle(packet)

    _AIORTC.replace(receiver, "_handle_rtcp_packet", heard)


def close_without_reports(receiver: Any) -> None:
    """Let a receiver that receives nothing yet be closed also when it could not report (RTCP RR).

    The library's waits in the end for its task of reports, and for ever if an error has ended it: a
    sender's time stamps suffice for a jitter that no report can hold.
    """
    run = _AIORTC.get(receiver, "_run_rtcp")
    has_ended = _AIORTC.get(receiver, "_RTCRtpReceiver__rtcp_exited")

    async def ending() -> None:
        try:
            await run()
        finally:
            has_ended.set()

    _AIORTC.replace(receiver, "_run_rtcp", ending)


# --- senders --------------------------------------------------------------------------------------
def limit_resent(sender: Any, rate_hz: float) -> None:
    """Let an ``RTCRtpSender`` send what was lost again: all it keeps at once, then at a rate.

    The library sends a packet again as often as one request (RTCP NACK) names it, and all at once.
    """
    handle = _AIORTC.get(sender, "_handle_rtcp_packet")
    history = _AIORTC.get(sender, "_RTCRtpSender__rtp_history")
    budget = TokenBucket(rate_hz, RTP_HISTORY_SIZE)

    async def limited(packet: Any) -> None:
        if isinstance(packet, RtcpRtpfbPacket) and packet.fmt == RTCP_RTPFB_NACK:
            kept = {sent.sequence_number for sent in history.values()}
            now_s = asyncio.get_running_loop().time()
            packet.lost = [
                number
                for number in dict.fromkeys(packet.lost)
                if number in kept and budget.take(now_s)
            ]
        await handle(packet)

    _AIORTC.replace(sender, "_handle_rtcp_packet", limited)  # looked up for every packet


# --- packets --------------------------------------------------------------------------------------
def depayloaded(packet: RtpPacket) -> bytes:
    """Return what a received packet carries, without its codec's own header."""
    return bytes(_AIORTC.get(packet, "_data"))


def waiting_packets(buffer: JitterBuffer) -> Iterator[RtpPacket | None]:
    """Yield the library's own buffer from its oldest place on; None where none has come."""
    packets, origin = _AIORTC.get(buffer, "_packets"), _AIORTC.get(buffer, "_origin")
    for count in range(buffer.capacity):
        yield packets[(origin + count) % buffer.capacity]


# --- transports -----------------------------------------------------------------------------------
def wrap_transport(
    transport: Any, send: Callable[[Send], Send], receive: Callable[[Receive], Receive]
) -> None:
    """Put something before sending and receiving of an ``RTCIceTransport``, for every datagram."""
    _AIORTC.replace(transport, "_send", send(_AIORTC.get(transport, "_send")))
    _AIORTC.replace(transport, "_recv", receive(_AIORTC.get(transport, "_recv")))


def limit_sources(transport: Any, most: int) -> None:
    """Let an ``RTCDtlsTransport`` listen to so many sources (SSRCs), and to none that come later.

    The library keeps all it has ever heard of, looks through them for every packet, and reports on
    them all, for which a packet has room for 61.
    """
    known: set[bytes] = set()

    def limited(name: str, place: slice) -> None:
        handle = _AIORTC.get(transport, name)

        async def handle_known(data: bytes, **arrival: int) -> None:
            source = data[place]
            if source in known or len(known) < most:
                known.add(source)
                await handle(data, **arrival)
            else:
                _AIORTC.get(transport, "_rx_srtp").remove_stream(int.from_bytes(source))

        _AIORTC.replace(transport, name, handle_known)  # looked up for every packet

    limited("_handle_rtp_data", slice(8, 12))
    limited("_handle_rtcp_data", slice(4, 8))


# --- data channels --------------------------------------------------------------------------------
def filter_chunks(sctp: Any, allows: Callable[[Any], bool]) -> None:
    """Let an ``RTCSctpTransport`` handle only those of its peer's chunks that are allowed."""
    handle = _AIORTC.get(sctp, "_receive_chunk")

    async def filtered(chunk: Any) -> None:
        if allows(chunk):
            await handle(chunk)

    _AIORTC.replace(sctp, "_receive_chunk", filtered)  # looked up for every packet


def unfinished(sctp: Any) -> int:
    """Return how much of its peer's an ``RTCSctpTransport`` keeps.

    Streams that were used, pieces of messages that are not complete, numbers behind a missing one.
    """
    streams = _AIORTC.get(sctp, "_inbound_streams").values()
    pieces = sum(len(_AIORTC.get(stream, "reassembly")) for stream in streams)
    return len(streams) + pieces + len(_AIORTC.get(sctp, "_sack_misordered"))


def acknowledged(chunk: Any) -> int:
    """Return how many of our pieces an SCTP chunk tells to have come behind a missing one."""
    if not isinstance(chunk, SackChunk):
        return 0
    return sum(max(0, last - first + 1) for first, last in _AIORTC.get(chunk, "gaps"))


# --- encoders -------------------------------------------------------------------------------------
def set_bitrate(bits_per_s: int) -> None:
    """Let the video encoders of this process begin at a bit rate, and never exceed it."""
    for codec in (vpx, h264):
        _AIORTC.replace(codec, "DEFAULT_BITRATE", bits_per_s)
        _AIORTC.replace(codec, "MAX_BITRATE", bits_per_s)


def encoder_of(sender: Any) -> Any:
    """Return the encoder of an ``RTCRtpSender``.

    None before its first picture, and while the next has to be a key frame.
    """
    if _AIORTC.get(sender, "_RTCRtpSender__force_keyframe"):
        return None
    return _AIORTC.get(sender, "_RTCRtpSender__encoder")


def set_vp8_encoder(encoder: type[vpx.Vp8Encoder]) -> None:
    """Let the connections of this process encode VP8 by another class."""
    _AIORTC.replace(codecs, "Vp8Encoder", encoder)  # looked up when a sender begins


# --- decoders -------------------------------------------------------------------------------------
def set_video_decoders(vp8: type[vpx.Vp8Decoder], avc: type[h264.H264Decoder]) -> None:
    """Let the connections of this process decode pictures by other classes."""
    _AIORTC.replace(codecs, "Vp8Decoder", vp8)  # looked up when a codec's first picture comes
    _AIORTC.replace(codecs, "H264Decoder", avc)
