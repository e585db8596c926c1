"""What is put before the library's own: nobody has it keep, report or send again without end."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction

import pytest
from aiortc import MediaStreamTrack, RTCRtpSender
from aiortc.rtcrtpparameters import RTCRtcpParameters, RTCRtpSendParameters
from aiortc.rtp import (
    RTCP_RTPFB_NACK,
    RTP_HISTORY_SIZE,
    RtcpPacket,
    RtcpRtpfbPacket,
    RtpPacket,
    is_rtcp,
    pack_rtcp_packet,
)
from av import Packet

from rt_avatar.signaling.aiortc_private import close_without_reports, limit_resent
from rt_avatar.signaling.connection import RESENT_HZ
from tests.fakes.rtp_receiver import CODECS, receiving
from tests.fakes.virtual_time import VirtualTimeLoop, run_virtual

pytestmark = pytest.mark.unit


class ScriptedTransport:
    """Stands for the DTLS transport; keeps the numbers of what is sent."""

    state = "connected"

    def __init__(self) -> None:
        self.numbers: asyncio.Queue[int] = asyncio.Queue()

    def _register_rtp_sender(self, *_what: object) -> None:
        pass

    _unregister_rtp_sender = _register_rtp_sender

    async def _send_rtp(self, data: bytes) -> None:
        if not is_rtcp(data):
            self.numbers.put_nowait(RtpPacket.parse(data).sequence_number)


class ScriptedTrack(MediaStreamTrack):
    """Encoded pictures of one packet each, as they are put in."""

    kind = "video"

    def __init__(self) -> None:
        super().__init__()
        self.pictures: asyncio.Queue[Packet] = asyncio.Queue()

    async def recv(self) -> Packet:
        return await self.pictures.get()


class Line:
    """A limited sender, its track, and what asks it for packets that were lost."""

    def __init__(self) -> None:
        self.transport = ScriptedTransport()
        self.track = ScriptedTrack()
        self.sender = RTCRtpSender(self.track, self.transport)
        limit_resent(self.sender, RESENT_HZ)

    async def send(self, count: int) -> list[int]:
        """Send so many packets for the first time; return their numbers."""
        for at in range(count):
            picture = Packet(b"\x00")
            picture.pts, picture.time_base = at, Fraction(1, 90_000)
            self.track.pictures.put_nowait(picture)
        return [await self.transport.numbers.get() for _ in range(count)]

    async def ask(self, fields: bytes) -> list[int]:
        """Ask by one packet for what its fields name; return what was sent again."""
        feedback = pack_rtcp_packet(205, RTCP_RTPFB_NACK, bytes(8) + fields)
        for packet in RtcpPacket.parse(feedback):
            await self.sender._handle_rtcp_packet(packet)
        return [self.transport.numbers.get_nowait() for _ in range(self.transport.numbers.qsize())]

    async def ask_for(self, numbers: list[int]) -> list[int]:
        packet = RtcpRtpfbPacket(fmt=RTCP_RTPFB_NACK, ssrc=1, media_ssrc=2, lost=numbers)
        return await self.ask(bytes(packet)[12:])


@asynccontextmanager
async def sending() -> AsyncIterator[Line]:
    line = Line()
    await line.sender.send(
        RTCRtpSendParameters(codecs=[CODECS["video"]], rtcp=RTCRtcpParameters(cname="any"))
    )
    try:
        yield line
    finally:
        await line.sender.stop()


def test_a_packet_that_is_asked_for_many_times_at_once_is_sent_again_once():
    """972 bytes that named 17 packets 240 times brought 824,761."""

    async def call(_loop: VirtualTimeLoop) -> None:
        async with sending() as line:
            sent = await line.send(40)
            first = sent[10].to_bytes(2)
            assert await line.ask((first + b"\xff\xff") * 240) == sent[10:27]

    run_virtual(call)


def test_who_asks_without_end_is_sent_no_more_than_a_rate():
    async def call(loop: VirtualTimeLoop) -> None:
        async with sending() as line:
            sent, again = await line.send(RTP_HISTORY_SIZE), 0
            for _ in range(1000):
                again += len(await line.ask_for(sent))
                loop.stall(0.01)
            assert again == pytest.approx(10 * RESENT_HZ + RTP_HISTORY_SIZE, abs=5)

    run_virtual(call)


@pytest.mark.parametrize("loss", [0.03, 0.1, 0.3])
def test_all_that_a_bad_line_loses_is_sent_again_however_often_it_is_lost(loss):
    """100 packets a second; what is lost is asked for every 100 ms until it has come."""
    dice = random.Random(1)

    async def call(loop: VirtualTimeLoop) -> None:
        async with sending() as line:
            missing: list[tuple[int, int]] = []  # when to ask, for which
            for at in range(3000):
                [number] = await line.send(1)
                if dice.random() < loss:
                    missing.append((at + 1, number))
                due = [number for when, number in missing if when == at]
                assert not due or await line.ask_for(due) == due
                missing = [one for one in missing if one[0] != at]
                missing += [(at + 10, number) for number in due if dice.random() < loss]
                loop.stall(0.01)

    run_virtual(call)


def test_all_that_is_kept_is_sent_again_after_a_gap_and_what_is_gone_counts_for_nothing():
    async def call(_loop: VirtualTimeLoop) -> None:
        async with sending() as line:
            sent = await line.send(5 * RTP_HISTORY_SIZE)
            assert await line.ask_for(sent) == sent[-RTP_HISTORY_SIZE:]

    run_virtual(call)


def test_a_receiver_whose_reports_have_failed_can_be_closed():
    """It waited for ever, and its tasks and sockets stayed."""

    async def call(_loop: VirtualTimeLoop) -> None:
        async with asyncio.timeout(60), receiving("audio", close_without_reports) as microphone:
            for source in range(300):  # no report can be about so many
                packet = RtpPacket(payload_type=CODECS["audio"].payloadType, ssrc=source)
                await microphone.receiver._handle_rtp_packet(packet, arrival_time_ms=0)
            await asyncio.sleep(2)
            assert microphone.receiver._RTCRtpReceiver__rtcp_task.exception()

    run_virtual(call)
