"""What HTTP refuses, and how: real requests to a real server, no call is ever connected."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from aiortc import RTCPeerConnection, RTCSessionDescription

from rt_avatar.personas import PERSONAS
from rt_avatar.signaling.server_context import SYNTHETIC
from rt_avatar.signaling.tokens import Ticket, TokenSigner
from tests.fakes.in_process_server import SETTINGS, asked, in_process_server

pytestmark = pytest.mark.network

SECRET = "for tests only"
LASTING = Ticket("one", "ava", 9_999_999_999)
EXPIRED = Ticket("one", "ava", 1_700_000_000)


async def test_a_session_is_all_that_a_page_needs_to_begin():
    async with in_process_server() as context:
        async with context.http.post(
            f"{context.url}/api/sessions", json={"persona": "zuri"}
        ) as response:
            assert response.status == 201
            assert response.headers["Cache-Control"] == "no-store"
            body = await response.json()
        assert body["persona"] == "zuri"
        assert body["protocol"] == 2
        assert body["expires_s"] == 120
        assert body["ice_servers"] == []
        assert body["recogniser"] == {"name": "script", "hint": "It hears only what was written."}
        assert body["reasoner"] == "scripted"
        assert body["limits"]["text_chars"] == 2000
        assert [card["name"] for card in body["personas"]] == list(PERSONAS)
        async with context.http.get(context.url + body["personas"][0]["portrait"]) as portrait:
            assert portrait.content_type == "image/png"
            assert (await portrait.read()).startswith(b"\x89PNG")
        assert context.registry.sessions == 0


async def test_the_page_is_told_that_a_photographed_face_is_synthetic_and_keeps_no_copy():
    avatar = replace(SETTINGS.avatar, persona="leo", portrait="me")
    async with in_process_server(settings=replace(SETTINGS, avatar=avatar)) as context:
        async with context.http.post(f"{context.url}/api/sessions", json={}) as response:
            cards = {card["name"]: card for card in (await response.json())["personas"]}
        assert SYNTHETIC in cards["leo"]["about"]
        assert SYNTHETIC not in cards["ava"]["about"]
        for name, caching in (("leo", "private, no-store"), ("ava", "public, max-age=86400")):
            async with context.http.get(context.url + cards[name]["portrait"]) as portrait:
                assert portrait.headers["Cache-Control"] == caching


@pytest.mark.parametrize(
    ("method", "path", "options", "expected"),
    [
        ("POST", "/api/sessions", {"data": b"{", "type": "application/json"}, (400, "bad_json")),
        ("POST", "/api/sessions", {"data": b"[]", "type": "application/json"}, (400, "bad_body")),
        ("POST", "/api/sessions", {"json": {"persona": "nobody"}}, (400, "unknown_persona")),
        ("POST", "/api/sessions", {"json": {"admin": True}}, (400, "bad_body")),
        ("POST", "/api/sessions", {"data": b"{}", "type": "text/plain"}, (415, "not_json")),
        ("POST", "/api/sessions", {"json": {"persona": "x" * 70_000}}, (413, "too_large")),
        ("GET", "/api/sessions", {}, (405, "method")),
        ("PUT", "/api/sessions", {}, (405, "method")),
        ("GET", "/api", {}, (404, "not_found")),
        ("GET", "/portraits/nobody.png", {}, (404, "not_found")),
        ("GET", "/client/../app.py", {}, (404, "not_found")),
        ("GET", "/client/%2e%2e/app.py", {}, (404, "not_found")),
    ],
)
async def test_requests_that_cannot_be_used_say_why(method, path, options, expected):
    kind = options.pop("type", None)
    headers = {"Content-Type": kind} if kind else {}
    async with (
        in_process_server() as context,
        context.http.request(method, context.url + path, headers=headers, **options) as response,
    ):
        assert await asked(response) == expected


@pytest.mark.parametrize(
    ("session", "token", "expected"),
    [
        ("one", None, (401, "token_missing")),
        ("one", "", (401, "token_missing")),
        ("one", "x" * 600, (401, "token_missing")),
        ("one", "nonsense", (401, "token_invalid")),
        ("one", TokenSigner("else").sign(LASTING), (401, "token_invalid")),
        ("two", TokenSigner(SECRET).sign(LASTING), (403, "token_other_session")),
        ("one", TokenSigner(SECRET).sign(EXPIRED), (401, "token_expired")),
    ],
)
async def test_only_the_right_token_opens_a_session(session, token, expected):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with in_process_server(token_secret=SECRET) as context:
        url = f"{context.url}/api/sessions/{session}/offer"
        body = {"type": "offer", "sdp": "v=0"}
        async with context.http.post(url, json=body, headers=headers) as response:
            assert await asked(response) == expected


async def test_a_token_of_one_call_does_not_end_another():
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        await one.call()
        await other.call()
        one.session = {**one.session, "token": other.session["token"]}
        assert await one.delete() == 403
        assert context.registry.sessions == 2


def broken_offers(good: str) -> list[str]:
    """Offers that pass, or nearly pass, our own look and then disturb the library."""
    lines = good.split("\r\n")
    fingerprints = [n for n, line in enumerate(lines) if line.startswith("a=fingerprint")]
    return [
        "v=0",
        good.replace("a=ice-ufrag", "a=ice-uf"),
        good.replace("opus/48000/2", "opus/fast/2"),
        good.replace("a=mid:0", "a=mid:9"),
        good.replace("a=setup:actpass", "a=setup:perhaps", 1),
        good.replace("UDP/TLS/RTP/SAVPF ", "UDP/TLS/RTP/SAVPF x ", 1),
        good.replace("sha-256 ", "sha-256", 9),
        good + "a=candidate:broken\r\n",
        good + "a=ssrc:x y:z\r\n",
        good + "a=fmtp:250 x=y\r\n",
        good + "a=extmap:x\r\n",
        "\r\n".join(line for n, line in enumerate(lines) if n not in fingerprints),
    ]


async def test_broken_offers_are_refused_and_leave_nothing_behind():
    async with (
        in_process_server() as context,
        context.caller() as caller,
        context.caller() as other,
    ):
        await caller.call()
        good = await other.make_offer()
        outcomes = {}
        for offer in broken_offers(good):
            session, token = context.ticket()
            other.session = {"id": session, "token": token}
            status, body = await other.offer(offer)
            outcomes[offer] = (status, body.get("error", {}).get("reason"))
        print([(v, i) for i, v in enumerate(outcomes.values())])
        assert set(outcomes.values()) == {(400, "bad_sdp")}
        assert context.registry.sessions == 1
        caller.send({"type": "ping", "t": 1})
        await caller.wait_for("pong")
        assert (await other.offer(good))[0] == 200  # the door is still open for good ones


async def test_an_offer_that_is_refused_late_is_no_call_for_anybody(monkeypatch):
    held, may_go_on = asyncio.Event(), asyncio.Event()
    read = RTCPeerConnection.setRemoteDescription

    async def read_slowly(connection: RTCPeerConnection, offer: RTCSessionDescription) -> None:
        if "broken" in offer.sdp:
            held.set()
            await may_go_on.wait()
        await read(connection, offer)

    monkeypatch.setattr(RTCPeerConnection, "setRemoteDescription", read_slowly)
    async with in_process_server() as context, context.caller() as one, context.caller() as other:
        told: list[Sequence[str]] = []
        context.registry.on_change = told.append
        for caller in (one, other):
            caller.session = dict(zip(("id", "token"), context.ticket(), strict=True))
        broken = await one.make_offer() + "a=candidate:broken\r\n"
        refused = asyncio.create_task(one.offer(broken))
        await held.wait()
        await other.connect()
        assert len(told[-1]) == 2
        may_go_on.set()
        assert (await refused)[0] == 400
        assert told[-1] == ["127.0.0.1"]
        assert await context.metric("rt_avatar_sessions") == 1


async def test_a_body_that_is_not_encoded_as_it_says_is_the_callers_mistake():
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    async with in_process_server() as context:
        url = f"{context.url}/api/sessions"
        async with context.http.post(url, data=b"no gzip", headers=headers) as response:
            assert await asked(response) == (400, "bad_body")


@pytest.mark.parametrize("path", ["/api/sessions", "/api/voices"])
async def test_a_page_that_is_closed_while_it_sends_is_no_fault_of_ours(path, caplog):
    caplog.set_level(logging.INFO)
    async with in_process_server() as context:
        place = urlsplit(context.url)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
            "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n{".encode()
        )
        assert b" 100 " in await reader.readline()  # it reads the body
        writer.write_eof()
        await reader.read()
        writer.close()
        assert await context.metric('rt_avatar_rejected_total{reason="internal"}') == 0
    assert "the caller has gone" in caplog.text
    assert "request failed" not in caplog.text


async def test_a_page_from_elsewhere_is_not_served():
    async with in_process_server() as context:
        headers = {"Origin": "https://evil.example"}
        async with context.http.post(f"{context.url}/api/sessions", headers=headers) as response:
            assert await asked(response) == (403, "foreign_origin")
            assert "Access-Control-Allow-Origin" not in response.headers


async def test_an_allowed_page_from_elsewhere_may_ask_first_and_then_call():
    async with in_process_server(allowed_origins=("https://shop.example",)) as context:
        headers = {"Origin": "https://shop.example"}
        async with context.http.options(f"{context.url}/api/sessions", headers=headers) as response:
            assert response.status == 204
            assert response.headers["Access-Control-Allow-Origin"] == "https://shop.example"
        async with context.http.post(f"{context.url}/api/sessions", headers=headers) as response:
            assert response.status == 201
            assert response.headers["Access-Control-Allow-Origin"] == "https://shop.example"
            assert "Retry-After" in response.headers["Access-Control-Expose-Headers"]


async def test_everything_bears_the_security_headers_refusals_too():
    async with in_process_server() as context:
        for path in ("/healthz", "/client/main.js", "/nowhere"):
            async with context.http.get(context.url + path) as response:
                assert "default-src 'self'" in response.headers["Content-Security-Policy"]
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                assert "camera=(self)" in response.headers["Permissions-Policy"]


async def test_metrics_are_told_on_a_port_of_their_own_and_not_to_callers():
    async with in_process_server() as context:
        async with context.http.get(f"{context.url}/metrics") as response:
            assert await asked(response) == (404, "not_found")
        async with context.http.get(context.metrics) as response:
            assert response.headers["Content-Type"].startswith("text/plain")
            assert "rt_avatar_sessions 0.0" in await response.text()


async def test_somebody_who_asks_too_often_is_slowed_down():
    async with in_process_server() as context:
        statuses = []
        for _ in range(30):
            async with context.http.post(f"{context.url}/api/sessions") as response:
                statuses.append(response.status)
                refused = None if response.status == 201 else await asked(response)
        assert statuses[:10] == [201] * 10
        assert refused == (429, "rate")
        async with context.http.get(f"{context.url}/healthz") as response:
            assert response.status == 200
