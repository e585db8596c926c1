"""What aiortc and livekit-agents keep private is used in one module each, and is there."""

import ast
import inspect
import re
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from aiortc import RTCPeerConnection
from aiortc.codecs import vpx
from aiortc.jitterbuffer import JitterBuffer
from aiortc.rtcrtpreceiver import RemoteStreamTrack, RTCRtpReceiver
from aiortc.rtcsctptransport import DataChunk, SackChunk
from aiortc.rtp import RtpPacket
from livekit import rtc
from livekit.agents import AgentServer
from livekit.agents.voice.avatar import DataStreamAudioOutput
from livekit.plugins import rt_avatar

from rt_avatar.signaling import aiortc_private
from rt_avatar.signaling.livekit import agents_private
from rt_avatar.signaling.mic_buffer import MicBuffer
from rt_avatar.signaling.private_api import LibraryChangedError, PrivateNames

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
HOMES = ("aiortc_private.py", "agents_private.py")
PRIVATE = re.compile(r"_(?!_)\w+|_?[A-Z]\w*__\w+")


def private_uses(file: Path) -> list[str]:
    """Names of others that are private: `thing._name`, `from package._module import …`."""
    found = []
    tree = ast.parse(file.read_text(encoding="utf-8"))
    defined = {node.name for node in ast.walk(tree) if hasattr(node, "name")}
    defined |= {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            # A plug-in's base class offers `self._names` to whoever derives from it.
            is_own = "benchmarks" in file.parts and getattr(node.value, "id", "") == "self"
            if PRIVATE.fullmatch(node.attr) and node.attr not in defined and not is_own:
                found.append(f"{file.name}:{node.lineno}: .{node.attr}")
        elif isinstance(node, ast.ImportFrom) and not node.level:
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            if parts[0] in ("aiortc", "aioice", "livekit") and any(map(PRIVATE.fullmatch, parts)):
                found.append(f"{file.name}:{node.lineno}: {'.'.join(parts)}")
        elif isinstance(node, ast.Constant) and re.fullmatch(r"_[A-Z]\w+__\w+", str(node.value)):
            found.append(f"{file.name}:{node.lineno}: {node.value}")
    return found


@pytest.mark.parametrize("folder", ["signaling", "benchmarks"])
def test_private_names_of_libraries_are_used_in_their_one_module_only(folder):
    files = [file for file in sorted((ROOT / folder).rglob("*.py")) if file.name not in HOMES]
    mixed = [file for file in files if re.search(r"aiortc|livekit", file.read_text("utf-8"))]
    assert [use for file in mixed for use in private_uses(file)] == []


async def test_aiortc_keeps_its_private_parts_where_we_look():
    pc = RTCPeerConnection()
    try:
        video = pc.addTransceiver("video")
        assert aiortc_private.encoder_of(video.sender) is None
        aiortc_private.limit_gaps(video.receiver, 512)
        generator = video.receiver._RTCRtpReceiver__nack_generator
        assert [generator.add(RtpPacket(sequence_number=n)) for n in (7, 10)] == [False, True]
        receiver = pc.addTransceiver("audio").receiver
        aiortc_private.replace_decoder_queue(receiver, SimpleQueue())
        aiortc_private.key_frame_request(receiver)()
        assert aiortc_private.frames_waiting(RemoteStreamTrack("video"))() == 0
        aiortc_private.replace_jitter_buffer(receiver, MicBuffer(lambda frame: None))
        assert callable(aiortc_private.frames_of(RemoteStreamTrack("audio")))
        aiortc_private.replace_timestamp_mapper(receiver, SimpleNamespace(map=lambda at: at))
        aiortc_private.watch_rtp(receiver, lambda packet: None)
        aiortc_private.watch_rtcp(receiver, lambda packet: None)
        aiortc_private.ignore_goodbyes(receiver)
        aiortc_private.close_without_reports(receiver)
        aiortc_private.limit_resent(video.sender, 256)
        aiortc_private.limit_sources(receiver.transport, 31)
        assert receiver.transport._rx_srtp is None  # before the handshake
        pc.createDataChannel("any")
        aiortc_private.filter_chunks(pc.sctp, lambda chunk: True)
        stream = pc.sctp._get_inbound_stream(1)
        stream.add_chunk(DataChunk())
        assert aiortc_private.unfinished(pc.sctp) == 2
        assert aiortc_private.acknowledged(SackChunk()) == 0
        transport = receiver.transport.transport
        aiortc_private.wrap_transport(transport, lambda send: send, lambda receive: receive)
        # Only the receiver puts it on a packet, when it knows the codec.
        assert "packet._data = " in inspect.getsource(RTCRtpReceiver._handle_rtp_packet), (
            "aiortc: expected received packets to carry _data; adapt signaling/aiortc_private.py"
        )
        buffer = JitterBuffer(capacity=4)
        buffer.add(packet := RtpPacket(sequence_number=7))
        assert next(aiortc_private.waiting_packets(buffer)) is packet
    finally:
        await pc.close()


def test_aiortc_has_the_bit_rates_of_its_encoders_where_we_set_them(monkeypatch):
    for codec in (vpx, aiortc_private.h264):
        for name in ("DEFAULT_BITRATE", "MAX_BITRATE"):
            monkeypatch.setattr(codec, name, getattr(codec, name))  # put back in the end
    aiortc_private.set_bitrate(123_000)
    assert (vpx.DEFAULT_BITRATE, vpx.MAX_BITRATE) == (123_000, 123_000)


async def test_livekit_agents_keeps_its_private_parts_where_we_look():
    room = rtc.Room()
    output = DataStreamAudioOutput(room, destination_identity="ava")
    assert (agents_private.pending_playbacks(output), agents_private.pushed_s(output)) == (0, 0.0)
    session = rt_avatar.AvatarSession()
    assert (agents_private.joining(session), agents_private.room_of(session)) == (None, None)
    await agents_private.make_room_output(room, 24_000, "voice").aclose()
    agents_private.watch_terminations(server := AgentServer(), lambda job_id: None)
    assert not agents_private.is_connecting(server)


def test_a_library_that_has_changed_is_told_with_what_to_do():
    names = PrivateNames("aiortc", "1.16", "signaling/aiortc_private.py")
    with pytest.raises(LibraryChangedError) as caught:
        names.replace(JitterBuffer(capacity=4), "_gone", 1)
    assert re.fullmatch(
        r"aiortc [\d.]+: expected JitterBuffer\._gone as in 1\.16; it is not there\. "
        r"Install aiortc 1\.16, or adapt signaling/aiortc_private\.py",
        str(caught.value),
    )
