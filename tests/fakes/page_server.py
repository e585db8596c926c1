"""A server for tests of the page: the real client files, a scripted other end of the wire.

It speaks ``docs/protocol.md`` as far as a page sees it. A test says what the server answers, sends
any message over a real data channel, reads what the page sent, and can lose the network. Run by
itself it shows a call for whoever works on the page: ``python -m tests.fakes.page_server``.
"""

import asyncio
import contextlib
import fractions
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import cv2
import numpy as np
from aiohttp import web
from aiortc import (
    MediaStreamTrack,
    RTCConfiguration,
    RTCDataChannel,
    RTCPeerConnection,
    RTCSessionDescription,
    VideoStreamTrack,
)
from av import AudioFrame, VideoFrame

from rt_avatar.personas import PERSONAS
from rt_avatar.signaling.origin import SECURITY_HEADERS

CLIENT = Path(__file__).resolve().parents[2] / "signaling" / "client"
PICTURE_PX = 128


class Hum(MediaStreamTrack):
    """A quiet tone, 20 ms at a time."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self._index = 0
        self._origin_s = time.monotonic()

    async def recv(self) -> AudioFrame:
        await asyncio.sleep(max(0.0, self._origin_s + self._index * 0.02 - time.monotonic()))
        phase = (np.arange(960) + self._index * 960) * (2 * np.pi * 220 / 48_000)
        frame = AudioFrame(format="s16", layout="mono", samples=960)
        frame.planes[0].update((np.sin(phase) * 300).astype(np.int16).tobytes())
        frame.sample_rate = 48_000
        frame.time_base = fractions.Fraction(1, 48_000)
        frame.pts = self._index * 960
        self._index += 1
        return frame


class Still(VideoStreamTrack):
    """One picture over and over, five times a second: tests share the machine."""

    def __init__(self, picture: np.ndarray) -> None:
        super().__init__()
        self._frame = VideoFrame.from_ndarray(picture, format="rgb24").reformat(format="yuv420p")
        self._index = 0

    async def recv(self) -> VideoFrame:
        await asyncio.sleep(0.2)
        self._frame.pts = self._index * 18_000
        self._frame.time_base = fractions.Fraction(1, 90_000)
        self._index += 1
        return self._frame


class PageServer:
    """What a test holds. ``refusal`` (status, reason, headers) answers requests for sessions."""

    def __init__(self) -> None:
        self.url = ""
        self.refusal: tuple[int, str, dict[str, str]] | None = None
        self.offer_refusal: tuple[int, str] | None = None
        self.is_away = False
        self.is_mute = False  # the path to the page is gone: no ping is answered
        self.sessions = 0
        self.access_tokens: list[str] = []  # of the requests for sessions
        self.ice_servers: list[dict] = []  # what sessions are told
        self.limits = {"text_chars": 2000, "reconnect_s": 30}
        self.renewals = 0
        self.ended: list[str] = []
        self.offers: list[tuple[str, str]] = []  # id and token of each
        self.received: list[dict] = []
        self.picture = sample_picture()
        self.portraits: dict[str, bytes] = {}
        self.shared: list[dict[str, str]] = []  # name and picture of portraits for everybody
        self.allows_changes = True  # of who answers
        self._peers: list[RTCPeerConnection] = []
        self._channel: RTCDataChannel | None = None
        self._shown = {"persona": "ava", "portrait": "", "voice": ""}
        self._news = asyncio.Event()

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard])
        app.router.add_get("/", self._index)
        app.router.add_static("/client/", CLIENT)
        app.router.add_get("/portraits/{name}.png", self._portrait)
        app.router.add_get("/api/portraits/{name}", self._portrait)
        app.router.add_delete("/api/portraits/{name}", self._forget)
        app.router.add_post("/api/sessions", self._create)
        app.router.add_post("/api/sessions/{id}/offer", self._offer)
        app.router.add_get("/api/sessions/{id}/ice_servers", self._renew)
        app.router.add_delete("/api/sessions/{id}", self._end)
        return app

    # --- for tests ----------------------------------------------------------------------------
    def send(self, kind: str, **fields: object) -> None:
        """Send a message to the page."""
        assert self._channel is not None, "no page has called"
        self._channel.send(json.dumps({"type": kind, **fields}))

    async def wait(self, is_true: Callable[[], object], timeout_s: float = 60) -> None:
        """Wait until something holds that requests or messages change."""
        async with asyncio.timeout(timeout_s):
            while not is_true():
                self._news.clear()
                await self._news.wait()

    async def wait_called(self) -> None:
        """Wait for a page's data channel; it is open there a little before it is known here."""
        await self.wait(lambda: self._channel)

    async def wait_message(self, kind: str, **fields: object) -> dict:
        """Wait for a message of the page, also one that has come already."""

        def found() -> list[dict]:
            return [
                message
                for message in self.received
                if message["type"] == kind and fields.items() <= message.items()
            ]

        await self.wait(found)
        return found()[-1]

    def count(self, kind: str) -> int:
        """Return how many messages of a kind the page has sent."""
        return sum(message["type"] == kind for message in self.received)

    async def lose_peers(self) -> None:
        """Close every connection; the page sees its channel close."""
        self._channel = None
        peers, self._peers = self._peers, []
        for peer in peers:
            await peer.close()

    # --- HTTP ---------------------------------------------------------------------------------
    @web.middleware
    async def _guard(self, request: web.Request, handler: Callable) -> web.StreamResponse:
        if self.is_away and request.path.startswith("/api"):
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        response = await handler(request)
        response.headers.update(SECURITY_HEADERS)
        return response

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(CLIENT / "index.html")

    async def _portrait(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        body = self.portraits.get(name) or png(sample_picture(hash(name) % 180))
        return web.Response(body=body, content_type="image/png")

    async def _forget(self, request: web.Request) -> web.Response:
        del self.portraits[request.match_info["name"]]
        return web.Response(status=204)

    async def _create(self, request: web.Request) -> web.Response:
        self.access_tokens.append(bearer(request))
        if self.refusal:
            status, reason, headers = self.refusal
            return refuse(status, reason, headers)
        self.sessions += 1
        asked = await request.json()
        self._shown = {what: asked.get(what, "") for what in self._shown}
        self._shown["persona"] = self._shown["persona"] or "ava"
        return web.json_response(self._session(), status=201)

    def _session(self) -> dict:
        personas = [
            {
                "name": one.name,
                "label": one.label,
                "age": one.age,
                "gender": one.gender,
                "about": one.about,
                "portrait": f"/portraits/{one.name}.png",
            }
            for one in PERSONAS.values()
        ]
        return {
            "id": f"s{self.sessions}",
            "token": f"t{self.sessions}",
            "expires_s": 120,
            "ice_servers": self.ice_servers,
            "personas": personas,
            "portraits": self.shared,
            **self._shown,
            "protocol": 2,
            "limits": self.limits,
            "recogniser": {
                "name": "pocketsphinx",
                "hint": "Hears single words well and long sentences less so.",
            },
            "reasoner": "reflective",
        }

    async def _offer(self, request: web.Request) -> web.Response:
        session = request.match_info["id"]
        self.offers.append((session, bearer(request)))
        self._news.set()
        if self.offer_refusal:
            return refuse(*self.offer_refusal)
        body = await request.json()
        await self.lose_peers()
        peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._peers.append(peer)
        peer.on("datachannel", self._on_channel)
        await peer.setRemoteDescription(RTCSessionDescription(body["sdp"], body["type"]))
        peer.addTrack(Hum())
        peer.addTrack(Still(self.picture))
        await peer.setLocalDescription(await peer.createAnswer())
        answer = peer.localDescription
        return web.json_response({"type": answer.type, "sdp": answer.sdp})

    async def _renew(self, request: web.Request) -> web.Response:
        assert bearer(request) == f"t{self.sessions}"
        self.renewals += 1
        return web.json_response({"ice_servers": self.ice_servers})

    async def _end(self, request: web.Request) -> web.Response:
        self.ended.append(request.match_info["id"])
        self._news.set()
        return web.Response(status=204)

    def _on_channel(self, channel: RTCDataChannel) -> None:
        self._channel = channel
        self._news.set()
        channel.on("message", self._on_message)
        session = self._session()
        told = ("protocol", "personas", "recogniser", "reasoner", "limits", *self._shown)
        self.send("hello", session=session["id"], resumed=False, **{k: session[k] for k in told})
        self.send("state", turn=0, state="listening")

    def _on_message(self, text: str) -> None:
        message = json.loads(text)
        self.received.append(message)
        if message["type"] == "ping" and not self.is_mute:
            self.send("pong", t=message["t"])
        if message["type"] == "persona" and not self.allows_changes:
            self.send("notice", code="rate", text="at most 30 people a minute, please")
        elif message["type"] == "persona":
            self._shown["persona"] = message["name"]
            self.send("persona", name=message["name"])
        if message["type"] in ("face", "voice"):
            self._change_look(message)
        self._news.set()

    def _change_look(self, message: dict) -> None:
        what = "portrait" if message["type"] == "face" else "voice"
        if self.allows_changes:
            self._shown[what] = message.get(what, "")
            self.send(message["type"], **{what: self._shown[what]})
        else:
            self.send("notice", code="bad_input", text=f"{what}: expected one that is kept")


def bearer(request: web.Request) -> str:
    """Return the token that a request bears."""
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


def refuse(status: int, reason: str, headers: dict[str, str] | None = None) -> web.Response:
    """Return an error as the server words it."""
    text = f"expected room, got none ({reason})"
    return web.json_response(
        {"error": {"reason": reason, "text": text}}, status=status, headers=headers
    )


def sample_picture(hue: int = 85) -> np.ndarray:
    """Return a soft gradient with a disc in it, (128, 128, 3) RGB."""
    y, x = np.mgrid[0:PICTURE_PX, 0:PICTURE_PX] / PICTURE_PX
    hsv = np.stack([np.full_like(x, hue), 60 + 50 * x, 215 - 70 * y], axis=-1).astype(np.uint8)
    picture = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
    middle = (PICTURE_PX // 2, PICTURE_PX // 2)
    return cv2.circle(picture, middle, PICTURE_PX // 4, (236, 190, 160), -1, cv2.LINE_AA)


def png(picture: np.ndarray) -> bytes:
    """Return an RGB picture as a PNG file."""
    return cv2.imencode(".png", picture[..., ::-1])[1].tobytes()


@asynccontextmanager
async def running_page_server(port: int = 0) -> AsyncIterator[PageServer]:
    """Serve the page on a loopback port."""
    server = PageServer()
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await server.lose_peers()
        await runner.cleanup()


async def _show() -> None:
    async with running_page_server(8090):
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_show())
