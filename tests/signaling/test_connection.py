"""Single connections: what is negotiated, and what becomes of an offer that leads nowhere."""

import asyncio
from dataclasses import replace

import pytest

from rt_avatar.config.settings import AvatarSettings, VisionSettings
from rt_avatar.errors import BadInputError
from rt_avatar.signaling import call
from rt_avatar.signaling.connection import Connection
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
