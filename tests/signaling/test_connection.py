"""Single connections: what is negotiated, and what becomes of an offer that leads nowhere."""

import asyncio
from dataclasses import replace

import pylibsrtp
import pytest
from aiortc import InvalidStateError, RTCDataChannel
from aiortc.rtcsctptransport import WEBRTC_BINARY
from aiortc.rtp import RtpPacket

from rt_avatar.config.perception_settings import VisionSettings
from rt_avatar.config.settings import AvatarSettings
from rt_avatar.errors import BadInputError
from rt_avatar.signaling import call
from rt_avatar.signaling.call import Call
from rt_avatar.signaling.connection import MAX_SOURCES, Connection
from tests.fakes.in_process_server import SETTINGS, in_process_server

pytestmark = pytest.mark.realtime


def section(sdp: str, kind: str) -> list[str]:
    """Return the lines of a section of an SDP."""
    return next(part for part in sdp.split("m=") if part.startswith(kind)).splitlines()


def codecs(sdp: str, kind: str) -> list[str]:
    lines = section(sdp, kind)
    return [line.split()[1].split("/")[0] for line in lines if line.startswith("a=rtpmap")]


async def answered(caller) -> str:
    caller.session = await (await caller.http.post(f"{caller.url}/api/sessions")).json()
    status, body = await caller.offer(await caller.make_offer())
    assert status == 200
    assert body["type"] == "answer"
    return body["sdp"]


async def one_call_left(context) -> None:
    async with asyncio.timeout(10):
        while context.registry.sessions > 1:
            context.registry._has_changed.clear()
            await context.registry._has_changed.wait()


@pytest.mark.parametrize(("wanted", "first"), [("auto", "VP8"), ("VP8", "VP8"), ("H264", "H264")])
async def test_the_settings_choose_the_video_codec(wanted, first):
    settings = replace(SETTINGS, avatar=AvatarSettings(video_codec=wanted))
    async with in_process_server(settings=settings) as context, context.caller() as caller:
        answer = await answered(caller)
        assert codecs(answer, "video")[0] == first
        assert codecs(answer, "audio") == ["opus"]


async def test_h264_is_seen_by_a_caller_who_has_nothing_else():
    async with in_process_server() as context, context.caller() as caller:
        offer = await caller.make_offer()
        caller.session = dict(zip(("id", "token"), context.ticket(), strict=True))
        status, body = await caller.offer(offer.replace("VP8/90000", "VP9/90000"))
        assert status == 200
        assert "VP8" not in codecs(body["sdp"], "video")
        assert codecs(body["sdp"], "video")[0] == "H264"


async def test_a_camera_is_not_asked_for_when_nobody_looks():
    settings = replace(SETTINGS, vision=VisionSettings(enabled=False))
    async with (
        in_process_server(settings=settings) as context,
        context.caller(has_camera=True) as caller,
    ):
        assert "a=sendonly" in section(await answered(caller), "video")


async def test_pictures_of_the_camera_arrive_small_and_seldom():
    async with in_process_server() as context, context.caller(has_camera=True) as caller:
        await caller.call()
        session = context.registry.find(caller.session["id"])._session
        seen = []
        session.media_input.push_image_nowait = seen.append  # the session's own eyes stay shut
        async with asyncio.timeout(20):
            while len(seen) < 3:
                await caller.until(lambda count=caller.pictures: caller.pictures > count)
        assert seen[-1].shape == (240, 320, 3)
        assert abs(int(seen[-1][120, 160, 0]) - 200) < 12


async def test_an_answer_that_nobody_takes_gives_its_place_back(monkeypatch):
    monkeypatch.setattr(call, "CONNECT_S", 1.0)
    async with in_process_server() as context, context.caller() as caller:
        await answered(caller)
        assert context.registry.sessions == 1
        async with asyncio.timeout(10):
            await context.registry.idle()
        assert await context.metric('rt_avatar_sessions_ended_total{reason="lost"}') == 1
        assert await context.metric("rt_avatar_sessions_started_total") == 0


async def test_offering_again_and_again_holds_no_place_without_a_connection(monkeypatch):
    monkeypatch.setattr(call, "CONNECT_S", 1.0)
    monkeypatch.setattr(call, "MAX_CONNECT_S", 2.0)
    async with in_process_server() as context, context.caller() as caller:
        await answered(caller)
        sdp = await caller.make_offer()
        statuses = []
        async with asyncio.timeout(30):
            while 410 not in statuses:  # over
                statuses.append((await caller.offer(sdp))[0])
                await asyncio.sleep(0.5)  # within the time that one offer has to connect
        assert 200 in statuses
        assert context.registry.sessions == 0


async def test_an_offer_that_fails_while_the_server_closes_does_not_hold_it_up(monkeypatch):
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def fail(self: Connection, offer: str) -> str:
        begun.set()
        await goes_on.wait()
        raise BadInputError("sdp: expected one that can be answered", reason="bad_sdp")

    monkeypatch.setattr(Connection, "answer", fail)
    async with (
        in_process_server() as context,
        context.caller() as caller,
        asyncio.TaskGroup() as group,
    ):
        caller.session = dict(zip(("id", "token"), context.ticket(), strict=True))
        offering = group.create_task(caller.offer(await caller.make_offer()))
        await begun.wait()
        draining = group.create_task(context.registry.drain(600))
        await asyncio.sleep(0)
        goes_on.set()
        assert (await offering)[0] == 400
        async with asyncio.timeout(10):
            await draining


async def test_two_offers_at_once_are_answered_one_after_the_other_or_refused():
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        async with context.caller() as one, context.caller() as two:
            one.session = two.session = caller.session
            offers = [await one.make_offer(), await two.make_offer()]
            outcomes = await asyncio.gather(one.offer(offers[0]), two.offer(offers[1]))
        assert 200 in {status for status, _ in outcomes}
        refused = [body["error"]["reason"] for status, body in outcomes if status != 200]
        assert set(refused) <= {"offer_in_progress"}
        assert context.registry.sessions == 1


async def test_a_message_without_an_end_ends_its_connection_and_disturbs_no_other():
    """7 MB of it took 7 s of the loop; pieces are looked through whenever another one comes."""
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        await one.call()
        await other.call()
        await one.pc.sctp._send(one.channel.id, WEBRTC_BINARY, bytes(2_000_000))
        await one.until(lambda: one.pc.connectionState == "closed")
        await one.drop()
        await one.connect()
        assert one.last("hello")["resumed"]
        sounds = len(other.sound)
        await other.until(lambda: len(other.sound) > sounds)


async def test_a_caller_of_ever_new_sources_is_heard_under_the_first_ones_and_no_others_are_kept():
    """Behind 20,000 of them every packet took 0.1 ms more, and the call could not be closed."""
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        pc = context.registry.find(caller.session["id"])._connection._pc
        receiver, microphone = (one.getTransceivers()[0] for one in (pc, caller.pc))
        streams = receiver.receiver._RTCRtpReceiver__remote_streams
        await caller.until(lambda: microphone.sender._ssrc in streams)
        payload_type = microphone._codecs[0].payloadType
        for source in range(1, 101):
            packet = RtpPacket(payload_type=payload_type, ssrc=source)
            await microphone.sender.transport._send_rtp(packet.serialize())
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")
        assert {1, 2, 20} <= set(streams)  # who changes it now and then is heard
        assert len(streams) <= MAX_SOURCES
        transport = receiver.receiver.transport
        assert 100 not in transport._rtp_router.ssrc_table
        with pytest.raises(pylibsrtp.Error):
            transport._rx_srtp.remove_stream(100)
        heard = streams[microphone.sender._ssrc]
        packets = heard.packets_received
        await caller.until(lambda: heard.packets_received > packets)


async def test_a_session_that_fails_ends_its_call_and_no_other():
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        await one.call()
        await other.call()
        session = context.registry.find(one.session["id"])._session

        async def fall() -> None:
            raise RuntimeError("the painter fell off the ladder")

        session.media_output.next_video = fall
        bye = await one.wait_for("bye", reason="internal")
        assert "painter" not in bye["text"]
        other.send({"type": "ping", "t": 1})
        await other.wait_for("pong")


async def test_an_offer_with_room_for_no_message_is_refused_and_other_calls_go_on():
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        await other.call()
        one.session = dict(zip(("id", "token"), context.ticket(), strict=True))
        lines = (await one.make_offer()).splitlines()
        offer = [line for line in lines if "max-message-size" not in line]
        status, body = await one.offer("\r\n".join([*offer, "a=max-message-size:10", ""]))
        assert (status, body["error"]["reason"]) == (400, "bad_sdp")
        other.send({"type": "ping", "t": 1})
        await other.wait_for("pong")


@pytest.mark.parametrize("end", ["hang_up", "delete", "drain"])
async def test_a_caller_who_takes_no_message_of_ours_is_heard_and_other_calls_go_on(end):
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        await other.call()
        await one.call()
        await one.wait_for("state")
        connection = context.registry.find(one.session["id"])._connection
        connection._pc.sctp._remote_max_message_size = 10  # as a library may find out late
        one.send({"type": "ping", "t": 1})
        match end:
            case "hang_up":
                one.send({"type": "hang_up"})
            case "delete":
                assert await one.delete() == 204
            case "drain":
                await context.registry.drain(0.01)
                one.send({"type": "hang_up"})
        await one_call_left(context)
        assert not {message["type"] for message in one.messages} & {"pong", "notice", "bye"}
        assert await context.metric('rt_avatar_sessions_ended_total{reason="hang_up"}') == 1
        other.send({"type": "ping", "t": 2})
        await other.wait_for("pong")


async def test_a_message_for_a_transport_that_is_gone_is_dropped(monkeypatch):
    async with in_process_server() as context, context.caller() as caller:
        await caller.call()
        connection = context.registry.find(caller.session["id"])._connection

        def send(self: RTCDataChannel, data: str | bytes) -> None:
            raise InvalidStateError

        with monkeypatch.context() as gone:
            gone.setattr(RTCDataChannel, "send", send)
            connection.send("hello?")
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")


@pytest.mark.parametrize("error", [ValueError("too long"), KeyError("gone"), TimeoutError()])
async def test_a_call_that_fails_at_its_very_end_gives_its_place_back_and_ends_no_other(
    monkeypatch, caplog, error
):
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        await other.call()
        await one.call()
        failing = context.registry.find(one.session["id"])
        say_goodbye = Call._say_goodbye

        async def fail(self: Call, ending: object) -> None:
            await say_goodbye(self, ending)
            if self is failing:
                raise error

        monkeypatch.setattr(Call, "_say_goodbye", fail)
        one.send({"type": "hang_up"})
        await one.wait_for("bye", reason="hang_up")
        await one_call_left(context)
        assert "call failed at its end" in caplog.text
        assert await context.metric('rt_avatar_sessions_ended_total{reason="internal"}') == 1
        other.send({"type": "ping", "t": 1})
        await other.wait_for("pong")
        async with context.caller() as third:
            await third.call()
